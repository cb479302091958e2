import type { z } from 'zod';
import type { Envelope, Field, Recipient } from '../entities';
import { AppError, notFound } from '../errors';
import type { Caller } from '../http/auth';
import type { Instance } from '../instance';
import type { distributeEnvelope } from '../schemas/envelopes';
import { fieldAndMeta } from '../schemas/fields';
import { mergeMeta } from '../schemas/meta';
import {
	inSigningOrder,
	noteChange,
	recipientsInTurn,
	unfinishedRecipients,
} from '../signing/rules';
import { scheduleSealing } from '../signing/seal';
import { assertNoSender, findVisible } from './access';
import { audit, auditMailed, auditMetaUpdated, NOBODY } from './auditLog';
import { expiryOf } from './dates';
import { presetText } from '../signing/fieldValues';
import { replaceFile } from './items';

type DistributeInput = z.output<typeof distributeEnvelope>;

const MAX_RECIPIENTS = 20;

export function distribute(instance: Instance, caller: Caller, input: DistributeInput): Envelope {
	const envelope = findVisible(instance, caller, input.envelopeId);
	// Stored even if the checks below fail (documenso-api.md: Sending), also for a template.
	if (input.meta && Object.keys(input.meta).length > 0) {
		if (!envelope) throw notFound('Document not found');
		assertNoSender(input.meta.emailId);
		const before = envelope.documentMeta;
		envelope.documentMeta = mergeMeta(before, input.meta);
		if (envelope.type === 'DOCUMENT') auditMetaUpdated(instance, envelope, before);
	}
	if (envelope?.type !== 'DOCUMENT') throw new Error('Document not found');
	sendEnvelope(instance, envelope, caller.team.id);
	return envelope;
}

/** `teamId` is the team of the token that sends it. */
export function sendEnvelope(
	instance: Instance,
	envelope: Envelope,
	teamId = envelope.team.id,
): void {
	assertComplete(envelope);
	storeFilesAgain(instance, envelope);
	assertRecipients(envelope);
	const actors = unfinishedRecipients(envelope);
	if (actors.length === 0) {
		scheduleSealing(instance, envelope);
		return;
	}
	const now = instance.now();
	const presets = presetsOf(envelope);
	const { envelopeExpirationPeriod } = envelope.documentMeta;
	const expiresAt = expiryOf(envelopeExpirationPeriod, now);
	if (envelope.status === 'DRAFT') audit(instance, envelope, 'DOCUMENT_SENT', {});
	for (const { field, customText } of presets) Object.assign(field, { customText, inserted: true });
	const fields = presets.map(({ field: { id, type, recipientId } }) => ({
		fieldId: id,
		fieldType: type,
		recipientId,
	}));
	for (const recipient of actors) {
		recipient.expiresAt = expiresAt ?? recipient.expiresAt;
		if (expiresAt) recipient.expirationNotifiedAt = null;
		noteChange(recipient);
	}
	// The service itself does this, so the log does not contain the caller's address.
	const system = { ...instance, client: undefined };
	if (envelope.internalVersion === 2) {
		audit(system, envelope, 'DOCUMENT_FIELDS_AUTO_INSERTED', { fields }, NOBODY);
	}
	envelope.status = 'PENDING';
	envelope.updatedAt = now;
	instance.emit('DOCUMENT_SENT', envelope, teamId);
	mail(instance, envelope, notAsked(envelope), false);
}

export function redistribute(
	instance: Instance,
	caller: Caller,
	envelopeId: string,
	recipientIds: readonly number[],
): Envelope {
	const envelope = findVisible(instance, caller, envelopeId, 'DOCUMENT');
	if (!envelope) throw new Error('Document not found');
	if (envelope.recipients.length === 0) throw new Error('Document has no recipients');
	if (envelope.status === 'DRAFT') throw new Error('Can not send draft document');
	if (envelope.status !== 'PENDING') throw new Error('Can not send completed document');
	assertRecipientLimit(envelope);
	const { envelopeExpirationPeriod } = envelope.documentMeta;
	const targets = unfinishedRecipients(envelope).filter(({ id }) => recipientIds.includes(id));
	const expiresAt = targets.length > 0 ? expiryOf(envelopeExpirationPeriod, instance.now()) : null;
	// The payload is from before anything changes (documenso-api.md: Events).
	if (asksByMail(envelope)) instance.emit('DOCUMENT_REMINDER_SENT', envelope);
	// Where links do not expire any more, one that has expired stays so.
	for (const recipient of expiresAt ? targets : []) {
		recipient.expiresAt = expiresAt;
		recipient.expirationNotifiedAt = null;
		noteChange(recipient);
	}
	mail(instance, envelope, targets, true);
	return envelope;
}

export function asksByMail({ documentMeta }: Envelope): boolean {
	const { distributionMethod, emailSettings } = documentMeta;
	return distributionMethod === 'EMAIL' && emailSettings.recipientSigningRequest;
}

/** The email job. Where nobody is asked by email, nobody becomes SENT. */
function mail(
	instance: Instance,
	envelope: Envelope,
	recipients: readonly Recipient[],
	isResending: boolean,
): void {
	if (!asksByMail(envelope)) return;
	for (const recipient of recipients) {
		if (isResending && recipient.email === '') continue;
		recipient.sendStatus = 'SENT';
		noteChange(recipient);
		auditMailed(instance, envelope, recipient, isResending);
	}
}

/** Where everyone signs at once, who has signed a link that was passed on is asked, too. */
function notAsked(envelope: Envelope): Recipient[] {
	const { signingOrder } = envelope.documentMeta;
	const asked = signingOrder === 'PARALLEL' ? actorsIn(envelope) : recipientsInTurn(envelope);
	return asked.filter(({ sendStatus }) => sendStatus === 'NOT_SENT');
}

function actorsIn({ recipients }: Envelope): Recipient[] {
	return recipients.filter(({ role }) => role !== 'CC');
}

/**
 * Fills in values until their recipients are asked by email, also over what they have typed. One invalid field prevents
 * sending. In version 1, the signing page fills them in.
 */
function presetsOf(envelope: Envelope): Array<{ field: Field; customText: string }> {
	if (envelope.internalVersion === 1) return [];
	// Who receives a copy of a duplicate has not been sent it either (documenso-api.md: Duplicating).
	const unsent = envelope.recipients.filter(({ sendStatus }) => sendStatus === 'NOT_SENT');
	return envelope.fields.flatMap((field) => {
		assertReadable(field);
		const recipient = unsent.find(({ id }) => id === field.recipientId);
		const customText = recipient && presetText(field, recipient);
		return customText === undefined ? [] : [{ field, customText }];
	});
}

/** A free signature is never valid: without settings it is stored with null, which its schema refuses. */
function assertReadable(field: Field): void {
	const { error } = fieldAndMeta.safeParse(field);
	if (!error) return;
	const message = `One or more fields have invalid metadata. Error: ${error.message}`;
	throw new AppError('INVALID_REQUEST', message);
}

export function assertSendable(envelope: Envelope): void {
	assertComplete(envelope);
	assertRecipients(envelope);
}

/** Documenso fills in a draft's forms anew, even if it refuses to send it: uploading has flattened them, so only IDs change. */
function storeFilesAgain(instance: Instance, envelope: Envelope): void {
	if (envelope.formValues === null || envelope.status !== 'DRAFT') return;
	for (const item of [...envelope.items]) replaceFile(instance, envelope, item, item.original);
}

function assertComplete(envelope: Envelope): void {
	if (envelope.recipients.length === 0) throw new Error('Document has no recipients');
	if (envelope.status !== 'DRAFT' && envelope.status !== 'PENDING') {
		throw new Error('Can not send completed document');
	}
	if (envelope.items.length === 0) throw new Error('Missing envelope items');
	assertRecipientLimit(envelope);
}

function assertRecipients(envelope: Envelope): void {
	assertEmailsForAuth(envelope);
	assertSignatureFields(envelope);
}

function assertRecipientLimit({ recipients }: Envelope): void {
	if (recipients.length <= MAX_RECIPIENTS) return;
	const message = `You cannot send a document with more than ${MAX_RECIPIENTS} recipients`;
	throw new AppError('RECIPIENT_LIMIT_EXCEEDED', message);
}

function assertEmailsForAuth({ recipients, authOptions }: Envelope): void {
	const isGlobal = authOptions.globalAccessAuth.length + authOptions.globalActionAuth.length > 0;
	const lacking = inSigningOrder(recipients).find(
		({ role, email, authOptions }) =>
			role !== 'CC' && email === '' && (isGlobal || (authOptions?.accessAuth.length ?? 0) > 0),
	);
	if (!lacking) return;
	const message = `Recipient ${lacking.id} requires an email because they have auth requirements.`;
	throw new AppError('INVALID_REQUEST', message);
}

function assertSignatureFields({ recipients, fields }: Envelope): void {
	const lacking = inSigningOrder(recipients).filter(
		({ id, role }) =>
			role === 'SIGNER' &&
			!fields.some(({ recipientId, type }) => recipientId === id && type.endsWith('SIGNATURE')),
	);
	if (lacking.length === 0) return;
	const names = lacking
		.map(({ name, email, id }) => (name ? `${name} (${email}, id: ${id})` : `${email} (id: ${id})`))
		.join(', ');
	throw new AppError(
		'MISSING_SIGNATURE_FIELD',
		`The following recipients are missing required fields: ${names}. Signers must have at least one signature field.`,
	);
}
