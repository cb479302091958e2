import type { Envelope } from '../entities';
import { auditCompleted } from '../envelopes/auditLog';
import type { Instance } from '../instance';
import { drawSignedPdf } from '../pdf/signedPdf';
import { hasEnded, isMissing } from './rules';

/**
 * The sealing job makes a finished document COMPLETED or REJECTED. It runs after the response to the
 * last signature; until then the document stays PENDING.
 */
export function scheduleSealing(instance: Instance, envelope: Envelope): void {
	instance.jobs.schedule(instance.sealDelayMs, async () => await seal(instance, envelope));
}

async function seal(instance: Instance, envelope: Envelope): Promise<void> {
	const mayEnd = hasEnded(envelope);
	// Rejecting does not make somebody who receives a copy REJECTED.
	for (const recipient of envelope.recipients) {
		if (recipient.role === 'CC') recipient.signingStatus = 'SIGNED';
	}
	const isRejected = envelope.recipients.some(({ signingStatus }) => signingStatus === 'REJECTED');
	// The job fails, and the document stays PENDING for ever.
	if (!mayEnd || (!isRejected && envelope.fields.some(isMissing))) return;
	const signed = [];
	for (const item of envelope.items) {
		const certificate = isRejected ? 'rejected' : 'completed';
		const bytes = await drawSignedPdf(envelope, item, certificate, instance.now());
		signed.push(await instance.files.keep(bytes));
	}
	// The document may have been deleted, cancelled or sealed in the meantime.
	if (!instance.store.envelopes.has(envelope.id) || envelope.completedAt !== null) return;
	for (const [index, item] of envelope.items.entries()) item.signed = signed[index] ?? item.signed;
	const now = instance.now();
	envelope.status = isRejected ? 'REJECTED' : 'COMPLETED';
	envelope.completedAt = now;
	envelope.updatedAt = now;
	auditCompleted(instance, envelope);
	instance.emit(isRejected ? 'DOCUMENT_REJECTED' : 'DOCUMENT_COMPLETED', envelope);
}
