import type { Fault } from '../engine/refusal';
import type { Given, Params } from '../params';
import { prefillJson } from '../schemas/template';
import type { Template } from './columns';
import type { EnvelopeField } from '../api/envelope';
import { matchColumns } from './columnMatch';
import { readValue } from './prefillValue';

/** The values that the user gave by label, from the editor's inputs, the item's columns, or JSON. */
export function givenPrefill(params: Params): Given {
	if (params.string('specifyPrefill') !== 'json') return params.columns('prefillFields');
	return { isAutomatic: false, values: params.json('prefillJson', prefillJson) };
}

/** The values as the service takes them, each checked against its field of the template. */
export function prefilledFields(params: Params, template: Template, given: Given, faults: Fault[]) {
	const timezone = params.context.getTimezone();
	const matched = matchColumns(given, template.fieldColumns, faults);
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

/** Left out, the service would erase them from the document (contract §1.12). */
function keptFromTemplate({ type, fieldMeta }: EnvelopeField) {
	if (type === 'DATE') return {};
	const placeholder = type === 'TEXT' || type === 'NUMBER' ? fieldMeta?.placeholder : undefined;
	return {
		...(fieldMeta?.label ? { label: fieldMeta.label } : {}),
		...(placeholder ? { placeholder } : {}),
	};
}
