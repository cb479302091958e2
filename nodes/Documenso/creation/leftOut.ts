import type { IDataObject } from 'n8n-workflow';

import { ApiFailure } from '../../shared/api/failure';
import { parse } from '../../shared/api/records';
import type { Item } from '../../shared/n8n/item';
import { checkSendable, recipientsWithLinks } from '../envelope/distribute';
import { draftOfOthers } from './existingMessages';
import { stillInDraft } from './messages';
import { existingSchema, hasExternalId, isForMore, type Existing } from './newDocument';
import { unsent } from './send';
import { stateOf, type Creation, type Draft, type There } from './state';

/** An answer may be lost, or may not tell who is in the draft: whoever the first look still finds is deleted once more. */
const MOST_TRIES = 2;

/**
 * Deletes those from a draft who are left out of the document; Documenso deletes their fields, too. Then the draft is
 * read: it goes on only without them. Nobody has their made-up addresses, so another process may do the same at any time.
 */
export async function takeOut(creation: Creation, state: There): Promise<There> {
	const { document, item } = creation;
	if (state.state !== 'draft') return state;
	if (state.leftOut.length === 0 && !document.leftOut?.length) return state;
	let { leftOut } = state;
	let failure: ApiFailure | undefined;
	for (let tries = 0; tries < MOST_TRIES; tries++) {
		for (const id of leftOut) failure = (await deletionFailure(item, id)) ?? failure;
		const record = await item.client.envelope(state.id);
		const draft = parse(existingSchema, record);
		throwIfOthers(creation, state, draft);
		const now = stateOf(creation, draft, state);
		if (now.state !== 'draft') return now;
		({ leftOut } = now);
		if (leftOut.length > 0) continue;
		await checkRest(creation, state, record);
		const recipients = recipientsWithLinks(item.client, draft);
		return { ...state, leftOut, output: { ...state.output, recipients } };
	}
	throw await unsent(creation, state, stillInDraft(document, failure));
}

/** Without them, and with what Documenso has added, the draft has to be one that can be signed to its end. */
async function checkRest(creation: Creation, state: Draft, record: IDataObject) {
	const { document, item } = creation;
	if (document.sending === 'no') return;
	try {
		checkSendable(item.client, record, { mayLackAddress: true });
	} catch (error) {
		throw await unsent(creation, state, error);
	}
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
	const isWrong = isOwn && !hasExternalId(draft, document.externalId);
	if (isWrong) throw memory.keepWrongAnswer(creation, id);
	if (isOwn || document.sending === 'no') return;
	if (isForMore(draft.recipients, document)) throw draftOfOthers(document, draft);
}
