import type { Envelope, Recipient, User } from '../entities';
import {
	aboutRecipient,
	audit,
	auditMailed,
	auditReminded,
	byRecipient,
	NOBODY,
} from '../envelopes/auditLog';
import { asksByMail } from '../envelopes/send';
import { notFound, type AppError } from '../errors';
import type { Instance } from '../instance';
import { complete, type FieldValues } from './complete';
import {
	assertCanReject,
	blockedReason,
	isExpired,
	noteChange,
	recipientsInTurn,
	unfinishedRecipients,
	type Signing,
} from './rules';
import { scheduleSealing } from './seal';

/** For the pages, which a draft does not have. */
export function findSigning(instance: Instance, token: string): Signing {
	const signing = findSigner(instance, token);
	if (signing.envelope.status === 'DRAFT') throw missingLink();
	return signing;
}

function findSigner({ store }: Instance, token: string): Signing {
	const signing = store.findByToken(token);
	if (signing?.envelope.type !== 'DOCUMENT') throw missingLink();
	return signing;
}

function missingLink(): AppError {
	return notFound('Signing link not found');
}

/** Records a visit to the signing page, and the first one as an event. */
export function open(instance: Instance, { envelope, recipient }: Signing): void {
	const accessAuth = recipient.authOptions?.accessAuth ?? [];
	const about = { ...aboutRecipient(recipient), accessAuth };
	audit(instance, envelope, 'DOCUMENT_VIEWED', about, byRecipient(recipient));
	if (recipient.readStatus === 'OPENED') return;
	audit(instance, envelope, 'DOCUMENT_OPENED', about, byRecipient(recipient));
	recipient.readStatus = 'OPENED';
	recipient.sendStatus = 'SENT';
	noteChange(recipient);
	instance.emit('DOCUMENT_OPENED', envelope);
}

/** Whom a signer names to sign next, where the document allows it. */
export type NextSigner = Pick<Recipient, 'name' | 'email'>;

export function sign(
	instance: Instance,
	token: string,
	values?: FieldValues,
	nextSigner?: NextSigner,
): Envelope {
	const signing = findSigner(instance, token);
	const blocked = blockedReason(instance, signing);
	if (blocked && blocked.code !== 'RECIPIENT_OUT_OF_TURN') throw blocked;
	const { envelope } = signing;
	complete(instance, signing, values);
	instance.emit('DOCUMENT_RECIPIENT_COMPLETED', envelope);
	if (envelope.documentMeta.signingOrder === 'SEQUENTIAL') {
		// As recorded, the next recipient counts as sent even with distribution method NONE.
		for (const next of recipientsInTurn(envelope)) {
			if (nextSigner) replaceNext(instance, signing, next, nextSigner);
			next.sendStatus = 'SENT';
			noteChange(next);
			if (asksByMail(envelope)) auditMailed(instance, envelope, next, false);
		}
	}
	instance.emit('DOCUMENT_SIGNED', envelope);
	if (unfinishedRecipients(envelope).length === 0) scheduleSealing(instance, envelope);
	return envelope;
}

/** As recorded, what did not change is logged, too. */
function replaceNext(
	instance: Instance,
	{ envelope, recipient }: Signing,
	next: Recipient,
	{ name, email }: NextSigner,
): void {
	if (!envelope.documentMeta.allowDictateNextSigner) return;
	const changes = [
		{ type: 'NAME', from: next.name, to: name },
		{ type: 'EMAIL', from: next.email, to: email },
	];
	const about = { ...aboutRecipient(next), changes };
	audit(instance, envelope, 'RECIPIENT_UPDATED', about, byRecipient(recipient));
	Object.assign(next, { name, email });
}

export function reject(instance: Instance, token: string, reason: string): Envelope {
	const signing = findSigner(instance, token);
	assertCanReject(instance, signing);
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
	if (asksByMail(envelope)) recipient.sendStatus = 'SENT';
	recipient.rejectionReason = reason;
	recipient.signedAt = instance.now();
	noteChange(recipient);
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
	noteChange(found.recipient);
	const { recipientRole: _, ...about } = aboutRecipient(found.recipient);
	audit(instance, found.envelope, 'DOCUMENT_RECIPIENT_EXPIRED', about, NOBODY);
	instance.emit('RECIPIENT_EXPIRED', found.envelope);
}

/** Runs the service's periodic reminder job for one document; each email is an event. */
export function remind(instance: Instance, envelopeId: string): void {
	const envelope = instance.store.envelopes.get(envelopeId);
	if (!envelope) throw notFound(`No envelope ${envelopeId}`);
	if (envelope.status !== 'PENDING' || !asksByMail(envelope)) return;
	for (const recipient of recipientsInTurn(envelope)) {
		if (recipient.sendStatus === 'NOT_SENT' || isExpired(recipient, instance.now())) continue;
		auditReminded(instance, envelope, recipient);
		instance.emit('DOCUMENT_REMINDER_SENT', envelope);
	}
}
