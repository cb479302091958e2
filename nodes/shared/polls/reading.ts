import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { PAGE_SIZE, type Client } from '../api/client';
import { mapConcurrently } from '../api/concurrency';
import { inBatches, getMany } from '../envelope/read';
import { createdAt, documentSchema, type Document } from './document';

/** Concurrent requests: a poll is in no hurry. */
const CONCURRENCY = 4;
const concurrency = () => CONCURRENCY;

export const batchSchema = z.object({ data: z.array(documentSchema) });
export const pageSchema = batchSchema.extend({ count: z.number(), totalPages: z.number() });

/** Reads documents. With a limit, only so many requests are sent until it may go on. */
export class Reading {
	private waiting: Array<() => void> = [];
	private tellUsedUp: () => void = () => undefined;

	constructor(
		readonly client: Client,
		private left = Infinity,
	) {}

	get isLimited(): boolean {
		return this.left < Infinity;
	}

	/** From now on, nothing waits. */
	goOn() {
		this.left = Infinity;
		for (const begin of this.waiting.splice(0)) begin();
	}

	/** Resolves when a request has to wait. */
	async usedUp(): Promise<void> {
		await new Promise<void>((tell) => (this.tellUsedUp = tell));
	}

	private async turn() {
		if (this.left-- > 0) return;
		this.tellUsedUp();
		await new Promise<void>((begin) => this.waiting.push(begin));
	}

	/** A page of one list, newest first. */
	async page(list: IDataObject, number: number) {
		const query = {
			type: 'DOCUMENT',
			...list,
			page: number,
			perPage: PAGE_SIZE,
			orderByColumn: 'createdAt',
			orderByDirection: 'desc',
		};
		await this.turn();
		return await this.client.get('/envelope', pageSchema, query);
	}

	async firstPages(places: IDataObject[]) {
		return await mapConcurrently(places, concurrency, async (place) => {
			const { data, totalPages } = await this.page(place, 1);
			return { place, data, isWhole: totalPages <= 1 };
		});
	}

	/**
	 * What the lists contain, by ID. Reads each page by page, down to the first with a document from before `since`. The
	 * client's own loop over pages cannot stop there, and does not return to earlier pages when documents leave the list.
	 */
	async lists(lists: IDataObject[], since = 0): Promise<Map<string, Document>> {
		const found = new Map<string, Document>();
		await mapConcurrently(lists, concurrency, async (list) => {
			let count = 0;
			for (let number = 1; ;) {
				const { data, totalPages, ...now } = await this.page(list, number);
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
	async open(places: IDataObject[]) {
		// One after the other: a draft that is sent meanwhile comes onto the second list.
		const drafts = await this.lists(withStatus('DRAFT', places));
		const pending = await this.lists(withStatus('PENDING', places));
		return new Map([...drafts, ...pending]);
	}

	/**
	 * The documents as they are now, by ID; undefined for one that is gone. Once the time is up, only the first few batches
	 * are read, and the others are left out.
	 */
	async byIds(ids: string[], isTimeUp = () => false): Promise<Map<string, Document | undefined>> {
		const batches = inBatches(ids).entries();
		const read = await mapConcurrently(batches, concurrency, async ([index, batch]) => {
			if (index >= CONCURRENCY && isTimeUp()) return [];
			await this.turn();
			const { data } = await this.client.send(getMany('envelopeId', batch), batchSchema);
			const found = new Map(data.map((document) => [document.id, document]));
			return batch.map((id) => [id, found.get(id)] as const);
		});
		return new Map(read.flat());
	}
}

export function withStatus(status: string, places: IDataObject[]): IDataObject[] {
	return places.map((place) => ({ ...place, status }));
}
