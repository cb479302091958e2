import type { Envelope, Field, Recipient, User } from '../entities';
import { AppError, notFound } from '../errors';
import type { Instance } from '../instance';
import { aboutRecipient, audit, byRecipient, NOBODY } from './auditLog';
import { isExpired } from './find';
import { defaultText, fieldName, storedText, type FieldValue } from './fieldValues';
import { scheduleSealing } from './seal';
import { recipientsInTurn, unfinishedRecipients } from './send';

export interface Signing {
	envelope: Envelope;
	recipient: Recipient;
}

/** Values by field ID or label. */
export type FieldValues = Readonly<Record<string, FieldValue>>;

export function findSigning(instance: Instance, token: string): Signing {
	const signing = instance.store.findByToken(token);
	if (!signing || signing.envelope.status === 'DRAFT') throw notFound('Signing link not found');
	return signing;
}

/** Why the recipient cannot act now; undefined if they can. */
export function blockedReason(
	instance: Instance,
	{ envelope, recipient }: Signing,
): AppError | undefined {
	const { status } = envelope;
	if (recipient.role === 'CC') {
		return new AppError('INVALID_REQUEST', 'You receive a copy; there is nothing to sign');
	}
	if (recipient.signingStatus === 'REJECTED') {
		return new AppError('INVALID_REQUEST', 'You have rejected this document');
	}
	if (recipient.signingStatus === 'SIGNED') {
		return new AppError('RECIPIENT_ALREADY_SIGNED', 'You have already signed this document');
	}
	if (status === 'CANCELLED') {
		return new AppError('ENVELOPE_CANCELLED', 'This document has been cancelled');
	}
	if (status !== 'PENDING' || envelope.recipients.some((r) => r.signingStatus === 'REJECTED')) {
		return new AppError('INVALID_REQUEST', 'This document can no longer be signed');
	}
	if (isExpired(recipient, instance.now())) {
		return new AppError('RECIPIENT_EXPIRED', 'This signing link has expired');
	}
	if (!recipientsInTurn(envelope).includes(recipient)) {
		return new AppError('RECIPIENT_OUT_OF_TURN', 'It is not your turn to sign yet');
	}
	return undefined;
}

/** Records the first visit to the signing page, unless the link has expired. */
export function open(instance: Instance, { envelope, recipient }: Signing): void {
	if (envelope.status !== 'PENDING' || isExpired(recipient, instance.now())) return;
	const accessAuth = recipient.authOptions?.accessAuth ?? [];
	const about = { ...aboutRecipient(recipient), accessAuth };
	audit(instance, envelope, 'DOCUMENT_VIEWED', about, byRecipient(recipient));
	if (recipient.readStatus === 'OPENED') return;
	audit(instance, envelope, 'DOCUMENT_OPENED', about, byRecipient(recipient));
	recipient.readStatus = 'OPENED';
	recipient.sendStatus = 'SENT';
	instance.emit('DOCUMENT_OPENED', envelope);
}

export function sign(instance: Instance, token: string, values: FieldValues = {}): Envelope {
	const signing = findSigning(instance, token);
	const blocked = blockedReason(instance, signing);
	if (blocked) throw blocked;
	const { envelope } = signing;
	complete(instance, signing, values);
	instance.emit('DOCUMENT_RECIPIENT_COMPLETED', envelope);
	if (envelope.documentMeta.signingOrder === 'SEQUENTIAL') {
		// As recorded, the next recipient counts as sent even with distribution method NONE.
		for (const next of recipientsInTurn(envelope)) next.sendStatus = 'SENT';
	}
	instance.emit('DOCUMENT_SIGNED', envelope);
	if (unfinishedRecipients(envelope).length === 0) scheduleSealing(instance, envelope);
	return envelope;
}

/** Fills in the recipient's fields and makes the recipient SIGNED, without an event. */
export function complete(instance: Instance, signing: Signing, values: FieldValues): void {
	const { envelope, recipient } = signing;
	const now = instance.now();
	const texts = ownFields(signing).map((field) => {
		const value = values[field.id] ?? values[fieldName(field)];
		return { field, ...fill(signing, field, value, now) };
	});
	for (const { field, ...filled } of texts) {
		Object.assign(field, filled, { inserted: true });
		auditInserted(instance, signing, field);
	}
	recipient.signingStatus = 'SIGNED';
	recipient.signedAt = now;
	const actionAuth = recipient.authOptions?.actionAuth ?? [];
	const about = { ...aboutRecipient(recipient), actionAuth };
	audit(instance, envelope, 'DOCUMENT_RECIPIENT_COMPLETED', about, byRecipient(recipient));
}

export function reject(instance: Instance, token: string, reason: string): Envelope {
	const signing = findSigning(instance, token);
	const blocked = blockedReason(instance, signing);
	if (blocked) throw blocked;
	if (reason.trim() === '') throw new AppError('INVALID_BODY', 'A reason is required');
	markRejected(instance, signing, reason);
	return signing.envelope;
}

export function markRejected(
	instance: Instance,
	{ envelope, recipient }: Signing,
	reason: string,
	/** A team member recorded it, perhaps in the name of another one. */
	external?: { by: User; onBehalfOf: User | undefined },
): void {
	recipient.signingStatus = 'REJECTED';
	recipient.rejectionReason = reason;
	recipient.signedAt = instance.now();
	const recorded = external && {
		isExternal: true,
		onBehalfOfUserEmail: external.onBehalfOf?.email,
		onBehalfOfUserName: external.onBehalfOf?.name,
	};
	const about = { ...aboutRecipient(recipient), reason, ...recorded };
	const { by } = external ?? {};
	const actor = by ? { name: by.name, email: by.email, userId: by.id } : byRecipient(recipient);
	audit(instance, envelope, 'DOCUMENT_RECIPIENT_REJECTED', about, actor);
	scheduleSealing(instance, envelope);
}

/** Runs the service's periodic expiration job for one recipient. */
export function expire(instance: Instance, recipientId: number): void {
	const found = instance.store.findRecipient(recipientId);
	if (!found) throw notFound(`Recipient ${recipientId} not found`);
	const now = instance.now();
	found.recipient.expiresAt = now;
	found.recipient.expirationNotifiedAt = now;
	const { recipientRole: _, ...about } = aboutRecipient(found.recipient);
	audit(instance, found.envelope, 'DOCUMENT_RECIPIENT_EXPIRED', about, NOBODY);
	instance.emit('RECIPIENT_EXPIRED', found.envelope);
}

function auditInserted(instance: Instance, { envelope, recipient }: Signing, field: Field): void {
	const { secondaryId, type, customText, signature } = field;
	const about = {
		...aboutRecipient(recipient),
		fieldId: secondaryId,
		field: { type, data: signature ?? customText },
	};
	audit(instance, envelope, 'DOCUMENT_FIELD_INSERTED', about, byRecipient(recipient));
}

/** The fields the recipient still has to fill in. */
export function ownFields({ envelope, recipient }: Signing): Field[] {
	return envelope.fields.filter(
		({ type, recipientId, inserted, fieldMeta }) =>
			recipientId === recipient.id && !inserted && (type === 'DATE' || !fieldMeta?.readOnly),
	);
}

function fill(
	{ envelope, recipient }: Signing,
	field: Field,
	value: FieldValue | undefined,
	now: Date,
) {
	if (field.type.endsWith('SIGNATURE')) {
		return { customText: '', signature: String(value ?? recipient.name) || recipient.email };
	}
	const customText =
		value === undefined ? defaultText(envelope, field, recipient, now) : storedText(field, value);
	return { customText };
}
