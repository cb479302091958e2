import type { IDataObject } from 'n8n-workflow';

import type { Client } from '../api/client';
import type { Envelope, Listed } from '../api/envelope';
import { hasCode, isElsewhere, isOutcomeUnknown, isWorthALook, noting } from '../api/failure';
import type { Item } from '../engine/item';
import { includesAll } from '../engine/progress';
import { Refusal } from '../engine/refusal';
import { distribute, CLOCK_TOLERANCE_MS, LOOKS, recipientsWithLinks } from './distribute';
import { findIn, inFolder } from './externalId';
import { everywhere } from './folders';
import { madeFor, type Created, type NewDocument } from './newDocument';

/** Creates the item's document, or goes on with the one that an earlier try has made. */
export async function createOnce(item: Item, document: NewDocument): Promise<IDataObject> {
	const earlier = await madeEarlier(item, document);
	if (earlier) return await goOn(item, document, earlier);
	if (item.progress.state !== 'creating') {
		item.progress = { state: 'creating', at: Date.now(), ...madeFor(document) };
	}
	let created: Created;
	try {
		created = await document.create();
	} catch (error) {
		return await goOn(item, document, await foundAfter(item, document, error));
	}
	item.progress = { state: 'created', id: created.id, ...madeFor(document) };
	if (document.sending !== 'afterwards') return created.json;
	return { ...created.json, ...(await sendCreated(item, document, created.id)) };
}

/**
 * What an earlier try of this run, or another retry of the same execution, has made for the item, wherever it was
 * moved since.
 */
async function madeEarlier(item: Item, document: NewDocument): Promise<Envelope | undefined> {
	const { client, progress } = item;
	if (progress.state === 'created') {
		const { id } = progress;
		try {
			return await client.envelope(id);
		} catch (error) {
			if (!hasCode(error, 'NOT_FOUND')) {
				throw noting(error, `An earlier try made the document ${id}.`, { documentId: id });
			}
			// Somebody has deleted it since.
			item.progress = { state: 'new' };
		}
	}
	const { retriedSince } = item.execution.progress;
	if (item.progress.state === 'new' && retriedSince === undefined) return undefined;
	const found = await ownDocuments(item, document, await everywhere(client, 'DOCUMENT'));
	return await claimed(item, document, found);
}

/** After a failed creation: the document that it made. Throws when there is none, or nobody knows. */
async function foundAfter(item: Item, document: NewDocument, error: unknown): Promise<Envelope> {
	if (!isWorthALook(error)) {
		item.progress = { state: 'new' };
		throw error;
	}
	const isUnknown = isOutcomeUnknown(error);
	const isWaiting = isUnknown && document.sending === 'whileCreating';
	const found = await lookFor(item, document, isUnknown ? LOOKS : [0], isWaiting);
	const made = await claimed(item, document, found ?? []);
	if (made) return made;
	const externalId = document.externalId.value;
	if (found && !isUnknown && !hasCode(error, 'DOCUMENT_SEND_FAILED')) {
		item.progress = { state: 'new' };
		throw noting(error, 'Nothing was created.', { externalId });
	}
	if (isElsewhere(error)) throw error;
	const advice = `Documenso may have created it, or still be at work on it: look for a document with the external ID ${externalId} before you run this item again. A retry of this execution looks first.`;
	throw noting(error, advice, { externalId });
}

/** Undefined when the service could not be asked. While it may be about to send, a draft is looked at again. */
async function lookFor(
	item: Item,
	document: NewDocument,
	pauses: number[],
	isWaiting: boolean,
): Promise<Listed[] | undefined> {
	let found: Listed[] | undefined;
	for (const pause of pauses) {
		await item.client.wait(pause);
		found = await ownDocuments(item, document).catch(() => found);
		const isThere = found?.some(({ status }) => status !== 'DRAFT' || !isWaiting);
		if (isThere && !hasRival(item, document)) break;
	}
	return found;
}

/** Those that this item has made: an external ID of the user's may have been used before, and by other items. */
async function ownDocuments(
	{ client, execution: { progress }, index, progress: own }: Item,
	document: NewDocument,
	places = [inFolder(document.folderId)],
): Promise<Listed[]> {
	const begunAt = own.state === 'creating' ? own.at : (progress.retriedSince ?? 0);
	// Asked for after an answer, because that tells how far the service's clock is ahead.
	const since = () =>
		document.externalId.source === 'own' ? 0 : begunAt + client.clockSkew - CLOCK_TOLERANCE_MS;
	const found: Listed[] = [];
	for (const place of places) {
		found.push(...(await findIn(client, document.externalId, place, since)));
	}
	return found.filter(
		({ id, recipients }) => !progress.isOfAnother(index, id) && isFor(recipients, document),
	);
}

/** Claims the document before anything else is awaited, so that no other item takes it. */
async function claimed(
	item: Item,
	document: NewDocument,
	[found, another, ...more]: Listed[],
): Promise<Envelope | undefined> {
	if (!found) return undefined;
	if (another ?? hasRival(item, document)) {
		throw ambiguous(document, [found, ...(another ? [another] : []), ...more]);
	}
	item.progress = { state: 'created', id: found.id, ...madeFor(document) };
	return await item.client.envelope(found.id);
}

function hasRival({ execution, index }: Item, document: NewDocument): boolean {
	return execution.progress.hasRival(index, madeFor(document));
}

/** Whether a document goes to the item's recipients. */
export function isFor(recipients: Array<{ email: string }>, { emails }: NewDocument): boolean {
	return includesAll(
		recipients.map(({ email }) => email),
		emails,
	);
}

function ambiguous({ externalId: { value } }: NewDocument, found: Listed[]): Refusal {
	const list = found.map(({ id, status }) => `${id} (${status})`).join(', ');
	return Refusal.of(
		[
			{
				column: 'External ID',
				fault: `is "${value}", and it cannot be told which of these documents is this item's: ${list}`,
				advice:
					"Several items have this external ID and the same recipients, and the answer to a creation was lost. See in Documenso which document is this item's before you create another.",
			},
		],
		{ externalId: value, documentIds: found.map(({ id }) => id) },
	);
}

/** Sends what was only drafted, and describes the document. */
async function goOn(item: Item, document: NewDocument, envelope: Envelope): Promise<IDataObject> {
	const description = described(item.client, envelope, document);
	if (document.sending === 'no' || envelope.status !== 'DRAFT') return description;
	return { ...description, ...(await sendCreated(item, document, envelope.id)) };
}

/** As the service answers a creation, with what else is known. */
export function described(
	client: Client,
	envelope: Envelope,
	{ describe }: NewDocument,
): IDataObject {
	if (describe) return describe(envelope);
	const { id, status, externalId } = envelope;
	return { id, status, externalId, recipients: recipientsWithLinks(client, envelope) };
}

async function sendCreated(item: Item, document: NewDocument, id: string): Promise<IDataObject> {
	try {
		return await distribute(item.client, id, {}, true);
	} catch (error) {
		// While nobody knows what became of the request, it may still be sent.
		const isUnsent = !isOutcomeUnknown(error);
		if (isUnsent && document.ifSendingFails === 'delete' && (await deleteDraft(item.client, id))) {
			item.progress = { state: 'new' };
			throw noting(error, `The draft ${id} was deleted.`, { deletedDocumentId: id });
		}
		const advice = `The document was created as ${id}, and may not have been sent: send or delete that one instead of creating another. A retry of this execution goes on with it.`;
		throw noting(error, advice, { documentId: id });
	}
}

/** Whether it is gone; what turns out to be sent after all is left alone. */
async function deleteDraft(client: Client, id: string): Promise<boolean> {
	try {
		const { status } = await client.envelope(id);
		if (status !== 'DRAFT') return false;
		await client.post('/envelope/delete', { envelopeId: id });
		return true;
	} catch {
		return false;
	}
}
