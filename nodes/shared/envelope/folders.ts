import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import type { Client } from '../api/client';
import { parse } from '../api/records';
import { withCause } from '../n8n/cause';
import { Refusal } from '../n8n/refusal';
import { listed } from '../n8n/values';

export type EnvelopeType = 'DOCUMENT' | 'TEMPLATE';

const LISTED_FOLDERS = 20;

export const foldersSchema = z.array(z.object({ id: z.string(), name: z.string() }));

/** All folders of a kind, or of both, of every level, read once in an execution. */
export async function allFolders(client: Client, type?: string) {
	return await client.once(`folders of ${type}`, async () =>
		parse(foldersSchema, await client.list('/folder', type === undefined ? {} : { type })),
	);
}

/**
 * Creates a document or template. Where Documenso refuses it, says whether the folder is why: Documenso itself does not
 * say which ID it did not find.
 */
export async function createIn<Created>(
	client: Client,
	{ type, folderId }: { type: EnvelopeType; folderId?: string },
	create: () => Promise<Created>,
): Promise<Created> {
	return await withCause(create, async () => {
		await checkFolder(client, type, folderId, 'Folder ID');
	});
}

/** Refuses the folder in the input with this label if there is none of this kind. */
export async function checkFolder(
	client: Client,
	type: string | undefined,
	id: string | undefined,
	label: string,
) {
	if (id === undefined) return;
	const folders = await allFolders(client, type);
	if (folders.some((folder) => folder.id === id)) return;
	const known = folders.map((one) => `${one.name} (${one.id})`);
	const kind = type === undefined ? 'folder' : `folder of ${type.toLowerCase()}s`;
	throw Refusal.about(
		label,
		`is "${id}", but there is no ${kind} with this ID`,
		`${known.length > 0 ? `The folders are: ${listed(known, LISTED_FOLDERS)}` : 'There are none yet'}. If yours is missing, the credential's token belongs to another team.`,
	);
}

/** A query for the root and one for each folder, because Documenso lists one folder at a time. */
export async function everywhere(client: Client, type: EnvelopeType): Promise<IDataObject[]> {
	const folders = await allFolders(client, type);
	return [{}, ...folders.map(({ id }) => ({ folderId: id }))];
}
