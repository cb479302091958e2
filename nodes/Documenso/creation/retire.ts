import { hasCode, withNote } from '../../shared/api/failure';
import { parse } from '../../shared/api/records';
import { filledSchema } from '../../shared/envelope/filledValues';
import { whoActed } from '../envelope/acted';
import { Refusal } from '../../shared/n8n/refusal';
import { cancellationOf } from '../envelope/auditLog';
import { actedMeanwhile, endedOtherwise, notAllowed, stillThere } from './existingMessages';
import { draftDeleted, draftKept } from './messages';
import type { Existing } from './newDocument';
import { isOutdated } from './outdated';
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
	if (!creation.document.replacing || state.state !== 'draft') return state;
	try {
		const others = await othersThan(creation, state.id);
		const pending = others.filter((one) => isPending(creation, one));
		for (const one of pending) {
			// To read several takes a while, in which somebody may act.
			const now = others.length > 1 ? await readIfThere(creation.item.client, one.id) : one;
			if (!now) continue;
			if (isPending(creation, now)) await cancel(creation, now);
			else await checkCancellation(creation, now);
		}
		const [newest] = others;
		if (newest && pending.length === 0) await checkCancellation(creation, newest);
		if (state.isOwn) creation.memory.keepDraft(creation, state.id, { isToCompare: false });
		const [replaced] = pending.length > 0 ? pending : others;
		if (!replaced) return state;
		return { ...state, output: { ...state.output, replacedDocumentId: replaced.id } };
	} catch (error) {
		throw await withdrawn(creation, state, error);
	}
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
	const ids = new Set([...outdated, ...newestFirst.map(({ id }) => id)]);
	ids.delete(draft);
	const order = newestFirst.map(({ id }) => id);
	const read: Existing[] = [];
	for (const id of ids) {
		const one = await readIfThere(item.client, id);
		if (one && one.status !== 'DRAFT') read.push(one);
	}
	return read.sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id));
}

/** Throws if a document counts, because another process has sent it, or must not be replaced. */
function isPending(creation: Creation, one: Existing): boolean {
	if (!isOutdated(creation, one)) throw stillThere(one.id);
	return one.status === 'PENDING';
}

async function cancel(creation: Creation, { id }: Existing) {
	const { client } = creation.item;
	const body = { envelopeId: id, reason: REASON };
	const failure = await client.post('/envelope/cancel', body).then(
		() => undefined,
		(error: unknown) => ({ error }),
	);
	for (const pause of [0, SEEN_MS]) {
		await client.wait(pause);
		const now = await readIfThere(client, id);
		if (!now) return;
		throwIfActed(creation, now);
		if (now.status === 'PENDING') {
			if (hasCode(failure?.error, 'UNAUTHORIZED')) throw notAllowed(creation.document, id);
			throw failure ? withNote(failure.error, `${id} is not cancelled.`) : stillThere(id);
		}
		// A person may have been quicker.
		if (failure) await checkCancellation(creation, now);
	}
}

/** Nobody replaces what a person has cancelled. */
async function checkCancellation(creation: Creation, one: Existing) {
	throwIfActed(creation, one);
	const { reason } = (await cancellationOf(creation.item.client, one.id)) ?? {};
	if (one.status === 'CANCELLED' && reason === REASON) return;
	throw endedOtherwise(creation.document, one);
}

function throwIfActed({ document }: Creation, one: Existing) {
	const acted = whoActed(parse(filledSchema, one));
	if (acted === undefined && one.status !== 'COMPLETED') return;
	throw actedMeanwhile(document, one, acted ?? 'it was completed');
}

/**
 * A draft that must not be sent is deleted, so that nobody sends it. Where a retry may still send it, it stays; so does
 * one of another try, which another worker may have chosen.
 */
async function withdrawn(creation: Creation, draft: Draft, error: unknown): Promise<unknown> {
	const { id, isOwn } = draft;
	const isFinal = error instanceof Refusal;
	if (isFinal && isOwn && (await deleteOwn(creation, id))) return draftDeleted(error, id);
	return draftKept(error, id);
}
