import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { allFolders } from '../envelope/folders';
import { Client } from '../api/client';
import { matching } from './parts';

/** Folders of documents and of templates: a folder holds only one of the two. */
export async function searchFolders(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const client = await Client.of(this);
	const documents = await allFolders(client, 'DOCUMENT');
	const templates = await allFolders(client, 'TEMPLATE');
	return matching(filter, [
		...documents.map(({ id, name }) => ({ name: `${name} (documents)`, value: id })),
		...templates.map(({ id, name }) => ({ name: `${name} (templates)`, value: id })),
	]);
}
