import type { Document } from './document';

/** In the order in which they happen to a document. */
export const STEPS = [
	'DOCUMENT_CREATED',
	'DOCUMENT_SENT',
	'DOCUMENT_OPENED',
	'DOCUMENT_RECIPIENT_COMPLETED',
	'DOCUMENT_SIGNED',
	'RECIPIENT_EXPIRED',
	'DOCUMENT_COMPLETED',
	'DOCUMENT_REJECTED',
	'DOCUMENT_CANCELLED',
] as const;

/** What a poll can tell from a document. */
export type Step = (typeof STEPS)[number];

/** A status in which something can still happen to a document. */
export type OpenStatus = 'DRAFT' | 'PENDING';

/** By the status that the step leaves. */
export const FINAL_STEPS: ReadonlyMap<string, Step> = new Map([
	['COMPLETED', 'DOCUMENT_COMPLETED'],
	['REJECTED', 'DOCUMENT_REJECTED'],
	['CANCELLED', 'DOCUMENT_CANCELLED'],
]);

/** The document's status while it is open, undefined once it is finished. An unknown status counts as the one before. */
export function openStatus(
	{ status, completedAt, deletedAt }: Document,
	before: OpenStatus = 'DRAFT',
): OpenStatus | undefined {
	if (FINAL_STEPS.has(status) || completedAt || deletedAt) return undefined;
	return status === 'DRAFT' || status === 'PENDING' ? status : before;
}

/** What a document's status tells has happened since it was `before`. Without one, the document is new. */
export function stepsSince(before: OpenStatus | undefined, document: Document): Step[] {
	const { status, deletedAt } = document;
	const final = FINAL_STEPS.get(status);
	const steps: Step[] = before === undefined ? ['DOCUMENT_CREATED'] : [];
	// Only what was sent can be completed, rejected or cancelled.
	if (before !== 'PENDING' && (status === 'PENDING' || final)) steps.push('DOCUMENT_SENT');
	if (final) steps.push(final);
	// Deleting is reported as cancelling (documenso-api.md: Events).
	if (deletedAt && final !== 'DOCUMENT_CANCELLED') steps.push('DOCUMENT_CANCELLED');
	return steps;
}

/** The latest time at which a step can have happened (milliseconds since the epoch). */
export function timeOf(
	step: Step,
	{ createdAt, updatedAt, completedAt, deletedAt }: Document,
): number {
	const changed = completedAt ?? updatedAt ?? createdAt;
	switch (step) {
		case 'DOCUMENT_CREATED':
			return Date.parse(createdAt);
		case 'DOCUMENT_CANCELLED':
			return Date.parse(deletedAt ?? changed);
		default:
			return Date.parse(changed);
	}
}
