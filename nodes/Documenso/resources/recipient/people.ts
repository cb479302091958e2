import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import type { Client } from '../../../shared/api/client';
import { envelopeSchema } from '../../../shared/api/envelope';
import {
	acts,
	hasExpired,
	hasRejected,
	hasToAct,
	openRecipients,
	recipientsInTurn,
	serviceTime,
} from '../../../shared/api/lifecycle';
import { parse } from '../../../shared/api/records';
import { logOf, type LogEntry } from '../../envelope/auditLog';
import { withoutMarkers } from '../../../shared/envelope/marker';
import type { Values } from '../../../shared/n8n/input';
import { envelopesById } from '../../../shared/envelope/read';
import { isOwn, samplesOf, teamsOf } from '../../../shared/envelope/teams';
import type { inputs } from './getMany';

const recipientSchema = envelopeSchema.shape.recipients.element
	.pick({ id: true, email: true, name: true, role: true, signingOrder: true, signingStatus: true })
	.extend({
		readStatus: z.string().nullish(),
		// ISO 8601, as they are returned.
		expiresAt: z.string().nullish(),
		signedAt: z.string().nullish(),
		rejectionReason: z.string().nullish(),
	});

const team = z.object({ id: z.number(), url: z.string() }).nullish().catch(null);

const listedSchema = envelopeSchema
	.pick({ id: true, status: true, title: true, externalId: true })
	.extend({ team, createdAt: z.string(), recipients: z.array(recipientSchema) });

type Document = z.infer<typeof listedSchema>;
type Recipient = z.infer<typeof recipientSchema>;

/** A recipient of a document, and what else is known of both. */
interface Person {
	document: Document;
	recipient: Recipient;
	isTurn: boolean;
	signingUrl?: string;
	log?: LogEntry[];
}

/** Which recipients there are to choose from, and the status of the documents in which to look for them. */
export const STATES = {
	hasToAct: { status: 'PENDING', is: hasToAct },
	notOpened: {
		status: 'PENDING',
		is: (recipient: Recipient) => hasToAct(recipient) && recipient.readStatus !== 'OPENED',
	},
	expired: { status: 'PENDING', is: hasExpired },
	rejected: { status: 'REJECTED', is: hasRejected },
	hasActed: {
		status: undefined,
		is: (recipient: Recipient) => acts(recipient) && !hasToAct(recipient),
	},
	all: { status: undefined, is: () => true },
};

/**
 * The recipients that are asked for, of the documents on a page of a list. Takes a request for every 20 documents of which the
 * list does not tell whose turn it is, one until the token's team is known, and one for each document if dates are asked for.
 */
export async function peopleIn(
	records: IDataObject[],
	{ filters, options: chosen, whoseTurn, recipientState }: Values<typeof inputs>,
	client: Client,
): Promise<IDataObject[]> {
	const now = serviceTime(client);
	const { is, status } = STATES[recipientState];
	const matches = (recipient: Recipient) =>
		is(recipient, now) &&
		(!filters.role || recipient.role === filters.role) &&
		(!filters.email || recipient.email.toLowerCase() === filters.email.toLowerCase());
	const documents = records
		.map((record) => parse(listedSchema, record))
		// Nobody has waited for longer than the document exists.
		.filter((document) => daysSince(document.createdAt, now) >= (filters.waitingDays ?? 0))
		// A rejection ends a document for everyone, also before Documenso has finished it.
		.filter(({ recipients }) => status !== 'PENDING' || !recipients.some(hasRejected))
		.filter(({ recipients }) => recipients.some(matches));

	const withLinks = chosen.includeSigningLinks === true;
	const readable = await withDetails(client, documents, withLinks);
	const people = readable.flatMap(({ document, detail }) => {
		const inTurn = recipientsInTurn({ ...document, documentMeta: detail?.documentMeta });
		const isPending = document.status === 'PENDING';
		return document.recipients.filter(matches).map((recipient): Person => {
			const token = detail?.recipients.find(({ id }) => id === recipient.id)?.token;
			const isTurn = isPending && inTurn.includes(recipient);
			return {
				...{ document, recipient, isTurn },
				...(withLinks && token ? { signingUrl: client.signingUrl(token) } : {}),
			};
		});
	});
	const inTurn = people.filter(({ isTurn }) => isTurn || whoseTurn !== true);
	const dated = chosen.addDates === true ? await withLogs(client, inTurn) : inTurn;
	return dated
		.map((person) => recordOf(client, person, now))
		.filter(({ waitingDays }) => {
			const days = typeof waitingDays === 'number' ? waitingDays : 0;
			return days >= (filters.waitingDays ?? 0);
		});
}

const detailSchema = envelopeSchema
	.pick({ id: true, documentMeta: true, recipients: true })
	.extend({ team });

/**
 * The documents that the token can read by ID, with what the list does not tell: whether recipients act one after another, and the
 * links of other users' documents. A document that is not read counts by its team, which a few documents tell.
 */
async function withDetails(client: Client, documents: Document[], withLinks: boolean) {
	const teams = await client.once('teams that the token reaches', () => new Set<number>());
	const isTurnUnclear = (document: Document) =>
		document.status === 'PENDING' && openRecipients(document).length > 1;
	const unclear = documents.filter((document) => withLinks || isTurnUnclear(document));
	const unknown = documents.filter((document) => !isOwn(document, teams));
	const asked = new Set([...unclear.map(({ id }) => id), ...samplesOf(unknown)]);
	const details = await envelopesById(client, asked, detailSchema);
	for (const id of teamsOf(details)) teams.add(id);
	const isReadable = (document: Document) =>
		asked.has(document.id) ? details.has(document.id) : isOwn(document, teams);
	return documents
		.filter(isReadable)
		.map((document) => ({ document, detail: details.get(document.id) }));
}

async function withLogs(client: Client, people: Person[]): Promise<Person[]> {
	const ids = new Set(people.map(({ document }) => document.id));
	const read = await client.each(ids, async (id) => [id, await logOf(client, id)] as const);
	const logs = new Map(read);
	return people.map((person) => ({ ...person, log: logs.get(person.document.id) }));
}

/** Emails that do not ask their recipient to act. */
const COPIES = ['CC', 'DOCUMENT_COMPLETED'];

function datesOf({ recipient, isTurn, log = [] }: Person) {
	const { id } = recipient;
	const own = log.filter(({ data }) => data.recipientId === id);
	const emails = own.filter(
		({ type, data }) => type === 'EMAIL_SENT' && !COPIES.includes(data.emailType ?? ''),
	);
	const [first, ...reminders] = emails.map(({ createdAt }) => createdAt);
	// A document may be passed on without an email, but not to those who still have to wait, or only get a copy.
	const hasIt = isTurn || (acts(recipient) && !hasToAct(recipient));
	const sent = hasIt ? log.find(({ type }) => type === 'DOCUMENT_SENT')?.createdAt : undefined;
	return {
		sentAt: first ?? sent ?? null,
		openedAt: own.find(({ type }) => type === 'DOCUMENT_OPENED')?.createdAt ?? null,
		reminders: reminders.length,
		lastRemindedAt: reminders.at(-1) ?? null,
	};
}

function recordOf(client: Client, person: Person, now: number): IDataObject {
	const { document, recipient, isTurn, signingUrl, log } = person;
	const { id, title, status, externalId, createdAt } = document;
	const { readStatus, expiresAt = null, signingOrder = null, ...rest } = recipient;
	const dates = log && datesOf(person);
	const isWaiting = status === 'PENDING' && openRecipients(document).includes(recipient);
	const since = dates?.sentAt ?? createdAt;
	return {
		...{ ...rest, signingOrder, isTurn, hasOpened: readStatus === 'OPENED', expiresAt },
		...(isWaiting
			? {
					waitingDays: Math.floor(daysSince(since, now)),
					waitingSince: since,
					waitingSinceEvent: dates?.sentAt ? 'sent' : 'documentCreated',
				}
			: { waitingDays: null }),
		...dates,
		...(signingUrl ? { signingUrl } : {}),
		createdAt,
		document: {
			...{ id, title, status, createdAt },
			externalId: withoutMarkers(externalId),
			url: client.documentUrl(document),
		},
	};
}

const DAY_MS = 86_400_000;

function daysSince(date: string, now: number): number {
	return (now - Date.parse(date)) / DAY_MS;
}
