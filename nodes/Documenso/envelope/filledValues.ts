import { jsonParse, type IDataObject } from 'n8n-workflow';

import { fieldNames } from '../template/columns';
import { isSignature, type Envelope, type EnvelopeField } from '../api/envelope';

/**
 * What people filled in, by the fields' labels; where several fields share one, by as much more as tells them
 * apart. Fields that nobody has filled in, and signatures, are left out.
 */
export function filledValues(envelope: Envelope): IDataObject {
	const fields = envelope.fields.filter((field) => !isSignature(field));
	const names = fieldNames(fields, envelope);
	return Object.fromEntries(
		fields.flatMap((field, index) =>
			field.inserted ? [[names[index] ?? '', valueOf(field)] as const] : [],
		),
	);
}

/** Choices are stored as the indices of their options (documenso-api.md: Filled values). */
function valueOf({ type, customText, fieldMeta }: EnvelopeField): string | string[] {
	const options = (fieldMeta?.values ?? []).map(({ value }) => value);
	if (type === 'RADIO') return options[Number(customText)] ?? customText;
	if (type !== 'CHECKBOX') return customText;
	const chosen = jsonParse<unknown>(customText, { fallbackValue: [] });
	return (Array.isArray(chosen) ? chosen : []).map(
		(index: unknown) => options[Number(index)] ?? String(index),
	);
}
