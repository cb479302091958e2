import type { IDataObject } from 'n8n-workflow';

import type { Listed } from '../../shared/api/envelope';
import { mayHaveEffect } from '../../shared/api/failure';
import { endedUnsigned } from '../../shared/api/lifecycle';
import { checkSendable, recipientsWithLinks } from '../envelope/distribute';
import { idsOfLeftOut } from '../../shared/envelope/leftOut';
import { withoutMarkers } from '../../shared/envelope/marker';
import { emailingOf } from '../../shared/envelope/whoCanSign';
import type { CreationMemory } from './memory';
import {
	type Having,
	alreadyThere,
	anotherDocument,
	draftOfOthers,
	unapprovedDraft,
} from './existingMessages';
import { ambiguous, foundDraftKept, unclear } from './messages';
import {
	comparesDrafts,
	existingSchema,
	hasOtherSigners,
	isAnother,
	isFor,
	isIdentified,
	isMadeOtherwise,
	type Asked,
	type Existing,
	type NewDocument,
} from './newDocument';
import { checkDraft, isOutdated, saysTheSame } from './outdated';
import { inOrderOfWeight, readIfThere, type Search } from './search';

/** What is known of an item's document. Each step of the journey takes one of these and returns the next. */
export type State = Accepted | Refused;

export type Accepted = Resolved | Doubtful | Saved;

/** Nothing is open about an earlier try any more. */
export type Resolved = Nothing | There;

/** It is there, and what is returned for it is known. */
export type There = Draft | Sent;

/** There is none. After an earlier try of the item, the next one creates a draft and compares first. */
interface Nothing {
	state: 'nothing';
	isSecondTry?: boolean;
}

/** A request may have created it, or may have sent the one with this ID. */
export interface Doubtful {
	state: 'doubtful';
	id?: string;
	/** The request is that of an execution which ended with its process. */
	isOfAnother?: boolean;
}

/** An earlier try of the item has created it as a draft. */
interface Saved {
	state: 'saved';
	id: string;
}

/** A draft that the item itself created, or that existed or was created by another process. */
export interface Draft {
	state: 'draft';
	id: string;
	isOwn: boolean;
	/** This try of the item has created it: nobody has had the time to change it. */
	isNew?: boolean;
	/** The IDs of the recipients to delete before it is sent. */
	leftOut: number[];
	/** Settings that the draft does not have yet. */
	meta?: IDataObject;
	output: IDataObject;
}

interface Sent {
	state: 'sent';
	output: IDataObject;
}

/** Nothing must be created for it. */
interface Refused {
	state: 'refused';
	error: unknown;
}

/** How long Documenso may take until everybody sees a document that it is creating, in milliseconds. */
export const VISIBLE_MS = 3000;

/** The creation of an item's document, and what all items of its run share. */
export interface Creation extends Asked {
	memory: CreationMemory;
	search: Search;
	/** The documents seen so far that the item's replaces: their status by ID, because a list may lag. */
	outdated: Map<string, string>;
}

export function stateOf(
	creation: Creation,
	envelope: Existing,
	{ isOwn }: { isOwn: boolean },
): There {
	const { document, memory } = creation;
	const { id, status } = envelope;
	if (isOwn) {
		memory.keepDraft(creation, id);
		checkOwnDraft(creation, envelope);
	} else {
		checkExisting(creation, envelope);
		checkDraft(creation, envelope);
		checkFoundDraft(creation, envelope);
	}
	const usual = outputFor(creation, envelope);
	const output = isOwn ? usual : { ...usual, alreadyExisted: true };
	if (status !== 'DRAFT') return { state: 'sent', output };
	const leftOut = idsOfLeftOut(envelope);
	const meta = changedDelivery(document, envelope);
	return { state: 'draft', id, isOwn, leftOut, meta, output };
}

/** Whether links are emailed was perhaps chosen otherwise since the draft was made. */
function changedDelivery({ emailing }: NewDocument, { documentMeta }: Existing): Draft['meta'] {
	const { isEmailed } = emailingOf(documentMeta as IDataObject | undefined);
	if (isEmailed === emailing.isEmailed) return undefined;
	return { distributionMethod: emailing.isEmailed ? 'EMAIL' : 'NONE' };
}

/** Since an earlier execution has made it, its row may have been corrected, and a person may have changed the draft. */
function checkOwnDraft(creation: Creation, draft: Existing) {
	// In a test, throwIfForOthers says more.
	if (creation.item.execution.testAddress !== undefined) return;
	checkDraft(creation, draft, { isOwn: true });
	if (creation.item.execution.progress.isRetry) checkPeople(creation.document, draft);
}

/** No draft is sent to other people than the item's. */
function checkPeople(document: NewDocument, existing: Having) {
	const { recipients, status } = existing;
	if (document.sending === 'no' || status !== 'DRAFT') return;
	if (!isFor(recipients, document) || hasOtherSigners(recipients, document)) {
		throw draftOfOthers(document, existing);
	}
}

/** What Fail refuses, and what cannot take the place of the item's document. */
export function checkExisting({ document, item }: Asked, existing: Having) {
	const { isRetry } = item.execution.progress;
	if (document.ifExternalIdExists === 'fail') throw alreadyThere(document, existing, { isRetry });
	const isSent = document.sending !== 'no' && existing.status === 'DRAFT';
	const isRefused =
		(document.ifExternalIdExists === 'skipSame' && isAnother(document, existing)) ||
		(document.ifExternalIdExists === 'replace' && endedUnsigned(existing.status)) ||
		// Whatever it says, it is another contract.
		(isSent && isMadeOtherwise(document, existing));
	if (isRefused) throw anotherDocument(document, existing);
	checkPeople(document, existing);
	if (isSent && document.wasPreviewed) throw unapprovedDraft(document, existing);
}

/** A draft that is not the item's own may have other people and fields than the item's document would have. */
function checkFoundDraft({ document, item }: Creation, found: Existing) {
	if (document.sending === 'no' || found.status !== 'DRAFT') return;
	// Those who are left out are deleted before it is checked.
	if (idsOfLeftOut(found).length > 0) return;
	try {
		checkSendable(item.client, found);
	} catch (error) {
		throw foundDraftKept(error, found.id);
	}
}

/** What the answer to its creation would have held, and what else is known. */
export function outputFor({ document, item: { client } }: Asked, envelope: Existing): IDataObject {
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

/** The document that the item's own request created; undefined if none of these is. */
export async function ownState(creation: Creation, found: Listed[]): Promise<There | undefined> {
	const { document, item, memory } = creation;
	const before = item.progress;
	for (const { id, recipients } of certainlyOwn(creation, found)) {
		// With Skip and Fail it may be anybody's.
		const isOwn = isFor(recipients, document);
		// Before anything is awaited: no other item must take it.
		if (isOwn) memory.keepDraft(creation, id);
		const state = await stateIfCounting(creation, id, { isOwn }).catch((error: unknown) => {
			item.progress = before;
			throw error;
		});
		if (state) return state;
		item.progress = before;
	}
	return undefined;
}

/** A list may show what is gone, and what gives way to the item's document. */
async function stateIfCounting(
	creation: Creation,
	id: string,
	known: { isOwn: boolean },
): Promise<There | undefined> {
	const envelope = await readIfThere(creation.item.client, id);
	if (!envelope || isOutdated(creation, envelope)) return undefined;
	return saysTheSame(creation, envelope) ? stateOf(creation, envelope, known) : undefined;
}

/**
 * The documents that an earlier request of the item has created, as far as their external ID tells. Throws if it tells
 * nothing: others may have it, too.
 */
export function certainlyOwn(creation: Creation, found: Listed[]): Listed[] {
	const own = ownAmong(creation, found);
	if (own.length > 0 && !isIdentified(creation.document)) throw ambiguous(creation.document, own);
	return own;
}

/** The documents that an earlier request of the item may have created, in the order in which they count. */
export function ownAmong(
	{ document, item, memory, outdated }: Creation,
	found: Listed[],
): Listed[] {
	const { source, value } = document.externalId;
	const current = found.filter(({ id }) => !outdated.has(id));
	const isNamed = ({ externalId }: Listed) => withoutMarkers(externalId) === value;
	// Another item may have got it by a mixed-up answer; an ID that the node made up tells whose it is.
	const possible = current.filter(
		(one) => (source === 'own' && isNamed(one)) || !memory.isOfAnother(item, one.id),
	);
	if (document.ifExternalIdExists !== 'create') return inOrderOfWeight(possible);
	// After a retry, the node's own ID of a row may be in the place of another row.
	const fitting = inOrderOfWeight(possible.filter((one) => isFor(one.recipients, document)));
	if (source !== 'own' || item.execution.progress.retries !== 'unknown') return fitting;
	// Without the time of the beginning, other executions have made up IDs that look the same.
	const exact = fitting.filter(isNamed);
	if (exact.length === 0 && fitting.length > 0) throw unclear(document, fitting);
	return exact;
}

const PAUSE_MS = 1500;

/** The document once its process has sent it, or as a draft if that process seems to be dead. Undefined if it is gone. */
export async function onceSent(
	{ document, item, memory: { rivals } }: Creation,
	id: string,
): Promise<Existing | undefined> {
	let left = rivals.patienceMs;
	let seen = rivals.sent;
	for (let isFirst = true; ; isFirst = false) {
		const envelope = await readIfThere(item.client, id);
		const isAwaited = document.sending !== 'no' && envelope?.status === 'DRAFT';
		if (!isAwaited && !isFirst) rivals.sent++;
		if (!isAwaited || left <= 0) return envelope;
		await item.client.wait(PAUSE_MS);
		// Only pauses count: while requests wait for the rate limit, those of the other process do, too.
		left = rivals.sent === seen ? left - PAUSE_MS : rivals.patienceMs;
		seen = rivals.sent;
	}
}

/** Deletes the item's draft that could not be sent, if that was chosen. Returns whether it is gone. */
export async function deleteUnsent(creation: Creation, id: string): Promise<boolean> {
	const { ifSendingFails, sending } = creation.document;
	// Another worker may be sending it.
	const isShared = comparesDrafts(creation.document);
	const isChosen = ifSendingFails === 'delete' && sending !== 'no' && !isShared;
	return isChosen && (await deleteOwn(creation, id));
}

/**
 * Deletes the item's draft; the item is as new then. Returns whether it is gone: a document that was sent after all, or
 * is not the item's, is left alone.
 */
export async function deleteOwn(creation: Creation, id: string): Promise<boolean> {
	const { document, item, memory } = creation;
	if (!memory.knownOf(creation, id).isProved) return false;
	const envelope = await item.client.envelope(id, existingSchema).catch(() => undefined);
	const isOwn = withoutMarkers(envelope?.externalId) === document.externalId.value;
	if (envelope?.status !== 'DRAFT' || !isOwn || !isFor(envelope.recipients, document)) return false;
	const before = item.progress;
	// Nobody must send it before that is settled, even if the process ends before the answer comes.
	memory.keepDoubt(creation, { id });
	const error = await item.client.post('/envelope/delete', { envelopeId: id }).then(
		() => undefined,
		(failure: unknown) => ({ failure }),
	);
	if (error && mayHaveEffect(error.failure)) return false;
	memory.endDoubt(document);
	item.progress = error ? before : { state: 'new' };
	return !error;
}
