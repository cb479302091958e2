import type { IDataObject } from 'n8n-workflow';

import { foreignAnswerFailure, isElsewhere, isOutcomeUnknown, withNote } from '../api/failure';
import { distribute } from '../envelope/distribute';
import { existingSchema, isFor } from './newDocument';
import { sendingInDoubt, unapprovedDraft } from './refusals';
import { deleteOwn, outputFor, type State, type Traveller } from './state';

/** Sends a draft by its ID. */
export async function send(traveller: Traveller, state: State): Promise<State> {
	const { document, item } = traveller;
	if (state.state !== 'draft' || document.sending === 'no') return state;
	const { id, isOwn, isNew, output } = state;
	if (document.isApproved && !isNew) throw unapprovedDraft(document, { id });
	if (isOwn) {
		const sent = await sendOwn(traveller, id);
		return { state: 'sent', id, isOwn, output: { ...output, ...sent } };
	}
	// An earlier execution may have failed between creating and sending it.
	try {
		await distribute(item.client, id, { isNew: true });
		const sent = await item.client.envelope(id, existingSchema);
		const marks = { alreadyExisted: true, sentNow: true };
		return { state: 'sent', id, isOwn, output: { ...outputFor(traveller, sent), ...marks } };
	} catch (error) {
		const note = `The document ${id} has the External ID of this item. It was a draft, and may have been sent now.`;
		throw withNote(error, note, { documentId: id });
	}
}

async function sendOwn(traveller: Traveller, id: string): Promise<IDataObject> {
	const { document, item, run } = traveller;
	const sent = await distribute(item.client, id, { isNew: true }).catch(async (error: unknown) => {
		throw await sendingFailed(traveller, id, error);
	});
	if (isFor(sent.recipients, document)) return sent;
	// An answer to the creation with an ID only could not be checked before.
	const error = foreignAnswerFailure(
		`Instead of this item's document it named ${id}, which is for others, and was sent now.`,
	);
	run.disown(item, document, id);
	throw run.doubtful(item, document, { error });
}

async function sendingFailed(traveller: Traveller, id: string, error: unknown): Promise<unknown> {
	const { document, item, run } = traveller;
	// If nobody knows whether it was sent, Documenso may still be about to send it.
	if (isOutcomeUnknown(error) || isElsewhere(error)) {
		run.keepDoubt(item, document, { id });
		return sendingInDoubt(error, id);
	}
	// Another worker may be sending it.
	const isShared = document.ifExternalIdExists === 'skipAcrossWorkers';
	const isToDelete = document.ifSendingFails === 'delete' && !isShared;
	if (isToDelete && (await deleteOwn(traveller, id))) {
		item.progress = { state: 'new' };
		return withNote(error, `The draft ${id} was deleted.`, { deletedDocumentId: id });
	}
	return sendingInDoubt(error, id);
}
