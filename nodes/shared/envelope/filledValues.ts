import { jsonParse, type IDataObject } from 'n8n-workflow';

import { isSignature, type Envelope, type EnvelopeField } from '../api/envelope';
import { fieldNames } from './labels';

/**
 * What people filled in, by the fields' labels. Fields with the same label get longer names. Signatures, and fields
 * that nobody has filled in, are left out.
 */
export function filledValues(envelope: Pick<Envelope, 'fields' | 'recipients'>): IDataObject {
	const fields = envelope.fields.filter((field) => !isSignature(field));
	const names = fieldNames(fields, envelope);
	return Object.fromEntries(
		fields.flatMap((field, index) =>
			field.inserted ? [[names[index] ?? '', valueOf(field)] as const] : [],
		),
	);
}

/** A choice is stored as the index of its option (documenso-api.md: Filled values). */
function valueOf({ type, customText, fieldMeta }: EnvelopeField): string | string[] {
	const options = (fieldMeta?.values ?? []).map(({ value }) => value);
	if (type === 'RADIO') return options[Number(customText)] ?? customText;
	if (type !== 'CHECKBOX') return customText;
	const chosen = jsonParse<unknown>(customText, { fallbackValue: [] });
	return (Array.isArray(chosen) ? chosen : []).map(
		(index: unknown) => options[Number(index)] ?? String(index),
	);
}
