import { z } from 'zod';

import { date, recipientSchema, subjectSchema } from '../events/subject';

/** What looks need of a recipient. The rest is only shown: if Documenso changes it, looks go on. */
const listedRecipient = recipientSchema.extend({
	id: z.number(),
	name: z.string().catch(''),
	token: z.string().catch(''),
	sendStatus: z.string().catch(''),
	signingOrder: z.number().nullish().catch(null),
	expiresAt: date.catch(null),
	rejectionReason: z.string().nullish().catch(null),
});

/** A document from a list or get-many, with all that it has there. */
export const documentSchema = subjectSchema
	.extend({
		templateId: z.number().nullish(),
		teamId: z.number().nullish().catch(null),
		createdAt: z.string().datetime({ offset: true }),
		team: z.object({ id: z.number(), url: z.string() }).passthrough().nullish(),
		recipients: z.array(listedRecipient.passthrough()).default([]),
	})
	.passthrough();

export type Document = z.infer<typeof documentSchema>;

/** Milliseconds since the epoch. */
export function createdAt(document: Document): number {
	return Date.parse(document.createdAt);
}

/** Whether a signing link has expired unused (documenso-api.md: Events). */
export function hasExpiredLink({ recipients }: Document): boolean {
	return recipients.some((one) => one.signingStatus === 'NOT_SIGNED' && one.expirationNotifiedAt);
}

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
export function timeOf(step: Step, document: Document): number {
	const { updatedAt, completedAt, deletedAt } = document;
	const changed = completedAt ?? updatedAt ?? document.createdAt;
	if (step === 'DOCUMENT_CREATED') return createdAt(document);
	return Date.parse(step === 'DOCUMENT_CANCELLED' ? (deletedAt ?? changed) : changed);
}
