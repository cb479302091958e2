import { ApiFailure } from '../api/failure';
import type { Item } from '../engine/item';
import { recipientsWithLinks } from '../envelope/distribute';
import { isLeftOut } from '../envelope/leftOut';
import { draftOfOthers, stillInDraft } from './messages';
import { existingSchema, hasExternalId, includesAll, type Existing } from './newDocument';
import { stateOf, type Creation, type Draft, type There } from './state';

/** An answer may be lost, or may not tell who is in the draft: whoever the first look still finds is deleted once more. */
const MOST_TRIES = 2;

/**
 * Deletes those from a draft who are left out of the document; Documenso deletes their fields, too. Then the draft is
 * read: it goes on only without them. Nobody has their made-up addresses, so another process may do the same at any time.
 */
export async function takeOut(creation: Creation, state: There): Promise<There> {
	if (state.state !== 'draft') return state;
	const { document, item } = creation;
	let { leftOut } = state;
	if (leftOut.length === 0 && !document.leftOut?.length) return state;
	let failure: ApiFailure | undefined;
	for (let tries = 0; tries < MOST_TRIES; tries++) {
		for (const id of leftOut) failure = (await deletionFailure(item, id)) ?? failure;
		const draft = await item.client.envelope(state.id, existingSchema);
		throwIfOthers(creation, state, draft);
		const now = stateOf(creation, draft, state);
		if (now.state !== 'draft') return now;
		({ leftOut } = now);
		const recipients = recipientsWithLinks(item.client, draft);
		if (leftOut.length === 0) return { ...state, leftOut, output: { ...state.output, recipients } };
	}
	throw stillInDraft(document, state.id, failure);
}

/** Why a recipient may still be there: they may also be deleted already, which the next look tells. */
async function deletionFailure({ client }: Item, recipientId: number) {
	return await client.post('/envelope/recipient/delete', { recipientId }).then(
		() => undefined,
		(error: unknown) => {
			if (error instanceof ApiFailure) return error;
			throw error;
		},
	);
}

/** A mixed-up answer may have named it, or an earlier run may have made it for somebody who is left out now. */
function throwIfOthers(creation: Creation, { id, isOwn }: Draft, draft: Existing) {
	const { document, memory } = creation;
	if (isOwn && !hasExternalId(draft, document.externalId)) {
		memory.keepWrongAnswer(creation, id);
		throw memory.doubtful(creation);
	}
	if (isOwn || document.sending === 'no' || !document.leftOut?.length) return;
	// A team's default recipients, whom nothing tells from others, are usually CCs.
	const acting = draft.recipients.filter((one) => one.role !== 'CC' && !isLeftOut(one));
	const emails = acting.map(({ email }) => email).filter(Boolean);
	if (!includesAll(document.emails, emails)) throw draftOfOthers(document, draft);
}
