import type { Listed } from '../api/envelope';
import {
	ApiFailure,
	foreignAnswerFailure,
	hasCode,
	isOutcomeUnknown,
	mayHaveEffect,
} from '../api/failure';
import { LOOKS } from '../envelope/distribute';
import { isFor, type Created } from './newDocument';
import { sendingInDoubt } from './refusals';
import { doubtKey } from './run';
import { ownState, type State, type Traveller } from './state';

/** Creates the document, if there is none: as a draft if others may do the same at this moment, and in a test. */
export async function post(traveller: Traveller, state: State): Promise<State> {
	if (state.state !== 'nothing') return state;
	const { document, item, run } = traveller;
	const isToCompare =
		state.isSecondTry === true || document.ifExternalIdExists === 'skipAcrossWorkers';
	const { process, testAddress } = item.execution;
	const isTest = testAddress !== undefined;
	const isToBeSent = document.sending === 'whileCreating' && !isToCompare && !isTest;
	const sentAt = state.isSecondTry ? run.sentAt(item) : process.uptime();
	const before = item.progress;
	// The process may end before the answer comes.
	run.keepDoubt(item, document, { sentAt });
	const answer = await document.create(isToBeSent).then(
		(created) => checkedAnswer(traveller, created),
		(error: unknown) => ({ error }),
	);
	if ('error' in answer) {
		const { error } = answer;
		if (!mayHaveEffect(error)) {
			process.doubts.remove(doubtKey(document));
			// An earlier request is in doubt as before.
			item.progress = before;
			throw error;
		}
		run.keepDoubt(item, document, { sentAt });
		return await foundAfterFailure(traveller, isToBeSent, error);
	}
	const { id, json } = answer.created;
	process.created.add(id);
	process.doubts.remove(doubtKey(document));
	run.keepDraft(item, document, id, { isProved: true, isToCompare, sentAt });
	const known = { id, isOwn: true, output: json };
	return isToBeSent
		? { state: 'sent', ...known }
		: { state: 'draft', isNew: true, isToCompare, ...known };
}

/** The answer, or a failure: something between n8n and Documenso may mix up answers. */
function checkedAnswer(
	{ document, item, run }: Traveller,
	created: Created,
): { created: Created } | { error: ApiFailure } {
	const { id, emails } = created;
	if (run.isOfAnother(item, id)) {
		return { error: foreignAnswerFailure('It names a document that another item has.') };
	}
	const recipients = emails?.map((email) => ({ email }));
	if (recipients && !isFor(recipients, document)) {
		return { error: foreignAnswerFailure('It names a document for other recipients.') };
	}
	return { created };
}

/** The document that a failed request created after all. Throws if there is none yet. */
async function foundAfterFailure(
	traveller: Traveller,
	isToBeSent: boolean,
	error: unknown,
): Promise<State> {
	const { document, item, run } = traveller;
	const isFinal = hasCode(error, 'DOCUMENT_SEND_FAILED');
	const found = await lookForOwn(traveller, isToBeSent && !isFinal, error);
	const own = await ownState(traveller, found);
	// Documenso sends while it creates: what is a draft now may be sent a moment later.
	if (own && (own.state !== 'draft' || !isToBeSent || isFinal)) return own;
	const isProved = own && 'id' in own && run.standing(item, document, own.id).isProved;
	if (isProved) {
		run.keepDoubt(item, document, { id: own.id });
		throw sendingInDoubt(error, own.id);
	}
	if (own) run.keepDoubt(item, document);
	const { own: possible } = await run.ownAmong(item, document, found);
	throw run.doubtful(item, document, { error, possible });
}

/** Looks several times if Documenso may still be at work. */
async function lookForOwn(
	{ document, item, run }: Traveller,
	isToBeSent: boolean,
	error: unknown,
): Promise<Listed[]> {
	let found: Listed[] = [];
	for (const pause of isOutcomeUnknown(error) ? LOOKS : [0]) {
		await item.client.wait(pause);
		const { externalId, folderId } = document;
		found = await run.lookUps.inFolder(externalId, folderId).catch(() => found);
		const { own } = await run.ownAmong(item, document, found);
		const isThere = own.some(({ status }) => status !== 'DRAFT' || !isToBeSent);
		if (isThere && !run.hasRival(item, document)) break;
	}
	return found;
}
