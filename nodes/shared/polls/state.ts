import { jsonParse } from 'n8n-workflow';
import { z } from 'zod';

import { hasSigned } from '../api/lifecycle';
import { createdAt, type Document, type OpenStatus } from './document';

/** What is stored of a recipient of an open document. */
const seenSchema = z.object({
	email: z.string(),
	id: z.number(),
	hasOpened: z.boolean().default(false),
	hasSigned: z.boolean().default(false),
	/** When Documenso noticed that the deadline had passed (ISO 8601). */
	expiredAt: z.string().nullable().default(null),
});

/** What is stored of an open document. Once it is deleted, nothing else is known of it. */
const openSchema = z.object({
	status: z.enum(['DRAFT', 'PENDING']),
	/** Milliseconds since the epoch, like all times here. */
	createdAt: z.number(),
	secondaryId: z.string(),
	title: z.string(),
	externalId: z.string().nullable().default(null),
	source: z.string().nullable().default(null),
	templateId: z.number().nullable().default(null),
	recipients: z.array(seenSchema),
});

export type SeenRecipient = z.infer<typeof seenSchema>;
export type OpenDocument = z.infer<typeof openSchema>;

/**
 * What polls know, as it is stored. All documents that were seen and were created since `since` are in `open` or `finished`.
 * Older documents are never reported as created.
 */
const stateSchema = z.object({
	/** Whose documents these are: see `Client.account`. */
	account: z.string(),
	/** The teams whose documents the token reaches, by ID. */
	teams: z.array(z.number()).transform((teams) => new Set(teams)),
	/** How far back the next poll reads. */
	since: z.number(),
	/** How far back the poll after that reads, to find what the next one misses. */
	next: z.number(),
	/** When all open documents were listed last, by Documenso's clock. */
	listedAt: z.number(),
	/** By ID; the documents that were read longest ago come first. */
	open: z.record(openSchema).transform((open) => new Map(Object.entries(open))),
	/** Creation dates of documents that are finished or gone, by ID. */
	finished: z.record(z.number()).transform((finished) => new Map(Object.entries(finished))),
	/** Finished documents for which an execution waits that could not be reached. */
	unreached: z.array(z.object({ id: z.string(), externalId: z.string().nullish() })),
});

export type State = z.infer<typeof stateSchema>;

export function writeState({ teams, open, finished, ...rest }: State): string {
	const state: z.input<typeof stateSchema> = {
		...{ ...rest, teams: [...teams] },
		...{ open: Object.fromEntries(open), finished: Object.fromEntries(finished) },
	};
	// There may be thousands of documents, so what has a default is left out.
	const isDefault = (value: unknown) => value === null || value === false;
	return JSON.stringify(state, (_key, value: unknown) => (isDefault(value) ? undefined : value));
}

/** Undefined if there is no state yet, or if it belongs to another account. */
export function readState(text: unknown, account: string): State | undefined {
	if (typeof text !== 'string') return undefined;
	const { data } = stateSchema.safeParse(jsonParse<unknown>(text, { fallbackValue: null }));
	return data?.account === account ? data : undefined;
}

export function remember(document: Document, status: OpenStatus): OpenDocument {
	const { secondaryId, title, externalId, source, templateId, recipients } = document;
	return {
		status,
		createdAt: createdAt(document),
		secondaryId,
		title,
		externalId: externalId ?? null,
		source: source ?? null,
		templateId: templateId ?? null,
		recipients: recipients.map((one) => ({
			email: one.email,
			id: one.id,
			hasOpened: one.readStatus === 'OPENED',
			hasSigned: hasSigned(one),
			expiredAt: one.expirationNotifiedAt ?? null,
		})),
	};
}

/** What is not stored of recipients. */
const UNKNOWN = { name: '', role: 'SIGNER', token: '', sendStatus: 'NOT_SENT' };

/** What is known of a document that is gone. */
export function recall(
	id: string,
	{ createdAt: created, recipients, ...kept }: OpenDocument,
): Document {
	return {
		id,
		type: 'DOCUMENT',
		...kept,
		createdAt: new Date(created).toISOString(),
		recipients: recipients.map(({ email, id: recipientId, hasOpened, hasSigned, expiredAt }) => ({
			id: recipientId,
			email,
			...UNKNOWN,
			readStatus: hasOpened ? 'OPENED' : 'NOT_OPENED',
			signingStatus: hasSigned ? 'SIGNED' : 'NOT_SIGNED',
			expirationNotifiedAt: expiredAt,
		})),
	};
}
