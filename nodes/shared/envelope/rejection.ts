import type { IDataObject } from 'n8n-workflow';

/** What of a recipient tells of a rejection. Documenso has the time of a rejection under `signedAt`. */
interface Rejecting {
	name?: unknown;
	email?: unknown;
	signingStatus?: unknown;
	signedAt?: unknown;
	rejectionReason?: unknown;
}

/** Who rejected a document, when and why, as an entry for an output: one rejection ends it for everyone. */
export function rejectionIn(recipients: readonly Rejecting[]): IDataObject {
	const rejecting = recipients.find(({ signingStatus }) => signingStatus === 'REJECTED');
	if (!rejecting) return {};
	const { name, email, rejectionReason: reason, signedAt: rejectedAt } = rejecting;
	return { rejection: { name, email, reason, rejectedAt } };
}
