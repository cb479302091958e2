import type { Envelope, Field } from '../entities';
import type { Instance } from '../instance';
import { drawSignedPdf } from '../pdf/signedPdf';
import { auditCompleted } from './auditLog';

/**
 * The sealing job makes a finished document COMPLETED or REJECTED. It runs after the response to the
 * last signature; until then the document stays PENDING.
 */
export function scheduleSealing(instance: Instance, envelope: Envelope): void {
	instance.jobs.schedule(instance.sealDelayMs, async () => await seal(instance, envelope));
}

/** What can be optional; everything else is required. */
const OPTIONAL_TYPES = ['CHECKBOX', 'DROPDOWN', 'NUMBER', 'RADIO', 'TEXT'];

/** The sealing job fails for such a document, which stays PENDING for ever. */
function isUnsigned({ type, fieldMeta, inserted }: Field): boolean {
	return !inserted && (!OPTIONAL_TYPES.includes(type) || fieldMeta?.required === true);
}

async function seal(instance: Instance, envelope: Envelope): Promise<void> {
	const isRejected = envelope.recipients.some(({ signingStatus }) => signingStatus === 'REJECTED');
	if (!isRejected && envelope.fields.some(isUnsigned)) return;
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
