import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import type { Client } from '../api/client';
import { envelopeSchema } from '../api/envelope';
import { orDeleted } from '../api/failure';
import { hasExpired, serviceTime } from '../api/lifecycle';
import { dataOf, parse } from '../api/records';
import { getMany, inBatches } from '../envelope/read';
import type { Part } from '../inputs/waiting';

export const waitSchema = z.object({
	/** The client's, which sees these documents. Executions that began to wait before have none. */
	account: z.string().optional(),
	documents: z.array(z.object({ item: z.number(), id: z.string() })),
	/** What is returned for the items that have no document, because they failed. */
	others: z.array(z.object({ item: z.number(), json: z.custom<IDataObject>() })),
	/** Whether its marker may still be written to a document, because an answer was lost. */
	isDoubtful: z.boolean().optional(),
	isTest: z.boolean().optional(),
	endsOnExpiry: z.boolean(),
	parts: z.array(z.custom<Part>()),
});

/** What a waiting execution keeps in n8n's node context, which n8n saves with the execution. */
export type Wait = z.infer<typeof waitSchema>;

export type WaitedFor = Wait['documents'][number];

export interface Document {
	record: IDataObject;
	envelope: z.infer<typeof waitedFor>;
}

const waitedFor = envelopeSchema.pick({
	...{ id: true, status: true, title: true, externalId: true, team: true, recipients: true },
});

/** By ID. One that is missing has been deleted. */
export type Documents = ReadonlyMap<string, Document>;

/** A copy of Documenso's database may lag behind: after so long it is read again, in milliseconds. */
export const LAGS_MS = [1_000, 2_000];

/** All documents that are waited for. They were sent a moment ago, so one that is missing is looked for again. */
export async function readDocuments(client: Client, wait: Wait): Promise<Documents> {
	const ids = idsIn(wait);
	const read = new Map<string, Document>();
	for (const lag of [0, ...LAGS_MS]) {
		const missing = ids.filter((id) => !read.has(id));
		if (missing.length === 0) break;
		await client.wait(lag);
		const each = async (batch: string[]) => await readBatch(client, batch);
		const batches = await client.each(inBatches(missing), each);
		for (const [id, document] of batches.flatMap((found) => [...found])) read.set(id, document);
	}
	return read;
}

/**
 * The same until one is found for which the wait goes on, because each event of each document asks this; and whether it is
 * over for all.
 */
export async function readUntilOpen(client: Client, wait: Wait) {
	const read = new Map<string, Document>();
	for (const batch of inBatches(idsIn(wait))) {
		for (const [id, document] of await readBatch(client, batch)) read.set(id, document);
		if (batch.some((id) => !outcomeIn(client, wait, read, id))) return { read, isOver: false };
	}
	return { read, isOver: true };
}

function idsIn({ documents }: Wait): string[] {
	return [...new Set(documents.map(({ id }) => id))];
}

async function readBatch(client: Client, ids: string[]): Promise<Documents> {
	const records = dataOf(await client.send(getMany('envelopeId', ids)));
	const found = new Map(records.map(documentIn).map((one) => [one.envelope.id, one]));
	// Only a read by ID tells a deleted document from one that a list leaves out.
	for (const id of ids.filter((one) => !found.has(one))) {
		const record = await client.envelope(id).catch(orDeleted);
		if (record) found.set(id, documentIn(record));
	}
	return found;
}

function documentIn(record: IDataObject): Document {
	return { record, envelope: parse(waitedFor, record) };
}

export type WaitOutcome =
	'completed' | 'rejected' | 'cancelled' | 'deleted' | 'expired' | 'timeLimit';

const FINAL: ReadonlyMap<string, WaitOutcome> = new Map([
	['COMPLETED', 'completed'],
	['REJECTED', 'rejected'],
	['CANCELLED', 'cancelled'],
]);

/** Undefined while somebody may still act. */
function outcomeIn(
	client: Client,
	{ endsOnExpiry }: Wait,
	read: Documents,
	id: string,
): WaitOutcome | undefined {
	const envelope = read.get(id)?.envelope;
	if (!envelope) return 'deleted';
	const now = serviceTime(client);
	const isExpired = envelope.recipients.some((recipient) => hasExpired(recipient, now));
	return FINAL.get(envelope.status) ?? (endsOnExpiry && isExpired ? 'expired' : undefined);
}

/** The same of each document, by its ID. */
export function outcomesOf(client: Client, wait: Wait, read: Documents) {
	return new Map(wait.documents.map(({ id }) => [id, outcomeIn(client, wait, read, id)] as const));
}

/** Those without an outcome that exist. */
export function openAmong(read: Documents, outcomes: ReadonlyMap<string, unknown>): Document[] {
	return [...outcomes].flatMap(([id, outcome]) => (outcome ? [] : (read.get(id) ?? [])));
}
