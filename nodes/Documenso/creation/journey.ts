import type { IDataObject } from 'n8n-workflow';

import type { Listed } from '../../shared/api/envelope';
import {
	foreignAnswerFailure,
	hasCode,
	isOutcomeUnknown,
	mayHaveEffect,
} from '../../shared/api/failure';
import { LOOKS } from '../envelope/distribute';
import { tellStrandedDefaults } from '../envelope/defaultRecipients';
import { keepEmailed } from '../envelope/emailed';
import { takeOut } from './leftOut';
import type { InDoubt } from './look';
import { firstCounting, tellLeft } from './outdated';
import { givesWay, retire } from './retire';
import { inOrderOfWeight, readIfThere } from './search';
import {
	afterCancelling,
	ambiguous,
	REPLACED,
	sendingInDoubt,
	sentInDoubt,
	undeleted,
	unlisted,
} from './messages';
import {
	comparesDrafts,
	hasExternalId,
	missingIn,
	isFor,
	isIdentified,
	keyOf,
	type Created,
	type Existing,
} from './newDocument';
import {
	deleteOwn,
	onceSent,
	ownAmong,
	ownState,
	stateOf,
	VISIBLE_MS,
	type Accepted,
	type Creation,
	type Doubtful,
	type Draft,
	type Resolved,
	type There,
} from './state';
import { savedIn } from './savedProgress';
import { send } from './send';
import { throwIfForOthers } from './testRun';

/** The way of an item from what the look has found to its output. This is the only way to a new document. */
export async function createOnce(
	creation: Creation,
	found: Accepted,
	inDoubt: InDoubt,
): Promise<IDataObject> {
	const resolved = await resolve(creation, found, inDoubt);
	const posted = await post(creation, resolved);
	// What this or an earlier try of the item created, and any draft that is sent now. Others are left as they are.
	const isToBeSent = posted.state === 'draft' && creation.document.sending !== 'no';
	const id = savedIn(creation.item.progress)?.id ?? (isToBeSent ? posted.id : undefined);
	if (id !== undefined) await creation.document.complete?.(id);
	const agreed = await agree(creation, posted);
	const reduced = await takeOut(creation, agreed);
	const allowed = await throwIfForOthers(creation, reduced);
	if (allowed.state === 'sent') tellLeft(creation);
	const alone = await retire(creation, allowed);
	const { replacedDocumentId: old } = alone.output;
	const { state, output } = await send(creation, alone).catch((error: unknown) => {
		throw typeof old === 'string' ? afterCancelling(error, [old]) : error;
	});
	if (typeof old === 'string') creation.item.execution.hints.add(REPLACED, old, 'info');
	const isOwn = output.alreadyExisted !== true;
	if (state === 'sent' && (isOwn || output.sentNow === true)) {
		keepEmailed(creation.item.execution, output.recipients, creation.document.emailing);
	}
	if (state === 'sent' && isOwn) {
		tellStrandedDefaults(creation.item, output.recipients, creation.document);
	}
	return output;
}

/** Settles what is open about an earlier try, or about another process. */
async function resolve(creation: Creation, found: Accepted, inDoubt: InDoubt): Promise<Resolved> {
	switch (found.state) {
		case 'nothing':
			return await notByOthers(creation);
		case 'doubtful':
			return await waitOut(creation, found, inDoubt);
		case 'saved':
			return await readAgain(creation, found.id, { isOwn: true });
		case 'draft':
			if (!found.isOwn && comparesDrafts(creation.document)) return await awaitRival(creation);
			if (!found.isOwn) throwIfInDoubt(creation);
			if (creation.document.sending === 'no') return found;
			return await readAgain(creation, found.id, found);
		default:
			return found;
	}
}

/** Another process may have created it since the look. */
async function notByOthers(creation: Creation): Promise<Resolved> {
	const { document, search } = creation;
	const arrived = await othersState(creation, await search.arrived(document));
	// Its process waits before it sends it, and so it would be sent twice.
	if (arrived?.state === 'draft' && comparesDrafts(document)) return await awaitRival(creation);
	if (arrived) return arrived;
	throwIfInDoubt(creation);
	return { state: 'nothing' };
}

/** The document of somebody else that counts for the item. */
async function othersState(
	creation: Creation,
	found: Listed[],
	read = async (id: string) => await readIfThere(creation.item.client, id),
): Promise<There | undefined> {
	const envelope = await firstCounting(creation, inOrderOfWeight(found), read);
	return envelope && stateOf(creation, envelope, { isOwn: false });
}

/** Another execution in this process may be in doubt about a document with the external ID. */
function throwIfInDoubt(creation: Creation) {
	const { document, memory } = creation;
	const { process, progress } = memory.execution;
	// Executions that begin at the same moment make up the same names for their items.
	const isKnownByName = document.ifExternalIdExists !== 'create' || progress.isRetry;
	const left = isKnownByName ? process.doubts.left(keyOf(document)) : 0;
	if (left > 0) throw memory.doubtful(creation, { left });
}

/** A draft that another process may be about to send. */
async function awaitRival(creation: Creation): Promise<Resolved> {
	const { document, item, search } = creation;
	await item.client.wait(VISIBLE_MS);
	const rivals = await search.inAllFolders(document);
	const read = async (id: string) => await onceSent(creation, id);
	return (await othersState(creation, rivals, read)) ?? { state: 'nothing' };
}

/** Somebody may have sent or deleted a draft since the look. */
async function readAgain(
	creation: Creation,
	id: string,
	{ isOwn }: { isOwn: boolean },
): Promise<Resolved> {
	const { document, item, memory } = creation;
	const envelope = await readIfThere(item.client, id);
	if (!envelope) return { state: 'nothing', isSecondTry: isOwn };
	if (!isOwn || hasExternalId(envelope, document.externalId)) {
		return stateOf(creation, envelope, { isOwn });
	}
	// An answer with an ID only may have named another document.
	throw memory.keepWrongAnswer(creation, id);
}

/** Only time settles a doubt. */
async function waitOut(
	creation: Creation,
	{ id, isOfAnother = false }: Doubtful,
	inDoubt: InDoubt,
): Promise<Resolved> {
	const { document, item, memory, search } = creation;
	const before = id === undefined ? undefined : await readIfThere(item.client, id);
	if (before && before.status !== 'DRAFT') return stateOf(creation, before, { isOwn: true });
	const left = memory.doubtLeft(item);
	if (!(await inDoubt.waitedOut(creation))) {
		if (id !== undefined) throw sentInDoubt(document, memory.timeIn(left), id);
		const possible = ownAmong(creation, await search.inItsFolder(document));
		throw memory.doubtful(creation, { left, possible });
	}
	const after = id === undefined ? undefined : await readIfThere(item.client, id);
	if (after) return stateOf(creation, after, { isOwn: true });
	const found = await inDoubt.lookAgain(creation);
	const there = isOfAnother ? await othersState(creation, found) : await ownState(creation, found);
	return there ?? { state: 'nothing', isSecondTry: true };
}

/**
 * Creates the document, if there is none: as a draft if others may do the same at this moment, if somebody is left out of
 * it, and in a test.
 */
async function post(creation: Creation, state: Resolved): Promise<There> {
	if (state.state !== 'nothing') return state;
	const { document, item, memory } = creation;
	const isToCompare = state.isSecondTry === true || comparesDrafts(document);
	const { process, testAddress } = item.execution;
	const isReduced = document.leftOut !== undefined && document.leftOut.length > 0;
	const mayBeSent = !isToCompare && !isReduced && testAddress === undefined;
	const isToBeSent = document.sending === 'whileCreating' && mayBeSent;
	const before = item.progress;
	// The process may end before the answer comes.
	memory.keepDoubt(creation);
	const answer = await document
		.create(isToBeSent)
		.then((created) => checkedAnswer(creation, created))
		.catch((error: unknown) => ({ error }));
	if ('error' in answer) {
		const { error } = answer;
		if (!mayHaveEffect(error)) {
			memory.endDoubt(document);
			// An earlier request is in doubt as before.
			item.progress = before;
			throw error;
		}
		memory.keepDoubt(creation);
		const own = await foundAfterFailure(creation, isToBeSent, error);
		if (own.state === 'draft' && isToCompare) memory.keepDraft(creation, own.id, { isToCompare });
		return own;
	}
	const { id, leftOut = [], json: output } = answer;
	process.recent.add(item.client.account, document.externalId.value, id);
	memory.endDoubt(document);
	memory.keepDraft(creation, id, { isProved: true, isToCompare });
	if (isToBeSent) return { state: 'sent', output };
	return { state: 'draft', id, isOwn: true, isNew: true, leftOut, output };
}

/** Something between n8n and Documenso may mix up answers. */
function checkedAnswer({ document, item, memory }: Creation, created: Created): Created {
	const { id, emails } = created;
	if (memory.isOfAnother(item, id)) {
		throw foreignAnswerFailure('It names a document that another item has.');
	}
	if (emails && missingIn(emails, document.emails).length > 0) {
		throw foreignAnswerFailure('It names a document for other recipients.');
	}
	return created;
}

/** The document that a failed request created after all. Throws if there is none yet. */
async function foundAfterFailure(
	creation: Creation,
	isToBeSent: boolean,
	error: unknown,
): Promise<There> {
	const { memory } = creation;
	// Documenso sends while it creates: what is a draft now may be sent a moment later.
	const mayBeSentLater = isToBeSent && !hasCode(error, 'DOCUMENT_SEND_FAILED');
	const found = await lookForOwn(creation, mayBeSentLater, error);
	const own = isIdentified(creation.document) ? await ownState(creation, found) : undefined;
	if (own && !(own.state === 'draft' && mayBeSentLater)) return own;
	if (own && memory.knownOf(creation, own.id).isProved) {
		memory.keepDoubt(creation, { id: own.id });
		throw sendingInDoubt(error, own.id);
	}
	if (own) memory.keepDoubt(creation);
	throw memory.doubtful(creation, { error, possible: ownAmong(creation, found) });
}

/** Looks several times if Documenso may still be at work. */
async function lookForOwn(
	creation: Creation,
	mayBeSentLater: boolean,
	error: unknown,
): Promise<Listed[]> {
	const { document, item, search } = creation;
	let found: Listed[] = [];
	for (const pause of isOutcomeUnknown(error) ? LOOKS : [0]) {
		await item.client.wait(pause);
		found = await search.inItsFolder(document).catch(() => found);
		const own = ownAmong(creation, found);
		const isThere = own.some(({ status }) => status !== 'DRAFT' || !mayBeSentLater);
		if (isThere && isIdentified(document)) break;
	}
	return found;
}

/**
 * A draft that may have rivals is compared before it is sent. Processes know nothing of each other, but after a while
 * all of them see the same documents and choose the same; nobody sends one before.
 */
async function agree(creation: Creation, state: There): Promise<There> {
	const { document, item, memory, search } = creation;
	if (state.state !== 'draft' || !state.isOwn) return state;
	if (!comparesDrafts(document) && !memory.knownOf(creation, state.id).isToCompare) return state;
	await item.client.wait(VISIBLE_MS);
	const found = await search.inAllFolders(document);
	const rivals = rivalsAmong(creation, state, found);
	if (rivals.length > 1 && !isIdentified(document)) throw ambiguous(document, rivals);
	for (const candidate of rivals) {
		if (candidate.id === state.id) {
			// What it replaces may still count in its place.
			const isToCompare = document.ifExternalIdExists === 'replace';
			memory.keepDraft(creation, state.id, { isToCompare });
			return state;
		}
		const chosen = await onceSent(creation, candidate.id);
		// A list may show what is gone.
		if (!chosen || (await givesWay(creation, state, chosen))) continue;
		return await giveWay(creation, state, chosen);
	}
	throw unlisted();
}

/**
 * The documents that count for the item, and its own draft, in the order in which they count. What was sent comes before
 * all drafts, even if it was rejected since: with it in sight, the item's draft would not have been created.
 */
function rivalsAmong(creation: Creation, draft: Draft, found: Listed[]): Listed[] {
	const own = found.filter(({ id }) => id === draft.id);
	const others = found.filter(({ id }) => id !== draft.id);
	const rivals = ownAmong(creation, others);
	const ordered = inOrderOfWeight([...rivals, ...own]);
	const isDraft = ({ status }: Listed) => status === 'DRAFT';
	return [...ordered.filter((one) => !isDraft(one)), ...ordered.filter(isDraft)];
}

/** Takes the document that counts, and deletes the item's draft. */
async function giveWay(creation: Creation, draft: Draft, chosen: Existing): Promise<There> {
	const { document, item, memory } = creation;
	if (!(await deleteOwn(creation, draft.id))) throw undeleted(document, draft, chosen);
	// Under Fail, there was none before the item's first try.
	const mayBeOwn = ['create', 'fail'].includes(document.ifExternalIdExists);
	const isOwn =
		mayBeOwn && !memory.isOfAnother(item, chosen.id) && isFor(chosen.recipients, document);
	return stateOf(creation, chosen, { isOwn });
}
