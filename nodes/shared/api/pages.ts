import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { mapConcurrently } from './concurrency';
import { incompleteListFailure } from './failure';
import { dataOf, parse, type Schema } from './records';

const numbers = z.object({
	totalPages: z.number().optional(),
	count: z.number().optional(),
	totalItems: z.number().optional(),
});

/** For templates, the API's description nests these numbers in an object; Documenso does not. */
const extentSchema: Schema<{ totalPages: number; count?: number }> = numbers
	.extend({ pagination: numbers.optional() })
	.transform(({ totalPages, count, pagination }) => ({
		totalPages: totalPages ?? pagination?.totalPages,
		count: count ?? pagination?.totalItems,
	}))
	.pipe(z.object({ totalPages: z.number(), count: z.number().optional() }));

/** A page as it was when it was read. */
interface Page {
	number: number;
	/** Those of its records that are kept. */
	items: IDataObject[];
	isEmpty: boolean;
	/** Whether nothing that is wanted comes after it. */
	isEnd: boolean;
	totalPages: number;
	/** How many records there were on all pages, if Documenso told it. */
	told?: number;
	/** The same; otherwise at most so many. */
	count: number;
}

/** Which records of a list to return. */
export interface Selection {
	wanted?: number;
	/** Those of a page's records that are wanted, or what is wanted of each. The others take no memory. */
	keep?: (records: IDataObject[]) => IDataObject[] | Promise<IDataObject[]>;
	/** Whether nothing that is wanted comes after a page with these records. */
	isLast?: (records: IDataObject[]) => boolean;
}

/** A list that is cut into pages by offset. */
interface PagedList extends Selection {
	wanted: number;
	perPage: number;
	/** How many pages may be read at once. */
	limit: () => number;
	read(page: number): Promise<IDataObject>;
}

/**
 * Reads as many records of a list as are wanted. The first page tells how many pages there are; the others are read
 * concurrently. Documenso lists new records first, so a record that is created meanwhile pushes the others onto later
 * pages: some records come twice, and some move to a page that was read before, or to a new one. That page is read
 * last.
 */
export async function readPages(list: PagedList): Promise<IDataObject[]> {
	return inOrder(await readAfter(await readPage(list, 1), list));
}

/** How often a list is read, as long as it has fewer records than Documenso counts. */
const READINGS = 3;

/**
 * The same for a whole list on which something must not be missed. The count changes while others create and delete, so
 * the smallest one that was told has to be reached. Undefined if the list has more than `maxPages` pages.
 */
export async function readWholeList(
	list: PagedList,
	maxPages = Infinity,
): Promise<IDataObject[] | undefined> {
	for (let reading = 1; ; reading++) {
		const first = await readPage(list, 1);
		if (first.totalPages > maxPages) return undefined;
		const pages = await readAfter(first, list);
		const records = inOrder(pages);
		const counts = pages.flatMap(({ told }) => told ?? []);
		const least = Math.min(...counts);
		if (counts.length === 0 || records.length >= least) return records;
		if (reading === READINGS) throw incompleteListFailure(records.length, least);
	}
}

/** The first page and those after it. */
async function readAfter(first: Page, list: PagedList): Promise<Page[]> {
	// How many pages have as many records as are wanted is known only if all of them are.
	const wanted = list.keep ? Infinity : list.wanted;
	const last = Math.min(first.totalPages, Math.ceil(wanted / list.perPage));
	let isEnd = first.isEnd;
	let kept = first.items.length;
	const others = function* () {
		for (let number = 2; number <= last && !isEnd && kept < list.wanted; number++) yield number;
	};
	const rest = await mapConcurrently(others(), list.limit, async (number) => {
		const page = await readPage(list, number);
		isEnd ||= page.isEnd;
		kept += page.items.length;
		return page;
	});
	const pages = [first, ...rest];
	const reached = Math.min(wanted, pages.length * list.perPage);
	// Limited, because the counts may never agree.
	for (let more = pages.length; more > 0; more--) {
		const number = missedPage(pages, list.perPage, reached);
		if (number === undefined) break;
		pages.push(await readPage(list, number));
	}
	return pages;
}

async function readPage(list: PagedList, number: number): Promise<Page> {
	const answer = await list.read(number);
	const { totalPages, count: told } = parse(extentSchema, answer);
	const records = dataOf(answer);
	const isEmpty = records.length === 0;
	return {
		number,
		items: list.keep ? await list.keep(records) : records,
		isEmpty,
		isEnd: isEmpty || (list.isLast?.(records) ?? false),
		totalPages,
		told,
		count: told ?? totalPages * list.perPage,
	};
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

/** In the order of the list: on a page that is read again, the records that have moved onto it come first. */
function inOrder(pages: Page[]): IDataObject[] {
	const sorted = [...pages].sort((a, b) => a.number - b.number || b.count - a.count);
	return distinct(sorted.flatMap(({ items }) => items));
}

/**
 * The page to read next, because it now holds a record that was on no page when that page was read. New records do
 * not change a record's place counted from the end of the list, so the pages must leave no gap between these places.
 */
function missedPage(pages: Page[], perPage: number, wanted: number): number | undefined {
	const before = pages[0]?.count ?? 0;
	const now = pages.at(-1)?.count ?? 0;
	const read = pages
		.map(({ number, isEmpty, count }) => {
			const from = count - (number - 1) * perPage;
			// An empty page is the end, whatever is counted.
			return { from, to: isEmpty ? -Infinity : from - perPage };
		})
		.sort((a, b) => b.from - a.from);
	let place = Math.min(before, now);
	for (const { from, to } of read) {
		if (from < place) break;
		place = Math.min(place, to);
	}
	return place > Math.max(before - wanted, 0) ? Math.floor((now - place) / perPage) + 1 : undefined;
}
