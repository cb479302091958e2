import { hasCode } from '../api/failure';
import type { Envelope, Listed } from '../api/envelope';
import type { Item } from '../engine/item';
import { findInFolder } from './lookUp';
import { isFor, type NewDocument } from './newDocument';

/** How long Documenso may take until everybody sees a document that it is creating, in milliseconds. */
const SETTLE_MS = 3000;
/** How long to wait until another process has sent its draft, in milliseconds. */
const PATIENCE_MS = 15_000;
const PAUSE_MS = 1500;

/**
 * The document that counts, of all with the external ID of the item's, if that is another one. Several n8n processes may
 * create one at the same moment. They know nothing of each other, but after a while all of them see the same documents
 * and choose the same; nobody sends one before.
 */
export async function chosenInsteadOf(
	{ client }: Item,
	document: NewDocument,
	id: string,
): Promise<Listed | undefined> {
	if (document.ifExternalIdExists !== 'skipAcrossWorkers') return undefined;
	await client.wait(SETTLE_MS);
	const found = await findInFolder(client, document.externalId, document.folderId);
	const [chosen] = found
		.filter((one) => one.id === id || isSent(one) || isFor(one.recipients, document))
		.sort(
			(a, b) =>
				Number(isSent(b)) - Number(isSent(a)) ||
				Date.parse(a.createdAt) - Date.parse(b.createdAt) ||
				(a.id < b.id ? -1 : 1),
		);
	return chosen?.id === id ? undefined : chosen;
}

function isSent({ status }: Listed): boolean {
	return status !== 'DRAFT';
}

/** The document once its process has sent it, or as a draft if that process seems to be dead. Undefined if it is gone. */
export async function onceSent({ client }: Item, id: string): Promise<Envelope | undefined> {
	const until = Date.now() + PATIENCE_MS;
	for (;;) {
		const envelope = await client.envelope(id).catch(undefinedIfGone);
		if (envelope?.status !== 'DRAFT' || Date.now() > until) return envelope;
		await client.wait(PAUSE_MS);
	}
}

function undefinedIfGone(error: unknown): undefined {
	if (!hasCode(error, 'NOT_FOUND')) throw error;
}
