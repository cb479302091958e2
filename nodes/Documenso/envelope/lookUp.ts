import type { IDataObject } from 'n8n-workflow';

import { PAGE_SIZE, type Client } from '../api/client';
import { mapConcurrently } from '../api/concurrency';
import { listedSchema, type Listed } from '../api/envelope';
import { parse } from '../api/records';
import { CLOCK_TOLERANCE_MS } from './distribute';
import { hasExternalId, keyOf, type ExternalId } from './externalId';
import { everywhere } from './folders';

export interface Found {
	/** The documents with an external ID, newest first in each folder. */
	with(wanted: ExternalId): Listed[];
	/** Those and what else the search led to. */
	all: Listed[];
}

/** The documents with these external IDs, in whatever folder. */
export async function findEverywhere(client: Client, wanted: ExternalId[]): Promise<Found> {
	return await findIn(client, wanted, await everywhere(client, 'DOCUMENT'));
}

/**
 * The documents with an external ID in one folder, or in the root. What other items look for at the same time is
 * looked for together.
 */
export async function findInFolder(
	client: Client,
	wanted: ExternalId,
	folderId?: string,
): Promise<Listed[]> {
	const batch = await client.once(
		`look-ups in ${folderId}`,
		() => new Batch<ExternalId, Found>(async (all) => await findIn(client, all, [{ folderId }])),
	);
	return (await batch.load(wanted)).with(wanted);
}

async function findIn(client: Client, wanted: ExternalId[], places: IDataObject[]): Promise<Found> {
	const all = await mapConcurrently(
		wanted.length > 0 ? places : [],
		() => client.limit,
		async (place) => await candidatesIn(client, wanted, place),
	);
	const byKey = new Map<string, Listed[]>();
	for (const document of all.flat()) {
		const key = keyOf(document.externalId ?? '');
		const others = byKey.get(key);
		if (others) others.push(document);
		else byKey.set(key, [document]);
	}
	return {
		with: (one) => (byKey.get(keyOf(one.value)) ?? []).filter((it) => hasExternalId(it, one)),
		all: all.flat(),
	};
}

/** One list of all that may be wanted, or a search for each: whichever takes fewer requests. */
async function candidatesIn(client: Client, wanted: ExternalId[], place: IDataObject) {
	const texts = [...new Set(wanted.map(({ search }) => search))];
	const together =
		texts.length > 1
			? await client.shortList('/envelope', query(beginningOf(texts), place), texts.length)
			: undefined;
	if (together) return parse(listedSchema, together);
	const searches = texts.map((text) => query(text, place));
	return parse(listedSchema, await client.lists('/envelope', searches));
}

/** The service has no exact filter: it searches several columns for a text (documenso-api.md: Search). */
function query(text: string, place: IDataObject): IDataObject {
	// A backslash is an escape there.
	return { type: 'DOCUMENT', query: text.replaceAll('\\', '\\\\') || undefined, ...place };
}

function beginningOf([first = '', ...others]: string[]): string {
	let length = first.length;
	for (const other of others) {
		while (!other.startsWith(first.slice(0, length))) length--;
	}
	// Half a character could not be sent.
	return first.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
}

/** Asks once for all that was asked for while the last request was under way. */
class Batch<Key, Answer> {
	private next?: { keys: Key[]; answer: Promise<Answer> };
	private last: Promise<unknown> = Promise.resolve();

	constructor(private readonly ask: (keys: Key[]) => Promise<Answer>) {}

	async load(key: Key): Promise<Answer> {
		this.next ??= this.begin();
		this.next.keys.push(key);
		return await this.next.answer;
	}

	private begin() {
		const keys: Key[] = [];
		const answer = this.last.then(async () => {
			this.next = undefined;
			return await this.ask(keys);
		});
		this.last = answer.catch(() => undefined);
		return { keys, answer };
	}
}

/** How old a look-up may be when a document is created: another process may create one meanwhile. */
const FRESH_MS = 5000;

/** The documents that have come to a folder, or to the root, since a look-up. All items of an execution share it. */
export class Arrivals {
	private readonly byKey = new Map<string, Listed>();
	private underWay?: Promise<void>;

	constructor(
		private readonly client: Client,
		private readonly wanted: ExternalId[],
		private readonly folderId: string | undefined,
		/** When the look-up began, in milliseconds since the epoch. */
		private lookedAt: number,
	) {}

	async find(wanted: ExternalId): Promise<Listed | undefined> {
		if (Date.now() - this.lookedAt > FRESH_MS) {
			await (this.underWay ??= this.look().finally(() => (this.underWay = undefined)));
		}
		const found = this.byKey.get(keyOf(wanted.value));
		return found && hasExternalId(found, wanted) ? found : undefined;
	}

	private async look() {
		const { client } = this;
		const begunAt = Date.now();
		const since = this.lookedAt + client.clockSkew - CLOCK_TOLERANCE_MS;
		const newest = {
			...query(beginningOf(this.wanted.map(({ search }) => search)), { folderId: this.folderId }),
			orderByColumn: 'createdAt',
			orderByDirection: 'desc',
		};
		const isOld = ({ createdAt }: Listed) => Date.parse(createdAt) < since;
		for (let count = PAGE_SIZE; ; count *= 2) {
			const listed = parse(listedSchema, await client.list('/envelope', newest, count));
			for (const one of listed) this.byKey.set(keyOf(one.externalId ?? ''), one);
			if (listed.length < count || listed.some(isOld)) break;
		}
		this.lookedAt = begunAt;
	}
}
