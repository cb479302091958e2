import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { PAGE_SIZE, type Client } from '../Documenso/api/client';
import { mapConcurrently } from '../Documenso/api/concurrency';
import { BATCH_SIZE, inBatches, getMany } from '../Documenso/envelope/read';
import { createdAt, documentSchema, type Document } from './document';

/** Concurrent requests: a poll is in no hurry. */
const CONCURRENCY = 4;
const concurrency = () => CONCURRENCY;

const batchSchema = z.object({ data: z.array(documentSchema) });
const pageSchema = batchSchema.extend({ count: z.number(), totalPages: z.number() });

/** A page of one list, newest first. */
async function page(client: Client, list: IDataObject, number: number, size: number) {
	const query = {
		type: 'DOCUMENT',
		...list,
		page: number,
		perPage: size,
		orderByColumn: 'createdAt',
		orderByDirection: 'desc',
	};
	return await client.get('/envelope', pageSchema, query);
}

/** One page of the newest documents of a list. */
export async function listSome(client: Client, list: IDataObject): Promise<Document[]> {
	return (await page(client, list, 1, PAGE_SIZE)).data;
}

/** The newest document of each list. */
export async function firstOf(client: Client, lists: IDataObject[]): Promise<Document[]> {
	const newest = async (list: IDataObject) => (await page(client, list, 1, 1)).data;
	return (await mapConcurrently(lists, concurrency, newest)).flat();
}

/**
 * What the lists contain, by ID. Reads each page by page, down to the first with a document from before `since`. The
 * client's own loop over pages cannot stop there, and does not return to earlier pages when documents leave the list.
 */
export async function readLists(
	client: Client,
	lists: IDataObject[],
	since = 0,
): Promise<Map<string, Document>> {
	const found = new Map<string, Document>();
	await mapConcurrently(lists, concurrency, async (list) => {
		let count = 0;
		for (let number = 1; ;) {
			const { data, totalPages, ...now } = await page(client, list, number, PAGE_SIZE);
			for (const document of data) found.set(document.id, document);
			const gone = count - now.count;
			count = now.count;
			if (gone > 0) {
				// When documents leave the list, as many others move up to pages that were already read.
				number = Math.max(1, number - Math.ceil(gone / PAGE_SIZE));
			} else if (number >= totalPages || data.some((document) => createdAt(document) < since)) {
				return;
			} else {
				number++;
			}
		}
	});
	return found;
}

/** The documents to which something can still happen. */
export async function readOpen(client: Client, places: IDataObject[]) {
	return await readLists(client, [
		...withStatus('DRAFT', places),
		...withStatus('PENDING', places),
	]);
}

export function withStatus(status: string, places: IDataObject[]): IDataObject[] {
	return places.map((place) => ({ ...place, status }));
}

/** Whether `readOpen` takes fewer requests than reading documents by ID. */
export function isListingCheaper(documents: number, places: number): boolean {
	return 2 * places + documents / PAGE_SIZE < documents / BATCH_SIZE;
}

/**
 * The documents as they are now, by ID; undefined for one that is gone. Once the time is up, only the first few batches
 * are read, and the others are left out.
 */
export async function readByIds(
	client: Client,
	ids: string[],
	isTimeUp = () => false,
): Promise<Map<string, Document | undefined>> {
	const read = await mapConcurrently(
		inBatches(ids).entries(),
		concurrency,
		async ([index, batch]) => {
			if (index >= CONCURRENCY && isTimeUp()) return [];
			const { data } = await client.send(getMany('envelopeId', batch), batchSchema);
			const byId = new Map(data.map((document) => [document.id, document]));
			return batch.map((id) => [id, byId.get(id)] as const);
		},
	);
	return new Map(read.flat());
}
