import type { IDataObject } from 'n8n-workflow';
import { isElsewhere, isOutcomeUnknown, withNote } from '../api/failure';
import { distribute } from '../envelope/distribute';
import { sendingInDoubt } from './refusals';
import { deleteOwn, outputFor, type State, type Traveller } from './state';

export async function send(traveller: Traveller, state: State): Promise<State> {
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
