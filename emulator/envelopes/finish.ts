import { AppError, notFound } from '../errors';
import type { Caller } from '../http/auth';
import type { Instance } from '../instance';
import { getVisible, isVisible } from './access';
import { audit } from './auditLog';

export function cancelEnvelope(
	instance: Instance,
	caller: Caller,
	envelopeId: string,
	reason?: string,
): void {
	const envelope = getVisible(instance, caller, envelopeId, 'Document not found', 'DOCUMENT');
	// What was sent from the team's address in another team is visible, but the role does not count there.
	const isManager = caller.role !== 'MEMBER' && envelope.team.id === caller.team.id;
	if (envelope.user.id !== caller.user.id && !isManager) {
		throw new AppError('UNAUTHORIZED', 'Not allowed');
	}
	if (envelope.status !== 'PENDING') {
		throw new AppError('INVALID_REQUEST', 'Only pending documents can be cancelled');
	}
	const now = instance.now();
	const { updatedAt } = envelope;
	envelope.status = 'CANCELLED';
	envelope.completedAt = now;
	envelope.updatedAt = now;
	audit(instance, envelope, 'DOCUMENT_CANCELLED', { reason });
	// As recorded, the event has the date of the previous change.
	instance.emit('DOCUMENT_CANCELLED', { ...envelope, updatedAt }, caller.team.id);
}

/** Unfinished envelopes are removed, finished documents only hidden (documenso-api.md: Deleting). */
export function deleteEnvelope(instance: Instance, caller: Caller, envelopeId: string): void {
	const envelope = instance.store.envelopes.get(envelopeId);
	if (!envelope) throw notFound('Envelope not found');
	const recipient = envelope.recipients.find(({ email }) => email === caller.user.email);
	const hide = (): void => {
		if (recipient) recipient.documentDeletedAt ??= instance.now();
	};
	if (!isVisible(envelope, caller)) {
		if (envelope.type === 'DOCUMENT' && recipient) {
			hide();
			return;
		}
		// For a template, callers see the ORM's own "not found".
		if (envelope.type === 'TEMPLATE') throw new Error('No Envelope found');
		throw new AppError('UNAUTHORIZED', 'Not allowed');
	}
	if (envelope.status === 'DRAFT' || envelope.status === 'PENDING') {
		instance.store.envelopes.delete(envelope.id);
	} else if (envelope.deletedAt === null) {
		const now = instance.now();
		audit(instance, envelope, 'DOCUMENT_DELETED', { type: 'SOFT' });
		envelope.deletedAt = now;
		envelope.updatedAt = now;
	}
	// Deleting a document sends the event for cancelling.
	const event = envelope.type === 'DOCUMENT' ? 'DOCUMENT_CANCELLED' : 'TEMPLATE_DELETED';
	instance.emit(event, envelope, caller.team.id);
	if (envelope.type === 'DOCUMENT') hide();
}
