import { z } from 'zod';

import type { Client } from '../api/client';
import { path } from '../api/path';
import { parse } from '../api/records';

const changeSchema = z.array(
	z.object({
		type: z.literal('DOCUMENT_EXTERNAL_ID_UPDATED'),
		data: z.object({ from: z.string().nullish(), to: z.string().nullish() }),
	}),
);

/** The external IDs that updates have replaced, the last one first: a document's audit log has them all. */
export async function externalIdsBefore(client: Client, id: string): Promise<string[]> {
	const entries = await client.list(path`/envelope/${id}/audit-log`, {
		orderByColumn: 'createdAt',
		orderByDirection: 'desc',
	});
	const changes = entries.filter(({ type }) => type === 'DOCUMENT_EXTERNAL_ID_UPDATED');
	return parse(changeSchema, changes).flatMap(({ data }) => data.from ?? []);
}
