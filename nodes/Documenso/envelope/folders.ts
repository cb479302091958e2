import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import type { Client } from '../api/client';
import { parse } from '../api/records';

export type EnvelopeType = 'DOCUMENT' | 'TEMPLATE';

const foldersSchema = z.array(z.object({ id: z.string(), name: z.string() }));

/** All folders of a kind, of every level, read once in an execution. */
export async function allFolders(client: Client, type: EnvelopeType) {
	return await client.once(`folders of ${type}`, async () =>
		parse(foldersSchema, await client.list('/folder', { type })),
	);
}

/** A query for the root and one for each folder, because the service lists one folder at a time. */
export async function everywhere(client: Client, type: EnvelopeType): Promise<IDataObject[]> {
	const folders = await allFolders(client, type);
	return [{}, ...folders.map(({ id }) => ({ folderId: id }))];
}
