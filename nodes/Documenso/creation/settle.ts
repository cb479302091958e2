import { inOrderOfWeight } from './choice';
import { hasExternalId } from './externalId';
import { sentInDoubt } from './refusals';
import { doubtKey } from './run';
import {
	onceSent,
	ownState,
	readIfThere,
	stateOf,
	VISIBLE_MS,
	type State,
	type Traveller,
} from './state';

/** Settles what is open about an earlier try. Only time settles a doubt. */
export async function settle(traveller: Traveller, state: State): Promise<State> {
	switch (state.state) {
		case 'nothing':
			return await checkOthers(traveller);
		case 'doubtful':
			return await settleDoubt(traveller, state.id);
		case 'draft': {
			if (!state.isOwn && state.isToCompare) return await settleRival(traveller);
			if (!state.isOwn) refuseDoubt(traveller);
			// Somebody may have sent or deleted it since.
			if (state.output && traveller.document.sending === 'no') return state;
			const { document, item, run } = traveller;
			const envelope = await readIfThere(item, state.id);
			if (!envelope) return { state: 'nothing', isSecondTry: state.isOwn };
			if (!state.isOwn || hasExternalId(envelope, document.externalId)) {
				return stateOf(traveller, envelope, state);
			}
			// An answer with an ID only may have named another document.
			run.disown(item, document, state.id);
			throw run.doubtful(item, document);
		}
		default:
			return state;
	}
}

/** Another process may have created it since the look. */
async function checkOthers(traveller: Traveller): Promise<State> {
	const { document, item, run } = traveller;
	const arrived = await run.lookUps.arrived(document.externalId, document.folderId);
	for (const { id } of inOrderOfWeight(arrived)) {
		const envelope = await readIfThere(item, id);
		if (envelope) return stateOf(traveller, envelope, { isOwn: false });
	}
	refuseDoubt(traveller);
	return { state: 'nothing' };
}

/** Another execution in this process may be in doubt about a document with the external ID. */
function refuseDoubt({ document, item, run }: Traveller) {
	const { process, progress } = item.execution;
	// Executions that begin at the same moment make up the same names for their items.
	const isKnownByName = document.ifExternalIdExists !== 'create' || progress.retries !== 'nothing';
	const left = isKnownByName ? process.doubts.left(doubtKey(document)) : 0;
	if (left > 0) throw run.doubtful(item, document, { left });
}

/** A draft that another process may be about to send. */
async function settleRival(traveller: Traveller): Promise<State> {
	const { document, item, run } = traveller;
	await item.client.wait(VISIBLE_MS);
	for (const { id } of inOrderOfWeight(await run.lookUps.inAllFolders(document.externalId))) {
		const envelope = await onceSent(traveller, id);
		if (!envelope) continue;
		const state = stateOf(traveller, envelope, { isOwn: false });
		return state.state === 'draft' ? { ...state, isToCompare: false } : state;
	}
	return { state: 'nothing' };
}

async function settleDoubt(traveller: Traveller, id: string | undefined): Promise<State> {
	const { document, item, run } = traveller;
	const before = id === undefined ? undefined : await readIfThere(item, id);
	if (before && before.status !== 'DRAFT') return stateOf(traveller, before, { isOwn: true });
	const left = run.doubtLeft(item);
	if (!(await traveller.settled())) {
		if (id !== undefined) throw sentInDoubt(document, run.timeIn(left), id);
		const { externalId, folderId } = document;
		const found = await run.lookUps.inFolder(externalId, folderId);
		const { own } = await run.ownAmong(item, document, found);
		throw run.doubtful(item, document, { left, possible: own });
	}
	const after = id === undefined ? undefined : await readIfThere(item, id);
	if (after) return stateOf(traveller, after, { isOwn: true });
	const own = await ownState(traveller, await traveller.lookAgain());
	return own ?? { state: 'nothing', isSecondTry: true };
}
