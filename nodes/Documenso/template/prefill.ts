import type { EnvelopeField } from '../api/envelope';
import type { Fault } from '../engine/refusal';
import { matchColumns, type Given } from './columnMatch';
import type { Template } from './columns';
import { readValue } from './prefillValue';

/**
 * The values in the form that the service takes, each checked against its field of the template. If a field is given
 * more than once, the last one counts.
 */
export function prefilledFields(
	template: Template,
	given: Given[],
	timezone: string,
	faults: Fault[],
) {
	const matches = given.flatMap((one) => [...matchColumns(one, template.fieldColumns, faults)]);
	const matched = new Map(matches);
	return [...matched].flatMap(([{ field }, { name, value }]) => {
		const read = readValue(field, value, timezone);
		if ('fault' in read) {
			faults.push({ column: name, fault: read.fault });
			return [];
		}
		const { id, type } = field;
		return [{ id, type: type.toLowerCase(), ...keptFromTemplate(field), value: read.value }];
	});
}

/** The service would erase them from the document if they were left out (documenso-api.md: Prefilled values). */
function keptFromTemplate({ type, fieldMeta }: EnvelopeField) {
	if (type === 'DATE') return {};
	const placeholder = type === 'TEXT' || type === 'NUMBER' ? fieldMeta?.placeholder : undefined;
	return {
		...(fieldMeta?.label ? { label: fieldMeta.label } : {}),
		...(placeholder ? { placeholder } : {}),
	};
}
