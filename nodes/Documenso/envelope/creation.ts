import type { IDataObject } from 'n8n-workflow';

import { hasCode, isElsewhere, isOutcomeUnknown, isWorthALook, withDocument } from '../errors';
import { includesAll, Memory, type ItemMemory } from '../memory';
import type { Params } from '../params';
import type { Safety } from '../schemas/settings';
import { json } from '../transport/body';
import type { Client } from '../transport/client';
import {
	CLOCK_TOLERANCE_MS,
	distribute,
	envelopeOf,
	LOOKS,
	recipientsWithLinks,
} from './distribute';
import type { Envelope } from './envelope';
import type { Listed } from './envelope';
import { findIn, inFolder, type Trace } from './externalId';
import { everywhere } from './folders';

export interface Made {
	id: string;
	json: IDataObject;
}

/** How a document is made for an item, once. */
export interface Creation {
	trace: Trace;
	safety: Safety;
	/** Whether it is to be sent: in the request that creates it, or in one of its own. */
	sending: 'no' | 'whileCreating' | 'afterwards';
	create(): Promise<Made>;
	/** What is put out for a document that was not made by this very request. */
	describe?: (envelope: Envelope) => IDataObject;
}

/** Makes the item's document, or goes on with the one that an earlier try has made. */
export async function createOnce(
	params: Params,
	client: Client,
	creation: Creation,
): Promise<IDataObject> {
	const memory = memoryOf(params);
	const { trace, sending } = creation;
	const earlier = await madeEarlier(params, client, trace);
	if (earlier) return await goOn(client, creation, memory, earlier);
	const { externalId, emails } = trace;
	memory.begun ??= { externalId, emails, at: Date.now() };
	let made: Made;
	try {
		made = await creation.create();
	} catch (error) {
		const found = await settle(params, client, creation, error);
		return await goOn(client, creation, memory, found);
	}
	memory.createdId = made.id;
	if (sending !== 'afterwards') return made.json;
	return { ...made.json, ...(await send(client, creation, memory, made.id)) };
}

/** What an earlier try of this run, or another retry of the same execution, has made for the item, wherever it was moved since. */
async function madeEarlier(
	params: Params,
	client: Client,
	trace: Trace,
): Promise<Envelope | undefined> {
	const memory = memoryOf(params);
	if (memory.createdId) {
		const { createdId } = memory;
		try {
			return await envelopeOf(client, createdId);
		} catch (error) {
			if (!hasCode(error, 'NOT_FOUND')) {
				const sentence = `An earlier try made the document ${createdId}.`;
				throw withDocument(error, sentence, { documentId: createdId });
			}
			// Somebody has deleted it since.
			delete memory.createdId;
			delete memory.begun;
		}
	}
	if (!memory.begun && Memory.of(params.context).retriedSince === undefined) return undefined;
	const places = await everywhere(client, 'DOCUMENT');
	const found = await ownDocuments(params, client, trace, places);
	return await only(params, client, trace, found);
}

/** After a failed creation: the document that it made all the same. Throws when there is none, or nobody knows. */
async function settle(
	params: Params,
	client: Client,
	{ trace, sending }: Creation,
	error: unknown,
): Promise<Envelope> {
	const memory = memoryOf(params);
	if (!isWorthALook(error)) {
		delete memory.begun;
		throw error;
	}
	const { externalId } = trace;
	const isUnknown = isOutcomeUnknown(error);
	const isWaiting = isUnknown && sending === 'whileCreating';
	const found = await lookFor(params, client, trace, isUnknown ? LOOKS : [0], isWaiting);
	const document = await only(params, client, trace, found ?? []);
	if (document) return document;
	if (found && !isUnknown && !hasCode(error, 'DOCUMENT_SEND_FAILED')) {
		delete memory.begun;
		throw withDocument(error, 'Nothing was created.', { externalId });
	}
	if (isElsewhere(error)) throw error;
	const advice = `Documenso may have created it all the same, or still be at work on it: look for a document with the external ID ${externalId} before you run this item again. A retry of this execution looks first.`;
	throw withDocument(error, advice, { externalId });
}

/** Undefined when the service could not be asked. While it may be about to send, a draft is looked at again. */
async function lookFor(
	params: Params,
	client: Client,
	trace: Trace,
	pauses: number[],
	isWaiting: boolean,
): Promise<Listed[] | undefined> {
	let found: Listed[] | undefined;
	for (const pause of pauses) {
		await client.wait(pause);
		found = await ownDocuments(params, client, trace).catch(() => found);
		const isThere = found?.some(({ status }) => status !== 'DRAFT' || !isWaiting);
		if (isThere && !hasRival(params, trace)) break;
	}
	return found;
}

/** Those that this item has made: an external ID of the user's may have been used before, and by other items. */
async function ownDocuments(
	params: Params,
	client: Client,
	trace: Trace,
	places = [inFolder(trace.folderId)],
): Promise<Listed[]> {
	const memory = Memory.of(params.context);
	const at = memory.of(params.itemIndex).begun?.at ?? memory.retriedSince ?? 0;
	// Asked for after an answer, because that tells how far the service's clock is ahead.
	const since = () => (trace.isOwn ? 0 : at + client.clockSkew - CLOCK_TOLERANCE_MS);
	const found: Listed[] = [];
	for (const place of places) found.push(...(await findIn(client, trace, place, since)));
	return found.filter(
		({ id, recipients }) => !memory.isOfAnother(params.itemIndex, id) && isFor(recipients, trace),
	);
}

/** Claims the document before anything else is awaited, so that no other item takes it. */
async function only(
	params: Params,
	client: Client,
	trace: Trace,
	found: Listed[],
): Promise<Envelope | undefined> {
	const [document, another] = found;
	if (!document) return undefined;
	if (another ?? hasRival(params, trace)) throw severalError(params, trace, found);
	memoryOf(params).createdId = document.id;
	return await envelopeOf(client, document.id);
}

function hasRival({ context, itemIndex }: Params, trace: Trace): boolean {
	return Memory.of(context).hasRival(itemIndex, trace);
}

/** Whether a document goes to the item's people. */
export function isFor(recipients: Array<{ email: string }>, { emails }: Trace): boolean {
	return includesAll(
		recipients.map(({ email }) => email),
		emails,
	);
}

function severalError(params: Params, { externalId }: Trace, found: Listed[]) {
	const list = found.map(({ id, status }) => `${id} (${status})`).join(', ');
	const error = params.refuseAll([
		{
			column: 'External ID',
			fault: `is "${externalId}", which does not tell whose of these documents is: ${list}`,
			advice:
				"Several items have this external ID and the same recipients, and the answer to a creation was lost. See in Documenso which document is this item's before you create another.",
		},
	]);
	error.context.details = { externalId, documentIds: found.map(({ id }) => id) };
	return error;
}

/** Sends what was only drafted, and describes the document. */
async function goOn(
	client: Client,
	creation: Creation,
	memory: ItemMemory,
	envelope: Envelope,
): Promise<IDataObject> {
	const description = described(client, envelope, creation.describe);
	if (creation.sending === 'no' || envelope.status !== 'DRAFT') return description;
	return { ...description, ...(await send(client, creation, memory, envelope.id)) };
}

/** As the service answers a creation, with what else is known. */
export function described(
	client: Client,
	envelope: Envelope,
	describe: Creation['describe'],
): IDataObject {
	if (describe) return describe(envelope);
	const { id, status, externalId } = envelope;
	return { id, status, externalId, recipients: recipientsWithLinks(client, envelope) };
}

async function send(
	client: Client,
	{ safety }: Creation,
	memory: ItemMemory,
	id: string,
): Promise<IDataObject> {
	try {
		return await distribute(client, id, {}, true);
	} catch (error) {
		// While nobody knows what became of the request, it may still be sent.
		const isUnsent = !isOutcomeUnknown(error);
		if (isUnsent && safety.ifSendingFails === 'delete' && (await deleteDraft(client, id))) {
			delete memory.createdId;
			delete memory.begun;
			throw withDocument(error, `The draft ${id} was deleted.`, { deletedDocumentId: id });
		}
		const advice = `The document was created as ${id}, and is not known to be sent: send or delete that one instead of creating another. A retry of this execution goes on with it.`;
		throw withDocument(error, advice, { documentId: id });
	}
}

/** Whether it is gone; what turns out to be sent after all is left alone. */
async function deleteDraft(client: Client, id: string): Promise<boolean> {
	try {
		const { status } = await envelopeOf(client, id);
		if (status !== 'DRAFT') return false;
		const body = json({ envelopeId: id });
		await client.send({ method: 'POST', path: '/envelope/delete', body });
		return true;
	} catch {
		return false;
	}
}

function memoryOf({ context, itemIndex }: Params): ItemMemory {
	return Memory.of(context).of(itemIndex);
}
