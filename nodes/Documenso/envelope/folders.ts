import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import type { Client } from '../api/client';

export type EnvelopeType = 'DOCUMENT' | 'TEMPLATE';

const PAGE_SIZE = 100;

const foldersSchema = z.object({
	data: z.array(z.object({ id: z.string(), name: z.string() })),
	totalPages: z.number(),
});

export type Folder = z.infer<typeof foldersSchema>['data'][number];

/** All folders of a kind, of every level; read once an execution. */
export async function allFolders(client: Client, type: EnvelopeType): Promise<Folder[]> {
	const folders: Folder[] = [];
	for (let page = 1, pages = 1; page <= pages; page++) {
		const query: IDataObject = { type, page, perPage: PAGE_SIZE };
		const { data, totalPages } = foldersSchema.parse(
			await client.read({ method: 'GET', path: '/folder', query }),
		);
		folders.push(...data);
		pages = totalPages;
	}
	return folders;
}

/** The queries of all lists that together hold every document or template: the service lists one folder at a time. */
export async function everywhere(client: Client, type: EnvelopeType): Promise<IDataObject[]> {
	const folders = await allFolders(client, type);
	return [{}, ...folders.map(({ id }) => ({ folderId: id }))];
}
