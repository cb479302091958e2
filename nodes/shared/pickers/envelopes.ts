import type { z } from 'zod';

import { clock } from '../api/clock';
import { HttpClient } from '../api/client';
import { mapConcurrently } from '../api/concurrency';
import { numberIn, pageSchema } from '../api/envelope';
import { allFolders, everywhere, type EnvelopeType } from '../envelope/folders';
import { searchPattern } from '../inputs/filters';
import { matching, picker } from './picker';

const RESULTS_AT_ONCE = 50;

/** After this time, in milliseconds, a search asks for nothing more: a person waits for it. */
const SEARCH_LIMIT_MS = 4000;

type Listed = z.infer<typeof pageSchema>['data'][number];

/**
 * Searches the root first and then one folder after another, a page at a time. Once one has nothing, several are asked
 * at a time.
 */
function searchOf(
	types: EnvelopeType[],
	valueOf: (listed: Listed) => string | number = ({ id }) => id,
) {
	return picker(async (context, filter?: string, paginationToken?: string) => {
		const client = await HttpClient.of(context);
		const byType = await Promise.all(
			types.map(async (type) =>
				(await everywhere(client, type)).map((place) => ({ type, ...place })),
			),
		);
		const places = byType.flat();
		const token = /^(\d{1,9}):(\d{1,9})$/.exec(paginationToken ?? '') ?? [];
		const first = { place: Number(token[1] ?? 0), page: Number(token[2] ?? 1) };
		const read = async ({ place, page }: typeof first) => {
			const query = {
				...places[place],
				page,
				perPage: RESULTS_AT_ONCE,
				...(filter ? { query: searchPattern(filter) } : {}),
			};
			const { data, currentPage, totalPages } = await client.get('/envelope', pageSchema, query);
			const next =
				currentPage < totalPages ? { place, page: page + 1 } : { place: place + 1, page: 1 };
			return { data, next };
		};
		const tokenOf = ({ place, page }: typeof first) =>
			place < places.length ? `${place}:${page}` : undefined;
		const until = clock.now() + SEARCH_LIMIT_MS;
		// Skips what is empty, whatever is counted: after an empty page n8n would stop.
		for (let asked = [first]; ;) {
			const found = await mapConcurrently(asked, () => asked.length, read);
			const filled = found.find(({ data }) => data.length > 0);
			if (filled) {
				const results = filled.data.map((listed) => ({
					name: shownName(listed, types.length > 1),
					value: valueOf(listed),
				}));
				return { results, paginationToken: tokenOf(filled.next) };
			}
			const done = (asked.at(-1)?.place ?? 0) + 1;
			const left = places.length - done;
			if (left <= 0) return { results: [] };
			if (clock.now() > until) {
				const name = `Nothing in ${done} of ${places.length} folders so far. Enter the ID instead.`;
				return { results: [{ name, value: '' }], paginationToken: `${done}:1` };
			}
			asked = Array.from({ length: Math.min(client.limit, left) }, (_, index) => ({
				place: done + index,
				page: 1,
			}));
		}
	});
}

function shownName({ title, type, status }: Listed, isMixed: boolean): string {
	if (type === 'DOCUMENT') return `${title} (${status.toLowerCase()})`;
	return isMixed ? `${title} (template)` : title;
}

export const searchDocuments = searchOf(['DOCUMENT']);
export const searchTemplates = searchOf(['TEMPLATE']);
export const searchEnvelopes = searchOf(['DOCUMENT', 'TEMPLATE']);

/** Templates by their numbers, because events carry only those. */
export const searchTemplateNumbers = searchOf(['TEMPLATE'], ({ secondaryId }) =>
	numberIn(secondaryId),
);

/** A folder holds either documents or templates. */
export const searchFolders = picker(async (context, filter?: string) => {
	const client = await HttpClient.of(context);
	const documents = await allFolders(client, 'DOCUMENT');
	const templates = await allFolders(client, 'TEMPLATE');
	return matching(filter, [
		...documents.map(({ id, name }) => ({ name: `${name} (documents)`, value: id })),
		...templates.map(({ id, name }) => ({ name: `${name} (templates)`, value: id })),
	]);
});
