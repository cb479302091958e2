import type { IDataObject } from 'n8n-workflow';

import type { Client } from '../api/client';
import { listedSchema, type Listed } from '../api/envelope';
import type { Item } from '../engine/item';
import { everywhere } from './folders';

/**
 * An external ID and where it comes from: `chosen` by the user, `inherited` from the template, or the node's `own`,
 * which no other document has.
 */
export interface ExternalId {
	value: string;
	source: 'chosen' | 'inherited' | 'own';
}

/** The external ID of an item's document. */
export function externalIdOf(
	{ execution: { context, progress }, index, progress: before }: Item,
	chosen?: string | null,
	inherited?: string | null,
): ExternalId {
	// A retry may be another execution, and an expression may give it another ID.
	const begun = 'externalId' in before ? before.externalId : undefined;
	if (chosen) return { value: begun ?? chosen, source: 'chosen' };
	// A template may have blanks around it, which Documenso strips from a document's.
	const ofTemplate = inherited?.trim();
	if (ofTemplate) return { value: begun ?? ofTemplate, source: 'inherited' };
	const node = context.getNode().id.slice(0, 8);
	const own = ['n8n', progress.execution, node, progress.run, index].join(':');
	return { value: begun ?? own, source: 'own' };
}

/** Documents with an external ID in one place, created since then (milliseconds since the epoch), newest first. */
export async function findIn(
	client: Client,
	{ value }: ExternalId,
	place: IDataObject,
	since = () => 0,
): Promise<Listed[]> {
	// The service has no exact filter: it searches several columns, and takes a backslash for an escape
	// (documenso-api.md: Search).
	const query = { type: 'DOCUMENT', query: value.replaceAll('\\', '\\\\'), ...place };
	const listed = client.parse(listedSchema, await client.list('/envelope', query));
	return listed.filter(
		({ createdAt, externalId }) => Date.parse(createdAt) >= since() && externalId?.trim() === value,
	);
}

/** The newest document with an external ID in the first folder that has one. */
export async function findAnywhere(
	client: Client,
	externalId: ExternalId,
): Promise<Listed | undefined> {
	for (const place of await everywhere(client, 'DOCUMENT')) {
		const [found] = await findIn(client, externalId, place);
		if (found) return found;
	}
	return undefined;
}
