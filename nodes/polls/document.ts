import { z } from 'zod';

const date = z.string().nullish();

/** What polls use of a document from a list or get-many; the rest passes through. */
export const documentSchema = z
	.object({
		id: z.string(),
		/** `document_7` for the document that older endpoints call 7. */
		secondaryId: z.string(),
		title: z.string(),
		status: z.string(),
		externalId: z.string().nullish(),
		source: z.string().nullish(),
		templateId: z.number().nullish(),
		createdAt: z.string().datetime({ offset: true }),
		updatedAt: date,
		completedAt: date,
		deletedAt: date,
		team: z.object({ id: z.number(), url: z.string() }).passthrough().nullish(),
		recipients: z
			.array(
				z
					.object({
						id: z.number(),
						email: z.string(),
						role: z.string(),
						readStatus: z.string(),
						signingStatus: z.string(),
						signedAt: date,
						expirationNotifiedAt: date,
					})
					.passthrough(),
			)
			.default([]),
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
