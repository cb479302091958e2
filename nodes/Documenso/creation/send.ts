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
import { addedTo } from '../envelope/defaultRecipients';
import { unapprovedDraft } from './existingMessages';
import { draftDeleted, draftKept, sendingInDoubt, withAdded } from './messages';
import { existingSchema, hasExternalId, isFor, type Existing } from './newDocument';
import { deleteUnsent, outputFor, type Creation, type Draft, type There } from './state';

export async function send(creation: Creation, state: There): Promise<There> {
	const { document, item } = creation;
	if (state.state !== 'draft' || document.sending === 'no') return state;
	const { id, isOwn, isNew, output } = state;
	if (document.wasPreviewed && !isNew) throw unapprovedDraft(document, { id });
	if (isOwn) return { state: 'sent', output: { ...output, ...(await sendOwn(creation, state)) } };
	// An earlier execution may have failed between creating and sending it.
	try {
		await sendDraft(creation, state);
		const sent = await item.client.envelope(id, existingSchema);
		tellOthers(creation, sent);
		const { replacedDocumentId } = output;
		const marks = {
			...{ alreadyExisted: true, sentNow: true },
			...(replacedDocumentId ? { replacedDocumentId } : {}),
		};
		return { state: 'sent', output: { ...outputFor(creation, sent), ...marks } };
	} catch (error) {
		const note = `The document ${id} has the External ID of this item. It was a draft, and may have been sent now.`;
		throw withNote(error, note, { documentId: id });
	}
}

/** They may be default recipients of the team, or people who have been taken out of the template since. */
function tellOthers({ document, item }: Creation, { id, recipients }: Existing) {
	const others = addedTo(recipients, document.emails).map(whoIs);
	if (others.length === 0) return;
	item.execution.hints.add(SENT_TO_OTHERS, `${id}: ${others.join(', ')}`, 'warning');
}

const SENT_TO_OTHERS =
	'These documents were drafts before, and were also sent to people whom their items do not name:';

async function sendDraft({ document, item }: Creation, { id, isNew = false, meta }: Draft) {
	if (document.send) return await document.send(id, { isNew, meta });
	return await distribute(item.client, id, { isNew: true, meta });
}

async function sendOwn(creation: Creation, draft: Draft): Promise<IDataObject> {
	const { document, item } = creation;
	const own = document.sending === 'afterwards' ? await readOwn(creation, draft) : undefined;
	// Another process may have sent it meanwhile.
	if (own && own.status !== 'DRAFT') return outputFor(creation, own);
	const sent = await sendDraft(creation, draft).catch(async (error: unknown) => {
		throw await sendingFailed(creation, draft, error);
	});
	if (!isFor(sent.recipients, document)) throw wrongAnswer(creation, draft, 'sent now');
	return own ? { ...sent, url: item.client.documentUrl(own) } : sent;
}

/**
 * Reads and checks the item's draft: Documenso adds fields for text in its PDFs, and the default recipients of a team. The
 * answer to the creation has told only an ID.
 */
async function readOwn(creation: Creation, draft: Draft): Promise<Existing> {
	const { document, item } = creation;
	const own = await readDraft(creation, draft);
	const isOwn = hasExternalId(own, document.externalId) && isFor(own.recipients, document);
	if (!isOwn) throw wrongAnswer(creation, draft, 'not sent');
	try {
		checkSendable(item.client, own);
	} catch (error) {
		const added = addedTo(own.recipients, document.emails);
		const told = added.length > 0 ? withAdded(error, added.map(whoIs).join(', ')) : error;
		throw await unsent(creation, draft, told);
	}
	return own;
}

/** Reads a draft before it is sent. If that fails, the error says that it was not sent. */
export async function readDraft(creation: Creation, draft: Draft): Promise<Existing> {
	try {
		return await creation.item.client.envelope(draft.id, existingSchema);
	} catch (error) {
		throw await unsent(creation, draft, error);
	}
}

function wrongAnswer(creation: Creation, { id }: Draft, what: string): unknown {
	const error = foreignAnswerFailure(
		`Instead of this item's document it named ${id}, which is for others, and was ${what}.`,
	);
	return creation.memory.keepWrongAnswer(creation, id, error);
}

async function sendingFailed(creation: Creation, draft: Draft, error: unknown): Promise<unknown> {
	const { id } = draft;
	// If nobody knows whether it was sent, Documenso may still be about to send it.
	if (isOutcomeUnknown(error) || isElsewhere(error)) {
		creation.memory.keepDoubt(creation, { id });
		return sendingInDoubt(error, id);
	}
	// The node itself has refused to send it.
	if (error instanceof Refusal) return await unsent(creation, draft, error);
	return (await deleteUnsent(creation, id)) ? draftDeleted(error, id) : sendingInDoubt(error, id);
}

/** For a draft that was not sent: it is deleted if that was chosen, and otherwise kept. */
export async function unsent(
	creation: Creation,
	{ id, isOwn }: Draft,
	error: unknown,
): Promise<unknown> {
	if (isOwn && (await deleteUnsent(creation, id))) return draftDeleted(error, id);
	await creation.document.release?.(id);
	return draftKept(error, id);
}
