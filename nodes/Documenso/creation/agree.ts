import type { Listed } from '../api/envelope';
import { ApiFailure } from '../api/failure';
import { inOrderOfWeight } from './choice';
import { isFor, type Existing } from './newDocument';
import { refusedId } from './refusals';
import {
	certainlyOwn,
	deleteOwn,
	onceSent,
	stateOf,
	VISIBLE_MS,
	type Draft,
	type State,
	type Traveller,
} from './state';

/**
 * A draft that may have rivals is compared before it is sent. Processes know nothing of each other, but after a while
 * all of them see the same documents and choose the same; nobody sends one before.
 */
export async function agree(traveller: Traveller, state: State): Promise<State> {
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
	throw unseen();
}

/** A list that lacks the item's own draft cannot tell whether it has rivals. */
function unseen(): ApiFailure {
	return new ApiFailure({
		message:
			'Documenso does not list the new draft, so the node cannot tell whether there is another',
		outcome: 'failed',
		origin: 'It may be new to the list.',
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

/** Takes the document that counts, and deletes the item's draft. */
async function giveWay(traveller: Traveller, draft: Draft, chosen: Existing): Promise<State> {
	const { document, item, run } = traveller;
	if (!(await deleteOwn(traveller, draft.id))) {
		const { value } = document.externalId;
		throw refusedId(
			`is "${value}", which the document ${chosen.id} (${chosen.status.toLowerCase()}) has too, and the draft ${draft.id} of this item could not be deleted`,
			'Delete the draft in Documenso, or retry this execution.',
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
