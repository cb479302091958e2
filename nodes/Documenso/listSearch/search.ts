import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { readList, type Listed } from '../envelope/envelope';
import { everywhere, type EnvelopeType } from '../envelope/folders';
import { Client } from '../api/client';

const PAGE_SIZE = 50;

type Search = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

/** Looks in the root first and then in one folder after another, a page at a time. */
export function searchOf(
	types: EnvelopeType[],
	valueOf: (listed: Listed) => string | number = idOf,
): Search {
	return async function (filter, paginationToken = '0:1') {
		const client = await Client.of(this);
		const places = (
			await Promise.all(types.map(async (type) => await placesOf(client, type)))
		).flat();
		let [place = 0, page = 1] = paginationToken.split(':').map(Number);
		for (;;) {
			const query = {
				...places[place],
				page,
				perPage: PAGE_SIZE,
				...(filter ? { query: filter } : {}),
			};
			const body = await client.send({ method: 'GET', path: '/envelope', query });
			const { data, currentPage, totalPages } = readList(body);
			if (currentPage < totalPages) page++;
			else [place, page] = [place + 1, 1];
			const isLast = place >= places.length;
			// An empty folder is passed over: n8n takes an empty page for the end.
			if (data.length === 0 && !isLast) continue;
			return {
				results: data.map((listed) => ({
					name: nameOf(listed, types.length > 1),
					value: valueOf(listed),
				})),
				paginationToken: isLast ? undefined : `${place}:${page}`,
			};
		}
	};
}

async function placesOf(client: Client, type: EnvelopeType): Promise<IDataObject[]> {
	return (await everywhere(client, type)).map((place) => ({ type, ...place }));
}

function idOf({ id }: Listed): string {
	return id;
}

function nameOf({ title, type, status }: Listed, isMixed: boolean): string {
	if (type === 'DOCUMENT') return `${title} (${status.toLowerCase()})`;
	return isMixed ? `${title} (template)` : title;
}
