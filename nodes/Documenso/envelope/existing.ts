import type { IDataObject } from 'n8n-workflow';

import type { Client } from '../api/client';
import type { Envelope } from '../api/envelope';
import type { Item } from '../engine/item';
import { withoutMarkers } from '../waiting/marker';
import { distribute, recipientsWithLinks } from './distribute';
import type { NewDocument } from './newDocument';
import { onceSent } from './rivals';

/** The document as it was read, or as it is now if it may have to be sent: somebody may have sent it since. */
export async function current(
	{ client }: Item,
	{ sending }: NewDocument,
	id: string,
	read?: Envelope,
): Promise<Envelope> {
	const isCurrent = read?.id === id && (sending === 'no' || read.status !== 'DRAFT');
	return isCurrent ? read : await client.envelope(id);
}

/** What the answer to its creation would have held, and what else is known. */
export function outputFor(
	client: Client,
	{ describe }: NewDocument,
	envelope: Envelope,
): IDataObject {
	if (describe) return describe(envelope);
	const { id, title, status } = envelope;
	return {
		id,
		title,
		status,
		url: client.documentUrl(envelope),
		externalId: withoutMarkers(envelope.externalId),
		recipients: recipientsWithLinks(client, envelope),
	};
}

/**
 * Takes a document that exists instead of creating one. A draft is sent, because an earlier execution may have failed
 * between creating and sending it. Undefined if another process has created the draft, and deleted it again.
 */
export async function takeExisting(
	item: Item,
	document: NewDocument,
	id: string,
	read?: Envelope,
): Promise<IDataObject | undefined> {
	const { client } = item;
	const isShared = document.ifExternalIdExists === 'skipAcrossWorkers';
	const isToBeSent = document.sending !== 'no';
	const existing =
		isShared && isToBeSent ? await onceSent(item, id) : await current(item, document, id, read);
	if (!existing) return undefined;
	if (!isToBeSent || existing.status !== 'DRAFT') {
		return { ...outputFor(client, document, existing), alreadyExisted: true };
	}
	await distribute(client, id, { isNew: true });
	const sent = await client.envelope(id);
	return { ...outputFor(client, document, sent), alreadyExisted: true, sentNow: true };
}
