import { hasCode, isOutcomeUnknown, withNote } from '../../shared/api/failure';
import { parse } from '../../shared/api/records';
import { filledSchema } from '../../shared/envelope/filledValues';
import { whoActed, whoActedIn } from '../envelope/acted';
import { Refusal } from '../../shared/n8n/refusal';
import { cancellationIn, logOf, type LogEntry } from '../envelope/auditLog';
import { checkSendable } from '../envelope/distribute';
import { keepTold } from '../envelope/emailed';
import {
	actedMeanwhile,
	endedOtherwise,
	notAllowed,
	stillThere,
	unapprovedDraft,
} from './existingMessages';
import { afterCancelling, draftDeleted, draftKept, REPLACED } from './messages';
import { existingSchema, type Existing } from './newDocument';
import { checkDraft, comparison, isOutdated } from './outdated';
import { readIfThere } from './search';
import { deleteOwn, type Creation, type Draft, type There } from './state';

/** It is mailed to everybody who was asked to sign, and tells the node that it has cancelled the document itself. */
export const REASON = 'This document is replaced by another one.';

/** Somebody may act at the moment of the cancellation; how long until everybody sees that, in milliseconds. */
const SEEN_MS = 5000;

/**
 * Cancels what a draft replaces, before the draft is sent. Documenso cancels whatever is pending, so the document is read
 * before and twice after: if somebody has acted on it, the draft is not sent.
 */
export async function retire(creation: Creation, state: There): Promise<There> {
	const { document, item, memory } = creation;
	if (document.ifExternalIdExists !== 'replace' || state.state !== 'draft') return state;
	if (document.wasPreviewed && !state.isNew) throw unapprovedDraft(document, state);
	const cancelled: string[] = [];
	let cancelling: string | undefined;
	try {
		const others = await othersThan(creation, state.id);
		const pending = others.filter((one) => isPending(creation, one));
		for (const one of others) {
			if (!pending.includes(one))
				await checkEnded(creation, one, pending.length === 0 && one === others[0]);
		}
		if (pending.length > 0 || !state.isNew) await checkSuccessor(creation, state);
		// None is cancelled if another one must stay.
		if (pending.length > 1) for (const { id } of pending) await untouched(creation, id);
		for (const { id } of pending) {
			const before = await untouched(creation, id);
			if (!before) continue;
			cancelling = id;
			await cancel(creation, id);
			keepTold(item.execution, before);
			cancelled.push(id);
			cancelling = undefined;
		}
		if (state.isOwn) memory.keepDraft(creation, state.id, { isToCompare: false });
		const [replaced] = pending.length > 0 ? pending : others;
		if (!replaced) return state;
		for (const id of cancelled)
			if (id !== replaced.id) item.execution.hints.add(REPLACED, id, 'info');
		return { ...state, output: { ...state.output, replacedDocumentId: replaced.id } };
	} catch (error) {
		const told = await withdrawn(creation, state, error);
		// A refusal already says what happened to its document.
		if (cancelling !== undefined && !(error instanceof Refusal)) cancelled.push(cancelling);
		throw cancelled.length > 0 ? afterCancelling(told, cancelled) : told;
	}
}

/** What is cancelled must not wait for a draft that nobody can send, and no draft is sent that was changed since. */
async function checkSuccessor(creation: Creation, draft: Draft) {
	const { client } = creation.item;
	const own = await readIfThere(client, draft.id);
	if (!own) throw stillThere(draft.id);
	checkDraft(creation, own, draft);
	checkSendable(client, own);
}

/** Whether another document must give way to the item's draft. */
export async function givesWay(creation: Creation, draft: Draft, other: Existing) {
	try {
		return isOutdated(creation, other);
	} catch (error) {
		throw await withdrawn(creation, draft, error);
	}
}

/** What else with the external ID was sent, the newest first. A list may be behind what was seen before. */
async function othersThan(creation: Creation, draft: string): Promise<Existing[]> {
	const { document, item, outdated, search } = creation;
	const listed = await search.inAllFolders(document);
	const newestFirst = [...listed].sort((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt));
	const ids = new Set([...outdated.keys(), ...newestFirst.map(({ id }) => id)]);
	ids.delete(draft);
	const order = newestFirst.map(({ id }) => id);
	const read: Existing[] = [];
	for (const id of ids) {
		const one = await readIfThere(item.client, id);
		// It was there a moment ago: it may be again.
		if (!one && outdated.has(id)) throw stillThere(id);
		if (one && one.status !== 'DRAFT') read.push(one);
	}
	return read.sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id));
}

/** Throws if a document counts, because another process has sent it, or must not be replaced. */
function isPending(creation: Creation, one: Existing): boolean {
	if (!isOutdated(creation, one)) throw stillThere(one.id);
	return one.status === 'PENDING';
}

/** Reads a pending document right before it is cancelled. Undefined if another worker has cancelled it. */
async function untouched(creation: Creation, id: string): Promise<Existing | undefined> {
	const now = await readIfThere(creation.item.client, id);
	if (!now) throw stillThere(id);
	if (!isPending(creation, now)) {
		await checkEnded(creation, now, true);
		return undefined;
	}
	throwIfActed(creation, now, await logOf(creation.item.client, id));
	return now;
}

async function cancel(creation: Creation, id: string) {
	const { client } = creation.item;
	const body = { envelopeId: id, reason: REASON };
	const failure = await client.post('/envelope/cancel', body).then(
		() => undefined,
		(error: unknown) => ({ error }),
	);
	let now: Existing | undefined;
	for (const pause of [0, SEEN_MS]) {
		await client.wait(pause);
		now = await readIfThere(client, id);
		if (now) throwIfActed(creation, now);
		if (now && now.status !== 'PENDING') continue;
		if (hasCode(failure?.error, 'UNAUTHORIZED')) throw notAllowed(creation.document, id);
		// It may come later.
		if (failure && pause === 0 && isOutcomeUnknown(failure.error)) continue;
		if (failure) throw withNote(failure.error, `${id} was not cancelled so far.`);
		if (now) throw stillThere(id);
	}
	if (!now) throw stillThere(id);
	// A person may have been quicker, and an act that was taken back shows in the log only.
	await checkEnded(creation, now, true);
}

/** Nobody replaces what a person has cancelled last, nor what somebody had acted on when the node cancelled it. */
async function checkEnded(creation: Creation, one: Existing, isLast: boolean) {
	const log = await logOf(creation.item.client, one.id);
	const isOurs = one.status === 'CANCELLED' && cancellationIn(log)?.reason === REASON;
	if (isOurs) throwIfActed(creation, one, log);
	else if (isLast) throw endedOtherwise(creation.document, one);
}

function throwIfActed({ document }: Creation, one: Existing, log: LogEntry[] = []) {
	const acted = whoActed(parse(filledSchema, one)) ?? whoActedIn(log);
	if (acted === undefined && one.status !== 'COMPLETED') return;
	const { differences } = comparison(document, one);
	throw actedMeanwhile(document, one, { differences, acted: acted ?? 'it was completed' });
}

/**
 * A draft that must not be sent is deleted, so that nobody sends it. Where a retry may still send it, it stays; so does
 * one of another try, which another worker may have chosen.
 */
async function withdrawn(creation: Creation, draft: Draft, error: unknown): Promise<unknown> {
	const { id, isOwn } = draft;
	const isInWay = error instanceof Refusal && isOwn && (await isAsMade(creation, draft));
	if (isInWay && (await deleteOwn(creation, id))) return draftDeleted(error, id);
	return draftKept(error, id);
}

/** A person may have corrected the draft of an earlier try. */
async function isAsMade(creation: Creation, { id, isNew }: Draft): Promise<boolean> {
	if (isNew) return true;
	try {
		checkDraft(creation, await creation.item.client.envelope(id, existingSchema));
		return true;
	} catch {
		return false;
	}
}
