import type { IDataObject } from 'n8n-workflow';

import { PAGE_SIZE, type Client } from '../../shared/api/client';
import { listedEnvelope, type Listed } from '../../shared/api/envelope';
import { orDeleted } from '../../shared/api/failure';
import { Line } from '../../shared/api/line';
import { parse } from '../../shared/api/records';
import { Turns } from '../../shared/api/turns';
import type { N8nProcess } from '../../shared/n8n/process';
import { groupedBy } from '../../shared/n8n/values';
import { foldersSchema } from '../../shared/envelope/folders';
import { envelopesById } from '../../shared/envelope/read';
import { searchPattern } from '../../shared/inputs/filters';
import {
	existingSchema,
	hasExternalId,
	lookUpKey,
	type Existing,
	type ExternalId,
	type NewDocument,
} from './newDocument';

export interface Found<One = Listed> {
	with(wanted: ExternalId): One[];
	/** Also near matches. */
	all: One[];
}

/** Drafts count less than what was sent, and what ended without signatures counts least. */
const WEIGHT: Readonly<Partial<Record<string, number>>> = { DRAFT: 1, REJECTED: 2, CANCELLED: 2 };

/**
 * Which of several documents with one external ID counts comes first: pending and completed ones, then drafts, then
 * rejected and cancelled ones; the oldest first within each. All processes choose the same.
 */
export function inOrderOfWeight<One extends Pick<Listed, 'id' | 'status' | 'createdAt'>>(
	found: One[],
): One[] {
	const weight = ({ status }: One) => WEIGHT[status] ?? 0;
	return [...found].sort(
		(a, b) =>
			weight(a) - weight(b) ||
			Date.parse(a.createdAt) - Date.parse(b.createdAt) ||
			(a.id < b.id ? -1 : 1),
	);
}

/** How old the newest look at a folder may be when a document is created: another process may create one meanwhile. */
const FRESH_MS = 5000;

/** What the items of a run look for in Documenso. What they ask for at the same time is looked for together. */
export class Search {
	private places?: Promise<IDataObject[]>;
	private readonly inFolders = new Map<string | undefined, Batch>();
	private readonly inAll = new Batch(
		async (wanted) => await this.find(wanted, await this.knownPlaces()),
	);
	private readonly arrivals = new Map<string | undefined, Arrivals>();

	constructor(
		private readonly client: Client,
		private readonly process: N8nProcess,
	) {}

	/** The documents with these external IDs, in whatever folder: the service lists one folder at a time. */
	async everywhere(wanted: ExternalId[]): Promise<Found> {
		if (wanted.length === 0) return indexed([]);
		this.places = this.readPlaces();
		const listed = await this.find(wanted, await this.knownPlaces());
		const { client, process } = this;
		const unlisted = wanted.flatMap((one) => {
			const id = process.recent.of(client.account, one.value);
			return id === undefined || listed.with(one).length > 0 ? [] : [id];
		});
		if (unlisted.length === 0) return listed;
		const recent = await envelopesById(client, unlisted, listedEnvelope);
		return indexed([...listed.all, ...recent.values()]);
	}

	private async knownPlaces(): Promise<IDataObject[]> {
		this.places ??= this.readPlaces();
		return await this.places.catch((error: unknown) => {
			// The next one tries again.
			this.places = undefined;
			throw error;
		});
	}

	/** The root and all folders. */
	private async readPlaces(): Promise<IDataObject[]> {
		const listed = await this.client.wholeList('/folder', { type: 'DOCUMENT' });
		const folders = parse(foldersSchema, listed);
		return [{}, ...folders.map(({ id }) => ({ folderId: id }))];
	}

	/** The documents with the external ID of a new one, in whatever folder; the folders are read once. */
	async inAllFolders({ externalId }: NewDocument): Promise<Listed[]> {
		return await this.inAll.find(externalId);
	}

	/** The same in its folder, or in the root. */
	async inItsFolder({ externalId, folderId }: NewDocument): Promise<Listed[]> {
		const batch =
			this.inFolders.get(folderId) ??
			new Batch(async (wanted) => await this.find(wanted, [{ folderId }]));
		this.inFolders.set(folderId, batch);
		return await batch.find(externalId);
	}

	/** From now on, `arrived` knows what comes to the documents' folders after the look that has led to `known`. */
	watch(documents: NewDocument[], known: Listed[]) {
		const ids = new Set(known.map(({ id }) => id));
		const text = commonBeginning(documents.map(({ externalId }) => externalId.search));
		for (const folderId of new Set(documents.map((one) => one.folderId))) {
			const arrivals = new Arrivals(this.client, this.process, query(text, { folderId }), ids);
			this.arrivals.set(folderId, arrivals);
		}
	}

	/** The documents with its external ID that have come to its folder since the look. */
	async arrived({ externalId, folderId }: NewDocument): Promise<Listed[]> {
		return (await this.arrivals.get(folderId)?.find(externalId)) ?? [];
	}

	/** Reads the first document of each list, many in a request. Returns a function that reads any document, these without another request. */
	async readFirst(lists: Listed[][]): Promise<(id: string) => Promise<Existing | undefined>> {
		const { client } = this;
		const ids = lists.flatMap(([first]) => first?.id ?? []);
		const byId = await envelopesById(client, ids, existingSchema);
		return async (id) => byId.get(id) ?? (await readIfThere(client, id));
	}

	/** In each place, one list of all that may be wanted, or a search for each: whichever takes fewer requests. */
	private async find(wanted: ExternalId[], places: IDataObject[]): Promise<Found> {
		const { client } = this;
		const texts = [
			...new Set(wanted.flatMap(({ search, asGiven }) => [search, asGiven ?? search])),
		];
		const inOneList = async (place: IDataObject) => {
			const all = query(commonBeginning(texts), place);
			return await client.wholeList('/envelope', all, texts.length);
		};
		const lists = texts.length > 1 ? await client.each(places, inOneList) : [];
		const longer = places.filter((_, index) => !lists[index]);
		const searches = await client.each(
			longer.flatMap((place) => texts.map((text) => query(text, place))),
			async (one) => await client.wholeList('/envelope', one),
		);
		const records = [...lists, ...searches].flatMap((list) => list ?? []);
		return indexed(await listedAmong(records));
	}
}

/** Documents, to be found by external IDs. */
export function indexed<One extends Pick<Listed, 'id' | 'externalId'>>(
	documents: One[],
): Found<One> {
	const distinct = new Map(documents.map((document) => [document.id, document]));
	const byKey = groupedBy(distinct.values(), ({ externalId }) => lookUpKey(externalId ?? ''));
	return {
		with: (one) => (byKey.get(lookUpKey(one.value)) ?? []).filter((it) => hasExternalId(it, one)),
		all: [...distinct.values()],
	};
}

export async function readIfThere(client: Client, id: string): Promise<Existing | undefined> {
	return await client.envelope(id, existingSchema).catch(orDeleted);
}

async function listedAmong(records: IDataObject[]): Promise<Listed[]> {
	const turns = new Turns();
	const listed: Listed[] = [];
	for (const record of records) {
		listed.push(parse(listedEnvelope, record));
		await turns.next();
	}
	return listed;
}

/** The service has no exact filter: it searches several columns for a text (documenso-api.md: Search). */
function query(text: string, place: IDataObject): IDataObject {
	return { type: 'DOCUMENT', query: searchPattern(text) || undefined, ...place };
}

function commonBeginning([first = '', ...others]: string[]): string {
	let length = first.length;
	for (const other of others) {
		while (!other.startsWith(first.slice(0, length))) length--;
	}
	// Half a character could not be sent.
	return first.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
}

/** Looks once for all IDs that were asked for during the last look. */
class Batch {
	private next?: { wanted: ExternalId[]; found: Promise<Found> };
	private readonly looks = new Line();

	constructor(private readonly look: (wanted: ExternalId[]) => Promise<Found>) {}

	async find(one: ExternalId): Promise<Listed[]> {
		this.next ??= this.begin();
		this.next.wanted.push(one);
		return (await this.next.found).with(one);
	}

	private begin() {
		const wanted: ExternalId[] = [];
		const found = this.looks.next(async () => {
			this.next = undefined;
			return await this.look(wanted);
		});
		return { wanted, found };
	}
}

/** The documents that have come to a folder since a look-up. */
class Arrivals {
	private found = indexed<Listed>([]);
	private underWay?: Promise<void>;
	private lookedAt: number;

	constructor(
		private readonly client: Client,
		private readonly process: N8nProcess,
		private readonly newest: IDataObject,
		/** Documents from before. */
		private readonly known: Set<string>,
	) {
		this.lookedAt = process.uptime();
	}

	async find(wanted: ExternalId): Promise<Listed[]> {
		if (this.process.uptime() - this.lookedAt > FRESH_MS) {
			await (this.underWay ??= this.readNewest().finally(() => (this.underWay = undefined)));
		}
		return this.found.with(wanted);
	}

	/** Reads the newest until one of them is known. */
	private async readNewest() {
		const begunAt = this.process.uptime();
		const newest = { ...this.newest, orderByColumn: 'createdAt', orderByDirection: 'desc' };
		const listed = new Map<string, Listed>();
		for (let count = PAGE_SIZE; ; count *= 2) {
			const records = await listedAmong(await this.client.list('/envelope', newest, count));
			for (const one of records) listed.set(one.id, one);
			if (records.length < count || records.some(({ id }) => this.known.has(id))) break;
		}
		const arrived = [...listed.values()].filter(({ id }) => !this.known.has(id));
		for (const { id } of arrived) this.known.add(id);
		this.found = indexed([...this.found.all, ...arrived]);
		this.lookedAt = begunAt;
	}
}
