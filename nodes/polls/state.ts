import { jsonParse } from 'n8n-workflow';
import { z } from 'zod';

import type { Marked } from '../Documenso/waiting/unmark';
import { createdAt, type Document } from './document';
import { seenOf, type SeenRecipient } from './recipients';
import type { OpenStatus } from './steps';

/** What is stored of an open document. Once it is deleted, nothing else is known of it. */
export interface OpenDocument {
	status: OpenStatus;
	/** Milliseconds since the epoch, like all times here. */
	createdAt: number;
	secondaryId: string;
	title: string;
	externalId: string | null;
	source: string | null;
	templateId: number | null;
	recipients: SeenRecipient[];
}

/**
 * What polls know. All documents that were seen and were created since `since` are in `open` or `finished`. Older
 * documents are never reported as created.
 */
export interface State {
	/** Whose documents these are: see `Client.account`. */
	account: string;
	/** The teams whose documents the token reaches, by ID. */
	teams: Set<number>;
	/** How far back the next poll reads. */
	since: number;
	/** How far back the poll after that reads, to find what the next one misses. */
	next: number;
	/** By ID; the documents that were read longest ago come first. */
	open: Map<string, OpenDocument>;
	/** Creation dates of documents that are finished or gone, by ID. */
	finished: Map<string, number>;
	/** Finished documents for which an execution waits that could not be reached. */
	unreached: Marked[];
}

/** Tuples, because there may be thousands of them. */
const stateSchema = z.object({
	account: z.string(),
	// An earlier version did not store them.
	teams: z.array(z.number()).catch([]),
	since: z.number(),
	next: z.number(),
	open: z.array(
		z.tuple([
			z.string(),
			z.enum(['DRAFT', 'PENDING']),
			z.number(),
			z.string(),
			z.string(),
			z.string().nullable(),
			z.string().nullable(),
			z.number().nullable(),
			z.array(z.tuple([z.string(), z.number(), z.boolean(), z.boolean(), z.string().nullable()])),
		]),
	),
	finished: z.array(z.tuple([z.string(), z.number()])),
	// An earlier version stored the external IDs alone.
	unreached: z.array(z.object({ id: z.string(), externalId: z.string().nullish() })).catch([]),
});

export function writeState({ teams, open, finished, ...rest }: State): string {
	const state: z.infer<typeof stateSchema> = {
		...rest,
		teams: [...teams],
		open: [...open].map(([id, document]) => [
			id,
			document.status,
			document.createdAt,
			document.secondaryId,
			document.title,
			document.externalId,
			document.source,
			document.templateId,
			document.recipients.map(({ email, id: recipientId, ...seen }) => [
				email,
				recipientId,
				seen.hasOpened,
				seen.hasSigned,
				seen.expiredAt,
			]),
		]),
		finished: [...finished],
	};
	return JSON.stringify(state);
}

/** Undefined if there is no state yet, or if it belongs to another account. */
export function readState(text: unknown, account: string): State | undefined {
	if (typeof text !== 'string') return undefined;
	const { data } = stateSchema.safeParse(jsonParse<unknown>(text, { fallbackValue: null }));
	if (data?.account !== account) return undefined;
	const open = data.open.map(
		([id, status, created, secondaryId, title, externalId, source, templateId, seen]) => {
			const recipients = seen.map(([email, recipientId, hasOpened, hasSigned, expiredAt]) => ({
				...{ email, id: recipientId },
				...{ hasOpened, hasSigned, expiredAt },
			}));
			const about = { secondaryId, title, externalId, source, templateId, recipients };
			return [id, { status, createdAt: created, ...about }] as const;
		},
	);
	const teams = new Set(data.teams);
	return { ...data, teams, open: new Map(open), finished: new Map(data.finished) };
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
		recipients: recipients.map(seenOf),
	};
}

/** What is not stored of recipients. */
const UNKNOWN = { name: '', role: 'SIGNER', sendStatus: 'NOT_SENT' };

/** What is known of a document that is gone, as the API returns documents. */
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
