import type { IDataObject } from 'n8n-workflow';

import type { Envelope, Listed } from '../api/envelope';
import {
	ApiFailure,
	foreignAnswerFailure,
	hasCode,
	isElsewhere,
	isOutcomeUnknown,
	mayHaveEffect,
	withNote,
} from '../api/failure';
import type { Item } from '../engine/item';
import { distribute, LOOKS, recipientsWithLinks } from '../envelope/distribute';
import { withoutMarkers } from '../envelope/marker';
import { inOrderOfWeight } from './choice';
import { isFor, isIdentified, type Created, type NewDocument } from './newDocument';
import {
	alreadyThere,
	ambiguous,
	doubtful,
	draftOfOthers,
	refusedId,
	sentInDoubt,
} from './refusals';
import { doubtKey, type CreationRun } from './run';

/** What is known of an item's document. Each step of the journey takes one of these and returns the next. */
export type State =
	/** There is none. After an earlier try of the item, the next one creates a draft and compares first. */
	| { state: 'nothing'; isSecondTry?: boolean }
	/** A request may have created it, or may have sent the one with this ID. */
	| { state: 'doubtful'; id?: string }
	/** Without an output, only its ID is known. */
	| { state: 'draft'; id: string; isOwn: boolean; output?: IDataObject; isToCompare?: boolean }
	| { state: 'sent'; id: string; isOwn: boolean; output: IDataObject }
	/** An item before this one has the same external ID. */
	| { state: 'claimed'; by: number };

/** A draft that the item itself created, or that existed or was created by another process. */
type Draft = Extract<State, { state: 'draft' }>;

/** The item whose document is created, and what all items of its run share. */
export interface Traveller {
	item: Item;
	document: NewDocument;
	run: CreationRun;
	/** Waits until the requests of all items in doubt cannot take effect any more. Returns whether that is so. */
	settled(): Promise<boolean>;
	/** Looks again for all items in doubt of the run, once their requests cannot take effect any more. */
	lookAgain(): Promise<Listed[]>;
}

/** How long Documenso may take until everybody sees a document that it is creating, in milliseconds. */
export const VISIBLE_MS = 3000;
/** How long to wait until another process has sent its draft, in milliseconds. */
const PATIENCE_MS = 15_000;
const PAUSE_MS = 1500;

/** The way of an item from what the look has found to its output. This is the only way to a new document. */
export async function journey(traveller: Traveller, looked: State): Promise<IDataObject> {
	const certain = await settle(traveller, looked);
	const posted = await post(traveller, certain);
	const agreed = await agree(traveller, posted);
	const sent = await send(traveller, agreed);
	return ('output' in sent && sent.output) || {};
}

/** Settles what is open about an earlier try. Only time settles a doubt. */
async function settle(traveller: Traveller, state: State): Promise<State> {
	switch (state.state) {
		case 'nothing':
			return await checkOthers(traveller);
		case 'doubtful':
			return await settleDoubt(traveller, state.id);
		case 'draft': {
			if (!state.isOwn && state.isToCompare) return await settleRival(traveller);
			if (!state.isOwn) refuseDoubt(traveller);
			// Somebody may have sent or deleted it since.
			if (state.output && traveller.document.sending === 'no') return state;
			const envelope = await readIfThere(traveller.item, state.id);
			return envelope
				? stateOf(traveller, envelope, state)
				: { state: 'nothing', isSecondTry: state.isOwn };
		}
		default:
			return state;
	}
}

/** Another process may have created it since the look. */
async function checkOthers(traveller: Traveller): Promise<State> {
	const { document, item, run } = traveller;
	const arrived = await run.lookUps.arrived(document.externalId, document.folderId);
	for (const { id } of inOrderOfWeight(arrived)) {
		const envelope = await readIfThere(item, id);
		if (envelope) return stateOf(traveller, envelope, { isOwn: false });
	}
	refuseDoubt(traveller);
	return { state: 'nothing' };
}

/** Another execution in this process may be in doubt about a document with the external ID. */
function refuseDoubt({ document, item, run }: Traveller) {
	const { process, progress } = item.execution;
	// Executions that begin at the same moment make up the same names for their items.
	const isKnownByName = document.ifExternalIdExists !== 'create' || progress.retries !== 'nothing';
	const left = isKnownByName ? process.doubts.left(doubtKey(document)) : 0;
	if (left > 0) throw doubtful(document, run.timeIn(left));
}

/** A draft that another process may be about to send. */
async function settleRival(traveller: Traveller): Promise<State> {
	const { document, item, run } = traveller;
	await item.client.wait(VISIBLE_MS);
	for (const { id } of inOrderOfWeight(await run.lookUps.inAllFolders(document.externalId))) {
		const envelope = await onceSent(traveller, id);
		if (!envelope) continue;
		const state = stateOf(traveller, envelope, { isOwn: false });
		return state.state === 'draft' ? { ...state, isToCompare: false } : state;
	}
	return { state: 'nothing' };
}

async function settleDoubt(traveller: Traveller, id: string | undefined): Promise<State> {
	const { document, item, run } = traveller;
	const before = id === undefined ? undefined : await readIfThere(item, id);
	if (before && before.status !== 'DRAFT') return stateOf(traveller, before, { isOwn: true });
	const left = run.doubtLeft(item);
	if (!(await traveller.settled())) {
		if (id !== undefined) throw sentInDoubt(document, run.timeIn(left), id);
		const { externalId, folderId } = document;
		const found = await run.lookUps.inFolder(externalId, folderId);
		const { own } = await run.ownAmong(item, document, found);
		throw doubtful(document, run.timeIn(left), undefined, own);
	}
	const after = id === undefined ? undefined : await readIfThere(item, id);
	if (after) return stateOf(traveller, after, { isOwn: true });
	const own = await ownState(traveller, await traveller.lookAgain());
	return own ?? { state: 'nothing', isSecondTry: true };
}

async function post(traveller: Traveller, state: State): Promise<State> {
	if (state.state !== 'nothing') return state;
	const { document, item, run } = traveller;
	const isToCompare =
		state.isSecondTry === true || document.ifExternalIdExists === 'skipAcrossWorkers';
	const isSent = document.sending === 'whileCreating' && !isToCompare;
	const { process } = item.execution;
	const sentAt = state.isSecondTry ? run.sentAt(item) : process.uptime();
	const before = item.progress;
	// The process may end before the answer comes.
	run.keepDoubt(item, document, { sentAt });
	const created = await document.create(isSent).then(
		(answer) => checkedAnswer(traveller, answer),
		(error: unknown) => error,
	);
	if (!isCreated(created)) {
		if (!mayHaveEffect(created)) {
			process.doubts.remove(doubtKey(document));
			// An earlier request is in doubt as before.
			item.progress = before;
			throw created;
		}
		run.keepDoubt(item, document, { sentAt });
		return await createdAfterAll(traveller, isSent, created);
	}
	const { id, json } = created;
	process.lastCreated = { id, answeredAt: process.uptime() };
	process.doubts.remove(doubtKey(document));
	run.keepDraft(item, document, id, { isProved: true, isToCompare, sentAt });
	const known = { id, isOwn: true, output: json };
	return isSent ? { state: 'sent', ...known } : { state: 'draft', isToCompare, ...known };
}

function isCreated(outcome: unknown): outcome is Created {
	return !(outcome instanceof Error);
}

/** The answer, or a failure: something between n8n and Documenso may mix up answers. */
function checkedAnswer({ document, item, run }: Traveller, created: Created): Created | ApiFailure {
	const { id, emails } = created;
	if (run.isOfAnother(item, id)) {
		return foreignAnswerFailure('It names a document that another item has.');
	}
	const recipients = emails?.map((email) => ({ email }));
	if (recipients && !isFor(recipients, document)) {
		return foreignAnswerFailure('It names a document for other recipients.');
	}
	return created;
}

/** The document that a failed request created after all. Throws if there is none yet. */
async function createdAfterAll(
	traveller: Traveller,
	isSent: boolean,
	error: unknown,
): Promise<State> {
	const { document, item, run } = traveller;
	const isFinal = hasCode(error, 'DOCUMENT_SEND_FAILED');
	const found = await lookForOwn(traveller, isSent && !isFinal, error);
	const own = await ownState(traveller, found);
	// Documenso sends while it creates: what is a draft now may be sent a moment later.
	if (own && (own.state !== 'draft' || !isSent || isFinal)) return own;
	const isProved = own && 'id' in own && run.standing(item, document, own.id).isProved;
	if (isProved) {
		run.keepDoubt(item, document, { id: own.id });
		throw sendingInDoubt(error, own.id);
	}
	if (own) run.keepDoubt(item, document);
	const { own: possible } = await run.ownAmong(item, document, found);
	throw doubtful(document, run.timeIn(run.doubtLeft(item)), error, possible);
}

/** Looks several times if Documenso may still be at work. */
async function lookForOwn(
	{ document, item, run }: Traveller,
	isToBeSent: boolean,
	error: unknown,
): Promise<Listed[]> {
	let found: Listed[] = [];
	for (const pause of isOutcomeUnknown(error) ? LOOKS : [0]) {
		await item.client.wait(pause);
		const { externalId, folderId } = document;
		found = await run.lookUps.inFolder(externalId, folderId).catch(() => found);
		const { own } = await run.ownAmong(item, document, found);
		const isThere = own.some(({ status }) => status !== 'DRAFT' || !isToBeSent);
		if (isThere && !run.hasRival(item, document)) break;
	}
	return found;
}

/**
 * The documents that count for the item, in the order in which they count; none if that can be told only once there is a
 * draft to compare with. Throws if it never can.
 */
export async function certainlyOwn(
	{ document, item, run }: Omit<Traveller, 'settled' | 'lookAgain'>,
	found: Listed[],
	{ hasDraft = false } = {},
): Promise<Listed[]> {
	const { own, isSure, isSureLater } = await run.ownAmong(item, document, found);
	if (own.length === 0 || (isSureLater && !hasDraft)) return [];
	const isClear = isIdentified(document) || (own.length === 1 && !run.hasRival(item, document));
	if (!isSure || !isClear) throw ambiguous(document, own);
	return inOrderOfWeight(own);
}

/** The document that the item's own request created; undefined if none of these is. */
async function ownState(traveller: Traveller, found: Listed[]): Promise<State | undefined> {
	const { document, item, run } = traveller;
	const [first] = await certainlyOwn(traveller, found);
	if (!first) return undefined;
	// With Skip and Fail it may be anybody's.
	const isOwn = isFor(first.recipients, document);
	// Before anything is awaited: no other item must take it.
	if (isOwn) run.keepDraft(item, document, first.id);
	return stateOf(traveller, await item.client.envelope(first.id), { isOwn });
}

/** The state of a document that was read. */
export function stateOf(
	traveller: Traveller,
	envelope: Envelope,
	{ isOwn }: { isOwn: boolean },
): State {
	const { document, item, run } = traveller;
	const { id, status } = envelope;
	if (isOwn) run.keepDraft(item, document, id);
	else checkExisting(document, envelope);
	const usual = outputFor(traveller, envelope);
	const output = isOwn ? usual : { ...usual, alreadyExisted: true };
	if (status !== 'DRAFT') return { state: 'sent', id, isOwn, output };
	const isToCompare =
		document.ifExternalIdExists === 'skipAcrossWorkers' ||
		(isOwn && run.standing(item, document, id).isToCompare);
	return { state: 'draft', id, isOwn, output, isToCompare };
}

/** Fail refuses any document that has the external ID, and Skip a draft that cannot be sent in the item's place. */
export function checkExisting(
	document: NewDocument,
	existing: Pick<Listed, 'id' | 'status' | 'recipients'>,
) {
	if (document.ifExternalIdExists === 'fail') throw alreadyThere(document, existing);
	const isDraft = existing.status === 'DRAFT';
	if (document.sending !== 'no' && isDraft && !isFor(existing.recipients, document)) {
		throw draftOfOthers(document, existing);
	}
}

/** What the answer to its creation would have held, and what else is known. */
function outputFor({ document, item: { client } }: Traveller, envelope: Envelope): IDataObject {
	if (document.describe) return document.describe(envelope);
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
 * A draft that may have rivals is compared before it is sent. Processes know nothing of each other, but after a while
 * all of them see the same documents and choose the same; nobody sends one before.
 */
async function agree(traveller: Traveller, state: State): Promise<State> {
	if (state.state !== 'draft' || !state.isOwn || !state.isToCompare) return state;
	const { document, item, run } = traveller;
	await item.client.wait(VISIBLE_MS);
	const found = await run.lookUps.inAllFolders(document.externalId);
	for (const candidate of await rivalsAmong(traveller, state, found)) {
		if (candidate.id === state.id) {
			run.keepDraft(item, document, state.id, { isToCompare: false });
			return state;
		}
		const chosen = await onceSent(traveller, candidate.id);
		// A list may show what is gone.
		if (chosen) return await giveWay(traveller, state, chosen);
	}
	throw withNote(unseen(state.id), `The draft ${state.id} was created, but not sent.`);
}

/** A list that lacks the item's own draft cannot tell whether it has rivals. */
function unseen(id: string): ApiFailure {
	return new ApiFailure({
		message:
			'Documenso does not list the new draft, so the node cannot tell whether there is another',
		outcome: 'failed',
		origin: `The draft is ${id}.`,
		source: 'unreadable',
		advice: 'A retry of this execution continues with it.',
	});
}

/**
 * The documents that count for the item, and its own draft, in the order in which they count. What was sent comes before
 * all drafts, even if it was rejected since: with it in sight, the item's draft would not have been created.
 */
async function rivalsAmong(traveller: Traveller, draft: Draft, found: Listed[]): Promise<Listed[]> {
	const own = found.filter(({ id }) => id === draft.id);
	const others = found.filter(({ id }) => id !== draft.id);
	const rivals = await certainlyOwn(traveller, others, { hasDraft: true }).catch(
		async (ambiguity: unknown) => {
			await deleteOwn(traveller, draft.id);
			// The doubt is as it was: a retry must not begin anew.
			traveller.run.keepDoubt(traveller.item, traveller.document);
			throw ambiguity;
		},
	);
	const ordered = inOrderOfWeight([...rivals, ...own]);
	const isDraft = ({ status }: Listed) => status === 'DRAFT';
	return [...ordered.filter((one) => !isDraft(one)), ...ordered.filter(isDraft)];
}

/** The document once its process has sent it, or as a draft if that process seems to be dead. Undefined if it is gone. */
async function onceSent({ document, item }: Traveller, id: string): Promise<Envelope | undefined> {
	const { process } = item.execution;
	const until = process.uptime() + PATIENCE_MS;
	for (;;) {
		const envelope = await readIfThere(item, id);
		const isAwaited = document.sending !== 'no' && envelope?.status === 'DRAFT';
		if (!isAwaited || process.uptime() > until) return envelope;
		await item.client.wait(PAUSE_MS);
	}
}

export async function readIfThere({ client }: Item, id: string): Promise<Envelope | undefined> {
	return await client.envelope(id).catch((error: unknown) => {
		if (!hasCode(error, 'NOT_FOUND')) throw error;
		return undefined;
	});
}

/** Takes the document that counts, and deletes the item's draft. */
async function giveWay(traveller: Traveller, draft: Draft, chosen: Envelope): Promise<State> {
	const { document, item, run } = traveller;
	if (!(await deleteOwn(traveller, draft.id))) {
		const { value } = document.externalId;
		throw refusedId(
			`is "${value}", which the document ${chosen.id} (${chosen.status.toLowerCase()}) has too. It was created at the same moment, and the draft ${draft.id} of this item could not be deleted`,
			'Delete one of the two in Documenso.',
			{ externalId: value, documentIds: [chosen.id, draft.id] },
		);
	}
	item.progress = { state: 'new' };
	// Under Fail, there was none before the item's first try.
	const mayBeOwn = ['create', 'fail'].includes(document.ifExternalIdExists);
	const isOwn = mayBeOwn && !run.isOfAnother(item, chosen.id) && isFor(chosen.recipients, document);
	const next = stateOf(traveller, chosen, { isOwn });
	return next.state === 'draft' ? { ...next, isToCompare: false } : next;
}

async function send(traveller: Traveller, state: State): Promise<State> {
	const { document, item } = traveller;
	if (state.state !== 'draft' || document.sending === 'no') return state;
	const { id, isOwn, output } = state;
	if (isOwn) {
		const sent = await sendOwn(traveller, id);
		return { state: 'sent', id, isOwn, output: { ...output, ...sent } };
	}
	// An earlier execution may have failed between creating and sending it.
	try {
		await distribute(item.client, id, { isNew: true });
		const sent = await item.client.envelope(id);
		const marks = { alreadyExisted: true, sentNow: true };
		return { state: 'sent', id, isOwn, output: { ...outputFor(traveller, sent), ...marks } };
	} catch (error) {
		const note = `The document ${id} has the External ID of this item. It was a draft, and may have been sent now.`;
		throw withNote(error, note, { documentId: id });
	}
}

async function sendOwn(traveller: Traveller, id: string): Promise<IDataObject> {
	const { document, item, run } = traveller;
	try {
		return await distribute(item.client, id, { isNew: true });
	} catch (error) {
		// If nobody knows whether it was sent, Documenso may still be about to send it.
		if (isOutcomeUnknown(error) || isElsewhere(error)) {
			run.keepDoubt(item, document, { id });
			throw sendingInDoubt(error, id);
		}
		if (document.ifSendingFails === 'delete' && (await deleteOwn(traveller, id))) {
			item.progress = { state: 'new' };
			throw withNote(error, `The draft ${id} was deleted.`, { deletedDocumentId: id });
		}
		throw sendingInDoubt(error, id);
	}
}

function sendingInDoubt(error: unknown, id: string): unknown {
	const advice = `The document ${id} was created, but may not have been sent. Send or delete it instead of creating another. A retry of this execution continues with it.`;
	return withNote(error, advice, { documentId: id });
}

/** Returns whether the item's draft is gone. A document that was sent after all, or is not the item's, is left alone. */
async function deleteOwn({ document, item, run }: Traveller, id: string): Promise<boolean> {
	const { client } = item;
	if (!run.standing(item, document, id).isProved) return false;
	try {
		const { externalId, recipients, status } = await client.envelope(id);
		const isOwn = withoutMarkers(externalId) === document.externalId.value;
		if (status !== 'DRAFT' || !isOwn || !isFor(recipients, document)) return false;
		await client.post('/envelope/delete', { envelopeId: id });
		return true;
	} catch (error) {
		// It may still be deleted, so nobody must send it before that is settled.
		if (mayHaveEffect(error)) run.keepDoubt(item, document, { id });
		return false;
	}
}
