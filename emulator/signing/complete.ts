import type { Field, Recipient } from '../entities';
import { aboutRecipient, audit, byRecipient, type Actor } from '../envelopes/auditLog';
import { formatDate } from '../envelopes/dates';
import { fieldName, presetText } from './fieldValues';
import { AppError } from '../errors';
import type { Instance } from '../instance';
import { assertMayFill, assistedFields } from './assist';
import { accessAuthOf, assertTurn, isMissing, noteChange, type Signing } from './rules';
import { oneClickValue, suggestedValue } from './suggestions';
import { entryFor, type FieldValue } from './values';

/** Values by field ID or label; with undefined, the signer does not touch the field. */
export type FieldValues = Readonly<Record<string, FieldValue | undefined>>;

/**
 * Fills in the recipient's fields and makes the recipient SIGNED, without an event. Each field is its own
 * request in Documenso, so those before a refused value stay filled in.
 */
export function complete(instance: Instance, signing: Signing, values?: FieldValues): void {
	const { envelope, recipient } = signing;
	const fields = ownFields(signing);
	if (envelope.internalVersion === 1) fillOnPage(recipient, fields);
	for (const field of [...fields, ...namedFieldsOfOthers(signing, values)]) {
		const value = valueOf(signing, field, values);
		if (value !== undefined) enter(instance, signing, field, value);
	}
	if (!signing.isVisitor) assertMayComplete(signing);
	const person = personFrom(recipient, fields);
	for (const field of fields) insertDate(instance, signing, field);
	if (fields.some(isMissing)) {
		const message = `Recipient ${recipient.id} has unsigned fields`;
		throw new AppError('RECIPIENT_HAS_UNSIGNED_FIELDS', message);
	}
	rename(instance, signing, person);
	recipient.signingStatus = 'SIGNED';
	recipient.signedAt = instance.now();
	noteChange(recipient);
	const actionAuth = recipient.authOptions?.actionAuth ?? [];
	const about = { ...aboutRecipient(recipient), actionAuth };
	audit(instance, envelope, 'DOCUMENT_RECIPIENT_COMPLETED', about, actorOf(signing));
}

function assertMayComplete(signing: Signing): void {
	assertTurn(signing);
	if (accessAuthOf(signing).includes('TWO_FACTOR_AUTH')) {
		throw new AppError('UNAUTHORIZED', 'Access authentication required');
	}
}

/** The fields that wait for the recipient. */
export function openFields(signing: Signing): Field[] {
	const own = ownFields(signing).filter(
		({ type, inserted, fieldMeta }) => !inserted && (type === 'DATE' || !fieldMeta?.readOnly),
	);
	return [...own, ...assistedFields(signing)];
}

function ownFields({ envelope, recipient }: Signing): Field[] {
	return envelope.fields.filter(({ recipientId }) => recipientId === recipient.id);
}

/** An assistant names them by ID, because labels are only unique among one signer's fields. */
function namedFieldsOfOthers(
	{ envelope, recipient }: Signing,
	values: FieldValues | undefined = {},
): Field[] {
	if (recipient.role !== 'ASSISTANT') return [];
	return envelope.fields.filter(
		({ id, recipientId }) => recipientId !== recipient.id && Object.hasOwn(values, String(id)),
	);
}

/** The page of version 1 fills in what is there beforehand, and stores options instead of their places. */
function fillOnPage(recipient: Recipient, fields: readonly Field[]): void {
	for (const field of fields.filter(({ inserted }) => !inserted)) {
		const preset = presetText(field, recipient);
		if (preset === undefined) continue;
		const options = (field.fieldMeta as { values?: Array<{ value: string }> } | null)?.values ?? [];
		const optionAt = (place: number) => options[place]?.value ?? '';
		const customText =
			field.type === 'RADIO'
				? optionAt(Number(preset))
				: field.type === 'CHECKBOX'
					? JSON.stringify((JSON.parse(preset) as number[]).map(optionAt))
					: preset;
		Object.assign(field, { customText, inserted: true });
	}
}

/** Undefined for a field that the signer does not touch. */
function valueOf(
	{ envelope, recipient }: Signing,
	field: Field,
	values: FieldValues | undefined,
): FieldValue | undefined {
	const keys = [String(field.id), fieldName(field)];
	const key = keys.find((one) => Object.hasOwn(values ?? {}, one));
	if (key !== undefined) return values?.[key];
	if (field.inserted || field.fieldMeta?.readOnly) return undefined;
	const suggest = values ? oneClickValue : suggestedValue;
	return suggest(field, recipient, envelope.documentMeta);
}

function enter(instance: Instance, signing: Signing, field: Field, value: FieldValue): void {
	const { envelope, recipient } = signing;
	assertMayFill(instance, signing, field);
	const entry = entryFor(field, value, envelope.documentMeta, instance.now());
	if (entry) {
		Object.assign(field, entry, { inserted: true });
		auditInserted(instance, signing, field);
	} else {
		Object.assign(field, { customText: '', signature: null, inserted: false });
		// As recorded, what an assistant empties is not logged.
		if (recipient.role === 'ASSISTANT') return;
		const about = { field: field.type, fieldId: field.secondaryId };
		audit(instance, envelope, 'DOCUMENT_FIELD_UNINSERTED', about, actorOf(signing));
	}
}

/** Dates that are empty get the day of completion, also those that are read only. */
function insertDate(instance: Instance, signing: Signing, field: Field): void {
	if (field.type !== 'DATE' || field.inserted) return;
	const { dateFormat, timezone } = signing.envelope.documentMeta;
	const customText = formatDate(instance.now(), dateFormat, timezone);
	Object.assign(field, { customText, inserted: true });
	auditInserted(instance, signing, field);
}

type Person = Pick<Recipient, 'name' | 'email'>;

/** Who was invited without a name or an address has those that they filled in. */
function personFrom({ name, email }: Recipient, fields: readonly Field[]): Person {
	const textOf = (type: Field['type']): string =>
		fields.find((field) => field.type === type)?.customText.trim() ?? '';
	const person = {
		name: name || textOf('NAME'),
		email: email || textOf('EMAIL').toLowerCase(),
	};
	if (person.email === '') throw new AppError('INVALID_BODY', 'Recipient email is required');
	return person;
}

function rename(instance: Instance, signing: Signing, to: Person): void {
	const { envelope, recipient } = signing;
	const from = { ...recipient };
	if (from.name === to.name && from.email === to.email) return;
	Object.assign(recipient, to);
	const changes = [
		{ type: 'NAME', from: from.name, to: to.name },
		{ type: 'EMAIL', from: from.email, to: to.email },
	];
	const about = { ...aboutRecipient(from), changes };
	audit(instance, envelope, 'RECIPIENT_UPDATED', about, actorOf(signing));
}

function auditInserted(instance: Instance, signing: Signing, field: Field): void {
	const { envelope, recipient } = signing;
	const { secondaryId, type, customText, signature, recipientId } = field;
	const about = {
		...aboutRecipient(recipient),
		fieldId: secondaryId,
		field: { type, data: signature ?? customText },
	};
	const isOwn = recipientId === recipient.id;
	const entry = isOwn ? 'DOCUMENT_FIELD_INSERTED' : 'DOCUMENT_FIELD_PREFILLED';
	audit(instance, envelope, entry, about, actorOf(signing));
}

function actorOf({ recipient, by }: Signing): Actor {
	return by ?? byRecipient(recipient);
}
