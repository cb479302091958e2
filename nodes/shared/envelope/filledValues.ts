import { jsonParse, type IDataObject } from 'n8n-workflow';

import type { z } from 'zod';

import { envelopeSchema, isSignature, type EnvelopeField } from '../api/envelope';
import { acts, hasSigned } from '../api/lifecycle';
import { namedFields } from './labels';
import { hasPreset, presetOf } from './presets';

/** What is read of a document to tell what people filled in. */
export const filledSchema = envelopeSchema.pick({
	...{ recipients: true, fields: true, internalVersion: true },
});

type Filled = z.infer<typeof filledSchema>;

/** A choice of several boxes is a list. */
export type FieldValue = string | string[];

/**
 * What people filled in, by the fields' labels. Fields with the same label get longer names. Signatures, and fields
 * that nobody has filled in, are left out.
 */
export function filledValues(envelope: Filled): IDataObject {
	return Object.fromEntries(
		named(envelope).flatMap(({ name, field }) =>
			field.inserted ? [[name, valueOf(field, envelope)] as const] : [],
		),
	);
}

/** What was filled in beforehand, and is something else now or nothing: for an output. Dates do not tell what was sent. */
export function changedBySigner(envelope: Filled): IDataObject[] {
	const mayBeAssistant = envelope.recipients.some(isAssistant);
	return named(envelope).flatMap(({ name, field }) => {
		const change = changeOf(field, envelope);
		if (!change) return [];
		const owner = envelope.recipients.find(({ id }) => id === field.recipientId);
		// An assistant may have done it; only the audit log tells.
		const by = owner && !mayBeAssistant ? { name: owner.name, email: owner.email } : null;
		return [{ field: name, sent: change.sent, signed: change.signed, by }];
	});
}

/** What a field was sent with, and what somebody made of it; null if they emptied it. Undefined if nobody changed it. */
export function changeOf(
	field: EnvelopeField,
	envelope: Filled,
): { sent: FieldValue; signed: FieldValue | null } | undefined {
	const sent = presetOf(field);
	// What Documenso cannot fill in stays empty without anybody's doing.
	if (sent === undefined || !hasPreset(field)) return undefined;
	if (!field.inserted) return mayBeEmptied(field, envelope) ? { sent, signed: null } : undefined;
	const signed = valueOf(field, envelope);
	return isSameValue(sent, signed) ? undefined : { sent, signed };
}

/** Whether somebody who could empty a field was there since it was filled in. */
export function mayBeEmptied(
	{ recipientId }: Pick<EnvelopeField, 'recipientId'>,
	{ recipients, internalVersion }: Filled,
): boolean {
	const might = recipients.filter((one) => one.id === recipientId || isAssistant(one));
	// In version 1, the signing page fills in what is there beforehand.
	if (internalVersion === 1) return might.some((one) => acts(one) && hasSigned(one));
	return might.some((one) => acts(one) && (one.readStatus === 'OPENED' || hasSigned(one)));
}

function isAssistant({ role }: { role: string }): boolean {
	return role === 'ASSISTANT';
}

function named(envelope: Filled) {
	return namedFields(
		envelope.fields.filter((field) => !isSignature(field)),
		envelope,
	);
}

/** In whatever order boxes are ticked. Of two options that are called the same, nothing tells which one is chosen. */
function isSameValue(one: FieldValue, other: FieldValue): boolean {
	const listed = (value: FieldValue) => [...new Set([value].flat())].sort().join('\n');
	return listed(one) === listed(other);
}

/** A choice is stored as the index of its option (documenso-api.md: Filled values), in version 1 as the option. */
export function valueOf(
	{ type, customText, fieldMeta }: EnvelopeField,
	{ internalVersion }: Pick<Filled, 'internalVersion'>,
): FieldValue {
	const values = internalVersion === 1 ? [] : (fieldMeta?.values ?? []);
	const options = values.map(({ value }) => value);
	if (type === 'RADIO') return options[Number(customText)] ?? customText;
	if (type !== 'CHECKBOX') return customText;
	const chosen = jsonParse<unknown>(customText, { fallbackValue: [] });
	return (Array.isArray(chosen) ? chosen : []).map(
		(index: unknown) => options[Number(index)] ?? String(index),
	);
}
