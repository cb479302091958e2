import type { IDataObject } from 'n8n-workflow';

import {
	foreignAnswerFailure,
	isElsewhere,
	isOutcomeUnknown,
	withNote,
} from '../../shared/api/failure';
import { whoIs } from '../../shared/envelope/whoCanSign';
import { Refusal } from '../../shared/n8n/refusal';
import { checkSendable, distribute } from '../envelope/distribute';
import { addedTo } from '../envelope/sentDocument';
import { draftDeleted, draftKept, sendingInDoubt, unapprovedDraft, withAdded } from './messages';
import { existingSchema, isFor, type Existing } from './newDocument';
import { deleteUnsent, outputFor, type Creation, type Draft, type There } from './state';

/** Sends a draft by its ID. */
export async function send(creation: Creation, state: There): Promise<There> {
	const { document, item } = creation;
	if (state.state !== 'draft' || document.sending === 'no') return state;
	const { id, isOwn, isNew, output } = state;
	if (document.isApproved && !isNew) throw unapprovedDraft(document, { id });
	if (isOwn) return { state: 'sent', output: { ...output, ...(await sendOwn(creation, state)) } };
	// An earlier execution may have failed between creating and sending it.
	try {
		await sendDraft(creation, state);
		const sent = await item.client.envelope(id, existingSchema);
		const marks = { alreadyExisted: true, sentNow: true };
		return { state: 'sent', output: { ...outputFor(creation, sent), ...marks } };
	} catch (error) {
		const note = `The document ${id} has the External ID of this item. It was a draft, and may have been sent now.`;
		throw withNote(error, note, { documentId: id });
	}
}

async function sendDraft({ document, item }: Creation, { id, isNew = false }: Draft) {
	if (document.send) return await document.send(id, { isNew });
	return await distribute(item.client, id, { isNew: true });
}

async function sendOwn(creation: Creation, draft: Draft): Promise<IDataObject> {
	const { document, memory } = creation;
	const { id } = draft;
	let mayBeSent = document.sending !== 'afterwards';
	const send = async () => {
		if (mayBeSent) return await sendDraft(creation, draft);
		const { client } = creation.item;
		const own = await client.envelope(id, existingSchema);
		const { recipients } = own;
		if (!isFor(recipients, document)) return { recipients };
		checkOwn(creation, own);
		mayBeSent = true;
		return { ...(await sendDraft(creation, draft)), url: client.documentUrl(own) };
	};
	const sent = await send().catch(async (error: unknown) => {
		throw await sendingFailed(creation, id, { error, mayBeSent });
	});
	if (isFor(sent.recipients, document)) return sent;
	// An answer to the creation with an ID only could not be checked before.
	const what = mayBeSent ? 'and was sent now' : 'and was not sent';
	const error = foreignAnswerFailure(
		`Instead of this item's document it named ${id}, which is for others, ${what}.`,
	);
	memory.keepWrongAnswer(creation, id);
	throw memory.doubtful(creation, { error });
}

/** Documenso adds fields for text in a document's PDFs, and the default recipients of a team. */
function checkOwn({ document, item }: Creation, draft: Existing) {
	try {
		checkSendable(item.client, draft);
	} catch (error) {
		const added = addedTo(draft.recipients, document.emails);
		throw added.length > 0 ? withAdded(error, added.map(whoIs).join(', ')) : error;
	}
}

async function sendingFailed(
	creation: Creation,
	id: string,
	{ error, mayBeSent }: { error: unknown; mayBeSent: boolean },
): Promise<unknown> {
	// If nobody knows whether it was sent, Documenso may still be about to send it.
	if (mayBeSent && (isOutcomeUnknown(error) || isElsewhere(error))) {
		creation.memory.keepDoubt(creation, { id });
		return sendingInDoubt(error, id);
	}
	if (await deleteUnsent(creation, id)) return draftDeleted(error, id);
	if (mayBeSent && !(error instanceof Refusal)) return sendingInDoubt(error, id);
	// The node has only looked at the draft, and sent nothing.
	await creation.document.release?.(id);
	return draftKept(error, id);
}
