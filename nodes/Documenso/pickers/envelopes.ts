import { HttpClient } from '../api/client';
import type { z } from 'zod';

import { numberIn, pageSchema } from '../api/envelope';
import { allFolders, everywhere, type EnvelopeType } from '../envelope/folders';
import { matching, picker } from './picker';

const RESULTS_AT_ONCE = 50;

type Listed = z.infer<typeof pageSchema>['data'][number];

/** Searches the root first and then one folder after another, a page at a time. */
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
		let [place, page] = [Number(token[1] ?? 0), Number(token[2] ?? 1)];
		for (;;) {
			const query = {
				...places[place],
				page,
				perPage: RESULTS_AT_ONCE,
				...(filter ? { query: filter } : {}),
			};
			const { data, currentPage, totalPages } = await client.get('/envelope', pageSchema, query);
			// An empty page is the end, whatever is counted.
			if (currentPage < totalPages && data.length > 0) page++;
			else [place, page] = [place + 1, 1];
			const isLast = place >= places.length;
			// Skips an empty folder: after an empty page n8n would stop.
			if (data.length === 0 && !isLast) continue;
			return {
				results: data.map((listed) => ({
					name: shownName(listed, types.length > 1),
					value: valueOf(listed),
				})),
				paginationToken: isLast ? undefined : `${place}:${page}`,
			};
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
