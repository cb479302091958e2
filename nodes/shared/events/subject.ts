import { z } from 'zod';

import type { Schema } from '../api/records';

/** More than the recipients of any document. */
const MOST_RECORDS = 5_000;

/**
 * Stops at the first record that is none. zod's own lists describe what is wrong with each of them: a delivery with
 * 100,000 broken recipients would keep n8n busy for seconds.
 */
export function listOf<Value>(schema: Schema<Value>): Schema<Value[]> {
	return z
		.array(z.unknown())
		.max(MOST_RECORDS)
		.transform((records, context) => {
			const read: Value[] = [];
			for (const [index, record] of records.entries()) {
				const { success, data, error } = schema.safeParse(record);
				if (!success) {
					for (const issue of error.issues) {
						context.addIssue({ ...issue, path: [index, ...issue.path] });
					}
					return z.NEVER;
				}
				read.push(data);
			}
			return read;
		});
}

/** ISO 8601. */
export const date = z.string().nullish();

/** JSON can hold numbers that JavaScript can't count with, such as 1e999. */
export const integer = z.number().int().safe();

export const recipientSchema = z.object({
	id: integer,
	email: z.string(),
	name: z.string(),
	role: z.string(),
	token: z.string().default(''),
	signingOrder: z.number().finite().nullish(),
	readStatus: z.string(),
	sendStatus: z.string(),
	signingStatus: z.string(),
	signedAt: date,
	expiresAt: date,
	expirationNotifiedAt: date,
	rejectionReason: z.string().nullish(),
});

/** The document or template that an event is about, as the API returns it. */
export const subjectSchema = z.object({
	id: z.string(),
	/** `document_7` for the document that older endpoints call 7. */
	secondaryId: z.string(),
	title: z.string(),
	status: z.string(),
	externalId: z.string().nullish(),
	source: z.string().nullish(),
	/** The number of the template that a document came from. */
	templateId: integer.nullish(),
	teamId: integer.nullish(),
	/** Deliveries lack it. */
	team: z.object({ id: z.number(), url: z.string() }).nullish().catch(undefined),
	createdAt: date,
	updatedAt: date,
	completedAt: date,
	deletedAt: date,
	recipients: listOf(recipientSchema).default([]),
});

export type Subject = z.infer<typeof subjectSchema>;
export type SubjectRecipient = z.infer<typeof recipientSchema>;
