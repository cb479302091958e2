import type { Envelope, Recipient } from '../entities';
import { AppError, notFound } from '../errors';
import type { Instance } from '../instance';
import type { NewRecipient, RecipientUpdate } from '../schemas/recipients';
import { assertNoActionAuth } from './access';
import { aboutRecipient, audit, auditRecipientUpdated } from './auditLog';
import { initialStatus, newRecipient, storedOrder } from './draft';
import { noteChange } from '../signing/rules';

/** Recipients of a sent document can be changed until they act (documenso-api.md: Changes after sending). */
export function assertNotComplete(
	{ completedAt }: Envelope,
	message = 'Envelope already complete',
): void {
	if (completedAt !== null) throw new AppError('INVALID_REQUEST', message);
}

export function hasInteracted({ fields }: Envelope, recipient: Recipient): boolean {
	if (recipient.role === 'CC') return false;
	return (
		recipient.signingStatus === 'SIGNED' ||
		fields.some(({ recipientId, inserted }) => recipientId === recipient.id && inserted)
	);
}

export function canHaveFields({ role }: Recipient): boolean {
	return role !== 'CC' && role !== 'VIEWER';
}

export function createRecipients(
	instance: Instance,
	envelope: Envelope,
	inputs: readonly NewRecipient[],
): Recipient[] {
	assertNotComplete(envelope);
	for (const { actionAuth } of inputs) assertNoActionAuth(actionAuth);
	const recipients = inputs.map(({ accessAuth, actionAuth, ...given }) =>
		newRecipient(instance, {
			...given,
			authOptions: { accessAuth, actionAuth },
		}),
	);
	// Duplicate addresses are allowed.
	envelope.recipients.push(...recipients);
	for (const recipient of recipients) {
		const about = { ...aboutRecipient(recipient), ...recipient.authOptions };
		audit(instance, envelope, 'RECIPIENT_CREATED', about);
	}
	return recipients;
}

export function updateRecipients(
	instance: Instance,
	envelope: Envelope,
	updates: readonly RecipientUpdate[],
): Recipient[] {
	assertNotComplete(envelope);
	for (const { actionAuth } of updates) assertNoActionAuth(actionAuth);
	const changes = updates.map((update) => {
		const recipient = modifiable(envelope, update.id);
		const signingOrder = storedOrder(update.signingOrder, 'recipient.update') ?? undefined;
		return { recipient, before: { ...recipient }, update: { ...update, signingOrder } };
	});
	return changes.map(({ recipient, before, update }) => {
		applyUpdate(envelope, recipient, before, update);
		auditRecipientUpdated(instance, envelope, before, recipient);
		// The response to an ID given twice has both results.
		return { ...recipient };
	});
}

function modifiable(envelope: Envelope, id: number): Recipient {
	const recipient = envelope.recipients.find((candidate) => candidate.id === id);
	if (!recipient) throw notFound(`Recipient with id ${id} not found`);
	if (hasInteracted(envelope, recipient)) {
		const message = 'Cannot modify a recipient who has already interacted with the document';
		throw new AppError('INVALID_REQUEST', message);
	}
	return recipient;
}

function applyUpdate(
	envelope: Envelope,
	recipient: Recipient,
	before: Recipient,
	update: RecipientUpdate,
): void {
	recipient.email = update.email ?? before.email;
	recipient.name = update.name ?? before.name;
	recipient.role = update.role ?? before.role;
	recipient.signingOrder = update.signingOrder ?? before.signingOrder;
	recipient.authOptions = {
		accessAuth: update.accessAuth ?? before.authOptions?.accessAuth ?? [],
		actionAuth: update.actionAuth ?? before.authOptions?.actionAuth ?? [],
	};
	// As recorded, an updated recipient is NOT_SENT again, even in a sent document.
	Object.assign(recipient, initialStatus(recipient.role));
	noteChange(recipient);
	const isOther = recipient.role !== before.role;
	if (isOther && !canHaveFields(recipient)) removeFields(envelope, recipient);
}

export function deleteRecipient(
	instance: Instance,
	envelope: Envelope,
	recipient: Recipient,
): void {
	assertNotComplete(envelope, 'Document already complete');
	if (hasInteracted(envelope, recipient)) {
		const message = 'Recipient has already interacted with the document.';
		throw new AppError('INVALID_REQUEST', message);
	}
	removeFields(envelope, recipient);
	audit(instance, envelope, 'RECIPIENT_DELETED', aboutRecipient(recipient));
	envelope.recipients = envelope.recipients.filter(({ id }) => id !== recipient.id);
}

function removeFields(envelope: Envelope, recipient: Recipient): void {
	envelope.fields = envelope.fields.filter(({ recipientId }) => recipientId !== recipient.id);
}
