import type { IDataObject } from 'n8n-workflow';

import type { Client } from '../api/client';
import type { Envelope, Listed } from '../api/envelope';
import { hasCode, isElsewhere, isOutcomeUnknown, isWorthALook, noting } from '../api/failure';
import type { Item } from '../engine/item';
import type { Made } from '../engine/progress';
import { Refusal } from '../engine/refusal';
import { CLOCK_TOLERANCE_MS, distribute, LOOKS } from './distribute';
import { current, outputFor, takeExisting } from './existing';
import { findEverywhere, findInFolder } from './lookUp';
import { isFor, type NewDocument } from './newDocument';
import { chosenInsteadOf } from './rivals';

/**
 * Creates the item's document, or continues with the one that an earlier try created: `found` is what was found of
 * those, and `read` the first of them.
 */
export async function createOnce(
	item: Item,
	document: NewDocument,
	found: Listed[] = [],
	read?: Envelope,
): Promise<IDataObject> {
	const earlier = await createdEarlier(item, document, found, read);
	if (earlier) return await goOn(item, document, earlier);
	if (item.progress.state !== 'creating') {
		item.progress = { state: 'creating', at: Date.now(), ...madeFor(document) };
	}
	let created;
	try {
		created = await document.create();
	} catch (error) {
		return await goOn(item, document, await createdAfterAll(item, document, error));
	}
	item.progress = { state: 'created', id: created.id, ...madeFor(document) };
	const rival = await chosenInsteadOf(item, document, created.id);
	if (rival) return await giveWay(item, document, created.id, rival);
	if (document.sending !== 'afterwards') return created.json;
	return { ...created.json, ...(await sendCreated(item, document, created.id)) };
}

/** Deletes the item's draft, and takes the document that counts instead. */
async function giveWay(
	item: Item,
	document: NewDocument,
	id: string,
	rival: Listed,
): Promise<IDataObject> {
	if (!(await deleteDraft(item.client, id))) {
		const { value } = document.externalId;
		const fault = `is "${value}", which the document ${rival.id} (${rival.status.toLowerCase()}) has too. Another n8n process created it at the same moment, and the draft ${id} of this item could not be deleted`;
		const details = { externalId: value, documentIds: [rival.id, id] };
		const advice = 'Delete one of the two in Documenso.';
		throw Refusal.of([{ column: 'External ID', fault, advice }], details);
	}
	item.progress = { state: 'new' };
	const taken = await takeExisting(item, document, rival.id);
	// Its process may have failed meanwhile.
	return taken ?? (await createOnce(item, document));
}

/**
 * The document that an earlier try of this run, or another retry of the same execution, created for the item. It may
 * have been moved since.
 */
async function createdEarlier(
	item: Item,
	document: NewDocument,
	found: Listed[],
	read: Envelope | undefined,
): Promise<Envelope | undefined> {
	const { client, progress } = item;
	if (progress.state === 'created') {
		const { id } = progress;
		try {
			return await client.envelope(id);
		} catch (error) {
			if (!hasCode(error, 'NOT_FOUND')) {
				throw noting(error, `An earlier try made the document ${id}.`, { documentId: id });
			}
			// Somebody has deleted it since. Another retry may have created one in its place.
			item.progress = { state: 'new' };
			const { externalId } = document;
			const isRetry = item.execution.progress.retries !== 'nothing';
			if (isRetry) found = (await findEverywhere(client, [externalId])).with(externalId);
		}
	}
	// Since they were looked for, another item may have taken one of them.
	return await adopt(item, document, ownAmong(found, item, document), read);
}

/** The document that a failed request created after all. Throws if there is none, or if nobody knows. */
async function createdAfterAll(
	item: Item,
	document: NewDocument,
	error: unknown,
): Promise<Envelope> {
	if (!isWorthALook(error)) {
		item.progress = { state: 'new' };
		throw error;
	}
	const isUnknown = isOutcomeUnknown(error);
	const found = await lookForOwn(item, document, isUnknown);
	const own = await adopt(item, document, found ?? []);
	if (own) return own;
	const externalId = document.externalId.value;
	if (found && !isUnknown && !hasCode(error, 'DOCUMENT_SEND_FAILED')) {
		item.progress = { state: 'new' };
		throw noting(error, 'Nothing was created.', { externalId });
	}
	if (isElsewhere(error)) throw error;
	const advice = `Documenso may have created it, or may still be working on it. Look for a document with the External ID ${externalId} before you run this item again. A retry of this execution looks first.`;
	throw noting(error, advice, { externalId });
}

/** Looks several times if Documenso may still be at work. Undefined if it could not be asked. */
async function lookForOwn(
	item: Item,
	document: NewDocument,
	isUnknown: boolean,
): Promise<Listed[] | undefined> {
	// Documenso sends while it creates: what is a draft now may be sent a moment later.
	const isDraftWaiting = isUnknown && document.sending === 'whileCreating';
	let found: Listed[] | undefined;
	for (const pause of isUnknown ? LOOKS : [0]) {
		await item.client.wait(pause);
		found = await findInFolder(item.client, document.externalId, document.folderId)
			.then((all) => ownAmong(all, item, document))
			.catch(() => found);
		const isThere = found?.some(({ status }) => status !== 'DRAFT' || !isDraftWaiting);
		if (isThere && !hasRival(item, document)) break;
	}
	return found;
}

/**
 * Of documents with the external ID, those that this item may have created: earlier ones, and other items' ones, may
 * have the same.
 */
export function ownAmong(
	found: Listed[],
	{ client, execution, index, progress }: Item,
	document: NewDocument,
): Listed[] {
	const { begunAt, retries } = execution.progress;
	const ofRetry = retries === 'another' ? begunAt : 0;
	const triedAt = progress.state === 'creating' ? progress.at : ofRetry;
	const since =
		document.externalId.source === 'own' ? 0 : triedAt + client.clockSkew - CLOCK_TOLERANCE_MS;
	return found.filter(
		({ createdAt, id, recipients }) =>
			Date.parse(createdAt) >= since &&
			!execution.progress.isOfAnother(index, id) &&
			isFor(recipients, document),
	);
}

/** Notes the document that was found as the item's own, before anything is awaited: no other item must take it. */
async function adopt(
	item: Item,
	document: NewDocument,
	found: Listed[],
	read?: Envelope,
): Promise<Envelope | undefined> {
	const [own, ...others] = found;
	if (!own) return undefined;
	if (others.length > 0 || hasRival(item, document)) throw ambiguous(document, found);
	item.progress = { state: 'created', id: own.id, ...madeFor(document) };
	return await current(item, document, own.id, read);
}

function madeFor({ externalId, emails }: NewDocument): Made {
	return { externalId: externalId.value, emails };
}

function hasRival({ execution, index }: Item, document: NewDocument): boolean {
	return execution.progress.hasRival(index, madeFor(document));
}

function ambiguous(document: NewDocument, found: Listed[]): Refusal {
	return undecided(
		document,
		found,
		"which of these documents is this item's",
		"Several items have this External ID and the same recipients, and the answer to a request that created one was lost. Check in Documenso which document is this item's before you create another.",
	);
}

/** For a retry where n8n does not tell when the original began, or its rows have moved since. */
export function unclear(document: NewDocument, found: Listed[]): Refusal {
	return undecided(
		document,
		found,
		'whether the execution that is being retried created one of these documents for the item',
		'Check in Documenso whether one of them is for this item. If none is, run the workflow again for the items without a document.',
	);
}

function undecided(
	{ externalId: { value } }: NewDocument,
	found: Listed[],
	question: string,
	advice: string,
): Refusal {
	const list = found.map(({ id, status }) => `${id} (${status.toLowerCase()})`).join(', ');
	const fault = `is "${value}", and the node cannot tell ${question}: ${list}`;
	const details = { externalId: value, documentIds: found.map(({ id }) => id) };
	return Refusal.of([{ column: 'External ID', fault, advice }], details);
}

/** Sends the document if it is still a draft and should not be, and returns the output for it. */
async function goOn(item: Item, document: NewDocument, envelope: Envelope): Promise<IDataObject> {
	const output = outputFor(item.client, document, envelope);
	if (envelope.status !== 'DRAFT') return output;
	const rival = await chosenInsteadOf(item, document, envelope.id);
	if (rival) return await giveWay(item, document, envelope.id, rival);
	if (document.sending === 'no') return output;
	return { ...output, ...(await sendCreated(item, document, envelope.id)) };
}

async function sendCreated(item: Item, document: NewDocument, id: string): Promise<IDataObject> {
	try {
		return await distribute(item.client, id, { isNew: true });
	} catch (error) {
		// If nobody knows whether it was sent, Documenso may still be about to send it.
		const isUnsent = !isOutcomeUnknown(error);
		if (isUnsent && document.ifSendingFails === 'delete' && (await deleteDraft(item.client, id))) {
			item.progress = { state: 'new' };
			throw noting(error, `The draft ${id} was deleted.`, { deletedDocumentId: id });
		}
		const advice = `The document ${id} was created, but may not have been sent. Send or delete it instead of creating another. A retry of this execution continues with it.`;
		throw noting(error, advice, { documentId: id });
	}
}

/** Returns whether the draft is gone. A document that was sent after all is left alone. */
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
