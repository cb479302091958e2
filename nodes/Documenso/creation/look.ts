import type { Listed } from '../../shared/api/envelope';
import { Turns } from '../../shared/api/turns';
import type { Item } from '../../shared/n8n/item';
import { groupedBy } from '../../shared/n8n/values';

import type { CreationMemory } from './memory';
import { unclear } from './messages';
import {
	countsAlone,
	isFor,
	isOfRetried,
	madeUpOf,
	type Existing,
	type ExternalId,
} from './newDocument';
import { firstCounting, saysTheSame } from './outdated';
import { savedIn } from './savedProgress';
import { inOrderOfWeight, type Found, type Search } from './search';
import { certainlyOwn, checkExisting, stateOf, type Creation, type State } from './state';

export interface Looked {
	creation: Creation;
	state: State;
	/** The documents that count for it, the first one that is there; undefined if none was looked for. */
	candidates?: Listed[];
}

/**
 * Looks, before anything is created, for what earlier tries of the items created, and with Skip and Fail for any document
 * with the external ID.
 */
export async function look(creations: Creation[], search: Search): Promise<Looked[]> {
	const saved = creations.map((creation) => ({ creation, state: savedState(creation) }));
	const groups = groupedBy(saved, isSought);
	const sought = groups.get(true);
	if (!sought) return saved;
	const found = await search.everywhere(sought.map(({ creation }) => creation.document.externalId));
	const chosen = await inTurns(sought, (one) => ({
		...one,
		candidates: candidatesFor(one.creation, found.with(one.creation.document.externalId)),
	}));
	const placed = withoutMoved(chosen, sought, found);
	const named = await withoutRenamed(placed, search);
	const read = await search.readFirst(named.map(({ candidates = [] }) => candidates));
	const looked = await inTurns(named, async (one) => ({
		...one,
		state: lookedAs(one.creation, await firstCounting(one.creation, one.candidates ?? [], read)),
	}));
	// Another process may create what is missing here.
	const open = looked.flatMap(({ creation: { document }, state }) =>
		state.state === 'nothing' && document.ifExternalIdExists !== 'create' ? [document] : [],
	);
	search.watch(open, found.all);
	return [...(groups.get(false) ?? []), ...looked];
}

/** What an earlier try has left. */
function savedState(asked: Creation): State {
	const saved = savedIn(asked.item.progress);
	if (!saved) return { state: 'nothing' };
	if (saved.state === 'draft') return { state: 'saved', id: saved.id };
	asked.memory.resumeDoubt(asked, saved);
	return { state: 'doubtful', id: saved.id };
}

function isSought({ creation: { document, item }, state }: Looked): boolean {
	if (state.state === 'doubtful') return state.id === undefined;
	const { isRetry } = item.execution.progress;
	const { ifExternalIdExists, externalId } = document;
	const isAsked = isRetry || ifExternalIdExists !== 'create' || isRepeated(item, externalId);
	return state.state === 'nothing' && isAsked;
}

/**
 * Whether this process has created a document with this made-up ID, which only this item has. Without a free slot, n8n
 * may go on twice from one wait: then the node runs again, and knows nothing of its first run.
 */
function isRepeated({ client, execution }: Item, { source, value }: ExternalId): boolean {
	return source === 'own' && execution.process.recent.of(client.account, value) !== undefined;
}

/** Does the next step for the items that are not refused. What it throws refuses the item. */
async function inTurns(
	all: Looked[],
	step: (one: Looked) => Looked | Promise<Looked>,
): Promise<Looked[]> {
	const turns = new Turns();
	const results: Looked[] = [];
	for (const one of all) {
		await turns.next();
		if (one.state.state === 'refused') {
			results.push(one);
			continue;
		}
		try {
			results.push(await step(one));
		} catch (error) {
			results.push(refusedFor(one, error));
		}
	}
	return results;
}

function refusedFor(one: Looked, error: unknown): Looked {
	return { ...one, state: { state: 'refused', error } };
}

/** Refuses the items without a document for which the retried execution may have created one in another place. */
function withoutMoved(all: Looked[], sought: Looked[], found: Found): Looked[] {
	const mayBeOf = ofMovedRows(
		sought.map(({ creation }) => creation),
		found,
	);
	return all.map((one) => {
		const mayBeOwn = one.candidates?.length === 0 ? mayBeOf(one.creation) : [];
		return mayBeOwn.length > 0 ? refusedFor(one, unclear(one.creation.document, mayBeOwn)) : one;
	});
}

/** The same for what it created before its items got External IDs. */
async function withoutRenamed(all: Looked[], search: Search): Promise<Looked[]> {
	const isRenamed = ({ creation: { item, document, memory } }: Looked) =>
		document.externalId.madeUp && memory.isInDoubt(item) && !savedIn(item.progress);
	const renamed = all.filter(isRenamed);
	if (renamed.length === 0) return all;
	const madeUp = renamed.flatMap(({ creation }) => madeUpOf(creation.document) ?? []);
	return withoutMoved(all, renamed, await search.everywhere(madeUp));
}

/** The documents that count for an item: the first one that is there. */
function candidatesFor(creation: Creation, found: Listed[]): Listed[] {
	if (creation.document.ifExternalIdExists === 'create') return certainlyOwn(creation, found);
	const ordered = inOrderOfWeight(found);
	const [chosen] = ordered;
	if (chosen && !isOwn(creation, chosen)) checkExisting(creation, chosen);
	return ordered;
}

/** With Skip and Fail, an earlier try of the item found none: what is there now is what it created. */
function isOwn({ document, item, memory }: Creation, { recipients }: Pick<Listed, 'recipients'>) {
	const mayBeOwn = document.ifExternalIdExists === 'create' || memory.isInDoubt(item);
	return mayBeOwn && isFor(recipients, document);
}

/** The state of an item, if this is the first of its candidates that is there. */
function lookedAs(creation: Creation, envelope: Existing | undefined): State {
	const { document, item, memory } = creation;
	const isInDoubt = memory.isInDoubt(item);
	// An earlier request may still send or delete a draft.
	const isAwaited = isInDoubt && envelope?.status === 'DRAFT' && document.sending !== 'no';
	if (envelope && !isAwaited) {
		const isSame = saysTheSame(creation, envelope);
		return stateOf(creation, envelope, { isOwn: isSame && isOwn(creation, envelope) });
	}
	if (!isInDoubt) {
		const mayStillCome = memory.isAfterKill && countsAlone(document);
		return mayStillCome ? { state: 'doubtful', isOfAnother: true } : { state: 'nothing' };
	}
	memory.keepLost(creation);
	return { state: 'doubtful' };
}

/** The items in doubt of a run: they wait, and are looked for again, together. */
export class InDoubt {
	private waiting?: Promise<boolean>;
	private looking?: Promise<{ found: Found; mayBeOf: (one: Creation) => Listed[] }>;

	constructor(
		private readonly creations: Creation[],
		/** What has begun for the items in no doubt. */
		private readonly certain: Array<Promise<unknown>>,
	) {}

	/**
	 * Waits until no request of any of them can take effect any more. Returns whether that is so. What is certain is
	 * finished first; if that fails, the run ends, and the next try waits.
	 */
	async waitedOut({ memory }: Creation): Promise<boolean> {
		return await (this.waiting ??= this.wait(memory));
	}

	private async wait(memory: CreationMemory): Promise<boolean> {
		const ended = await Promise.allSettled(this.certain);
		const isDone = ended.every(({ status }) => status === 'fulfilled');
		if (!isDone && !memory.execution.continueOnFail) return false;
		return await memory.waitOut(this.creations.map(({ item }) => item));
	}

	/** The documents with the item's external ID. Throws if its row has moved, so that one with another ID may be its. */
	async lookAgain(creation: Creation): Promise<Listed[]> {
		const { document, search } = creation;
		const { found, mayBeOf } = await (this.looking ??= this.look(search));
		const own = found.with(document.externalId);
		const isThere = own.some(({ recipients }) => isFor(recipients, document));
		const mayBeOwn = isThere ? [] : mayBeOf(creation);
		if (mayBeOwn.length > 0) throw unclear(document, mayBeOwn);
		return own;
	}

	private async look(search: Search) {
		const wanted = this.creations.map(({ document }) => document.externalId);
		const found = await search.everywhere(wanted);
		return { found, mayBeOf: ofMovedRows(this.creations, found) };
	}
}

/**
 * What the retried execution created under made-up IDs, and what fits no item in the same place now: a spreadsheet that is
 * read again may have its rows in other places, and a changed workflow may give them other IDs. Tells for an item which
 * of these have its recipients.
 */
function ofMovedRows(creations: Creation[], found: Found): (one: Creation) => Listed[] {
	const [madeUp] = creations.flatMap(({ document }) => madeUpOf(document) ?? []);
	if (!madeUp) return () => [];
	const fitting = creations.flatMap(({ document }) =>
		found.with(document.externalId).filter(({ recipients }) => isFor(recipients, document)),
	);
	const placed = new Set(fitting.map(({ id }) => id));
	const moved = found.all.filter((one) => !placed.has(one.id) && isOfRetried(one, madeUp));
	const pairs = moved.flatMap((one) => one.recipients.map(({ email }) => ({ email, one })));
	const byAddress = groupedBy(pairs, ({ email }) => email);
	return ({ document, item, memory }) => {
		if (!madeUpOf(document)) return [];
		// Of many items with one recipient in common, the others tell them apart.
		const [fewest = []] = document.emails
			.map((email) => (byAddress.get(email.toLowerCase()) ?? []).map(({ one }) => one))
			.sort((one, other) => one.length - other.length);
		return fewest.filter(
			({ id, recipients }) => isFor(recipients, document) && !memory.isOfAnother(item, id),
		);
	};
}
