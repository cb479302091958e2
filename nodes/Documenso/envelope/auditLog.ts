import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import type { Client } from '../../shared/api/client';
import { path } from '../../shared/api/path';
import { parse } from '../../shared/api/records';

/** What the node reads of an entry (documenso-api.md: Audit log). */
const entrySchema = z.object({
	type: z.string(),
	createdAt: z.string(),
	name: z.string().nullish(),
	email: z.string().nullish(),
	data: z
		.object({
			...{ recipientId: z.number(), emailType: z.string(), reason: z.string() },
			fieldId: z.coerce.string(),
			/** The type of a field, alone or with its value. */
			field: z
				.union([z.string(), z.object({ type: z.string() }).transform(({ type }) => type)])
				.optional()
				.catch(undefined),
		})
		.partial()
		.catch({}),
});

export type LogEntry = z.infer<typeof entrySchema>;

/** All that happened to a document, the oldest first: a request for each 100 entries. */
export async function auditLogOf(client: Client, id: string): Promise<IDataObject[]> {
	const query = { orderByColumn: 'createdAt', orderByDirection: 'desc' };
	return ((await client.wholeList(path`/envelope/${id}/audit-log`, query)) ?? []).reverse();
}

/** Who cancelled a document, when and why; undefined if nobody did. Only the audit log tells. */
export async function cancellationOf(client: Client, id: string): Promise<IDataObject | undefined> {
	return cancellationIn(await logOf(client, id));
}

/** The same in a log that was read; the last one counts. */
export function cancellationIn(log: LogEntry[]): IDataObject | undefined {
	const cancelled = log.filter(({ type }) => type === 'DOCUMENT_CANCELLED').at(-1);
	if (!cancelled) return undefined;
	const { name = null, email = null, createdAt, data } = cancelled;
	return { name, email, reason: data.reason ?? null, cancelledAt: createdAt };
}

/** The same, as the node reads it. */
export async function logOf(client: Client, id: string): Promise<LogEntry[]> {
	return (await auditLogOf(client, id)).map((record) => parse(entrySchema, record));
}
