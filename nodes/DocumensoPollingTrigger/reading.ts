import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { getMany } from '../Documenso/envelope/read';
import type { Client } from '../Documenso/api/client';
import { mapConcurrently } from '../Documenso/api/concurrency';
import { createdAt, documentSchema, type Document } from './document';

/** The most that the service lists on a page, and that get-many takes. */
const PAGE_SIZE = 100;
const BATCH_SIZE = 20;
/** Requests under way at once: a poll is in no hurry. */
const CONCURRENCY = 4;

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
	return client.parse(pageSchema, await client.send({ method: 'GET', path: '/envelope', query }));
}

/** The newest documents of one list, a page of them. */
export async function listSome(client: Client, list: IDataObject): Promise<Document[]> {
	return (await page(client, list, 1, PAGE_SIZE)).data;
}

/** The newest document of each list. */
export async function firstOf(client: Client, lists: IDataObject[]): Promise<Document[]> {
	const pages = await mapConcurrently(
		lists,
		() => CONCURRENCY,
		async (list) => await page(client, list, 1, 1),
	);
	return pages.flatMap(({ data }) => data);
}

/** By ID, what the lists hold: pages of each, down to the first with a document from before `since`. */
export async function listed(
	client: Client,
	lists: IDataObject[],
	since = 0,
): Promise<Map<string, Document>> {
	const found = new Map<string, Document>();
	const atOnce = () => CONCURRENCY;
	await mapConcurrently(lists, atOnce, async (list) => {
		let count = 0;
		for (let number = 1; ;) {
			const { data, totalPages, ...now } = await page(client, list, number, PAGE_SIZE);
			for (const document of data) found.set(document.id, document);
			const gone = count - now.count;
			count = now.count;
			if (gone > 0) {
				// What left the list meanwhile has drawn as many of the next ones onto pages read before.
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

/** All that something can still happen to. */
export async function listedOpen(client: Client, places: IDataObject[]) {
	return await listed(client, [...withStatus('DRAFT', places), ...withStatus('PENDING', places)]);
}

export function withStatus(status: string, places: IDataObject[]): IDataObject[] {
	return places.map((place) => ({ ...place, status }));
}

/** What reading `listedOpen` or else each by its ID takes, in requests. */
export function isListingCheaper(documents: number, places: number): boolean {
	return 2 * places + documents / PAGE_SIZE < documents / BATCH_SIZE;
}

/**
 * By ID, the documents as they are now; nothing where one is gone. Once the time is up nothing more than the
 * first few is read, and the others are missing.
 */
export async function readAll(
	client: Client,
	ids: string[],
	isTimeUp: () => boolean,
): Promise<Map<string, Document | undefined>> {
	const batches = Array.from({ length: Math.ceil(ids.length / BATCH_SIZE) }, (_, index) =>
		ids.slice(index * BATCH_SIZE, (index + 1) * BATCH_SIZE),
	);
	const read = await mapConcurrently(
		[...batches.entries()],
		() => CONCURRENCY,
		async ([index, batch]) => {
			if (index >= CONCURRENCY && isTimeUp()) return [];
			const { data } = client.parse(batchSchema, await client.send(getMany('envelopeId', batch)));
			const byId = new Map(data.map((document) => [document.id, document]));
			return batch.map((id) => [id, byId.get(id)] as const);
		},
	);
	return new Map(read.flat());
}
