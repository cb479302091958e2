import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { readList } from '../envelope/envelope';
import { Client } from '../transport/client';

const PAGE_SIZE = 50;

async function search(
	context: ILoadOptionsFunctions,
	type: 'DOCUMENT' | 'TEMPLATE',
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const client = await Client.of(context);
	const query: IDataObject = { type, page: Number(paginationToken ?? 1), perPage: PAGE_SIZE };
	if (filter) query.query = filter;
	const body = await client.send({ method: 'GET', path: '/envelope', query });
	const { data, currentPage, totalPages } = readList(body);
	return {
		results: data.map(({ id, title, status }) => ({
			name: type === 'DOCUMENT' ? `${title} (${status.toLowerCase()})` : title,
			value: id,
		})),
		paginationToken: currentPage < totalPages ? String(currentPage + 1) : undefined,
	};
}

export async function searchDocuments(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	return await search(this, 'DOCUMENT', filter, paginationToken);
}

export async function searchTemplates(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	return await search(this, 'TEMPLATE', filter, paginationToken);
}
