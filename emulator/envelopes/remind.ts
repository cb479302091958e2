import { notFound } from '../errors';
import type { Instance } from '../instance';
import { recipientsInTurn } from '../signing/rules';
import { auditReminded } from './auditLog';
import { isExpired } from './find';
import { asksByMail } from './send';

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
