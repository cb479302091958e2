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
export function hasExpired({ recipients }: Document): boolean {
	return recipients.some(
		({ signingStatus, expirationNotifiedAt }) =>
			signingStatus === 'NOT_SIGNED' && Boolean(expirationNotifiedAt),
	);
}
