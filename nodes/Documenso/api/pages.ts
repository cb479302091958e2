import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { mapConcurrently } from './concurrency';
import type { Schema } from './records';

const numbers = z.object({
	totalPages: z.number().optional(),
	count: z.number().optional(),
	totalItems: z.number().optional(),
});

/** How long a list is: how many pages, and records on all of them where the service tells. */
export interface Extent {
	pages: number;
	count?: number;
}

/** The commissioned description has these numbers in an object of their own, the service does not. */
export const extentSchema: Schema<Extent> = numbers
	.extend({ pagination: numbers.optional() })
	.transform(({ totalPages, count, pagination }) => ({
		pages: totalPages ?? pagination?.totalPages,
		count: count ?? pagination?.totalItems,
	}))
	.pipe(z.object({ pages: z.number(), count: z.number().optional() }));

/** A page as it was at one moment. */
interface Page {
	number: number;
	items: IDataObject[];
	/** How many pages there were then. */
	pages: number;
	/** How many records there were on all of them. */
	count: number;
}

/** A list that is cut into pages by offset. */
interface PagedList {
	/** The most on a page. */
	perPage: number;
	/** How many records are wanted. */
	wanted: number;
	/** Pages that are read at once. */
	limit: () => number;
	read(page: number): Promise<Page>;
}

/**
 * Reads a list until as many records are there as are wanted. The first page tells how many there are, and the
 * others are read side by side. Records created meanwhile push the others onto later pages: some come twice, and
 * some move to a page that was read before, or that is new. That page is then read.
 */
export async function readPages(list: PagedList): Promise<IDataObject[]> {
	const first = await list.read(1);
	const last = Math.min(first.pages, Math.ceil(list.wanted / list.perPage));
	let hasMore = first.items.length > 0;
	const others = function* () {
		for (let number = 2; number <= last && hasMore; number++) yield number;
	};
	const rest = await mapConcurrently(others(), list.limit, async (number) => {
		const page = await list.read(number);
		if (page.items.length === 0) hasMore = false;
		return page;
	});
	const pages = [first, ...rest];
	// Counts that never agree must not be followed for ever.
	for (let more = pages.length; more > 0; more--) {
		const number = missedPage(pages, list);
		if (number === undefined) break;
		pages.push(await list.read(number));
	}
	return inOrder(pages);
}

/** Each record once. Records without an ID are all kept. */
export function distinct(records: IDataObject[]): IDataObject[] {
	const seen = new Set<unknown>();
	return records.filter(({ id }) => {
		if (id === undefined || id === null) return true;
		const isNew = !seen.has(id);
		seen.add(id);
		return isNew;
	});
}

/** In the order of the list: on a page that is read again, what has moved onto it comes first. */
function inOrder(pages: Page[]): IDataObject[] {
	const sorted = [...pages].sort((a, b) => a.number - b.number || b.count - a.count);
	return distinct(sorted.flatMap(({ items }) => items));
}

/**
 * The page that now holds a record which was on none when it was read. Counted from the end of the list, a record
 * keeps its place whatever is created; so the pages have to join one another in these places.
 */
function missedPage(pages: Page[], { perPage, wanted }: PagedList): number | undefined {
	const before = pages[0]?.count ?? 0;
	const now = pages.at(-1)?.count ?? 0;
	const read = pages
		.map(({ number, items, count }) => {
			const from = count - (number - 1) * perPage;
			// An empty page is the end, whatever is counted.
			return { from, to: items.length > 0 ? from - perPage : -Infinity };
		})
		.sort((a, b) => b.from - a.from);
	let place = Math.min(before, now);
	for (const { from, to } of read) {
		if (from < place) break;
		place = Math.min(place, to);
	}
	return place > Math.max(before - wanted, 0) ? Math.floor((now - place) / perPage) + 1 : undefined;
}
