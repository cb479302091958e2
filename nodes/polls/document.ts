import { z } from 'zod';

import { listOf, recipientSchema, subjectSchema } from '../events/subject';

/** A document from a list or get-many, with all that it has there. */
export const documentSchema = subjectSchema
	.extend({
		createdAt: z.string().datetime({ offset: true }),
		team: z.object({ id: z.number(), url: z.string() }).passthrough().nullish(),
		recipients: listOf(recipientSchema.passthrough()).default([]),
	})
	.passthrough();

export type Document = z.infer<typeof documentSchema>;

/** Milliseconds since the epoch. */
export function createdAt(document: Document): number {
	return Date.parse(document.createdAt);
}

/** Whether a signing link has expired unused (documenso-api.md: Events). */
export function hasExpired({ recipients }: Document): boolean {
	return recipients.some(
		({ signingStatus, expirationNotifiedAt }) =>
			signingStatus === 'NOT_SIGNED' && Boolean(expirationNotifiedAt),
	);
}
