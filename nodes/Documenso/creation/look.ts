import type { Listed } from '../api/envelope';
import { Turns } from '../api/turns';
import type { FailedItem } from '../engine/nodeError';
import { inOrderOfWeight, LookUps, type Found } from './lookUps';
import { CreationMemory, type Asked } from './memory';
import { tellExisting, unclear } from './messages';
import {
	earlierWithSameId,
	isFor,
	isOfRetried,
	madeUpOf,
	type Existing,
	type PlannedDocument,
} from './newDocument';
import { certainlyOwn, checkExisting, stateOf, type Creation, type State } from './state';

/** Finds out for all items of a run what there is of their documents, before anything is created. */
export class Look {
	readonly creations: Creation[];
	/** The items that must not be created. */
	readonly failed: FailedItem[] = [];
	private readonly memory: CreationMemory;
	private readonly lookUps: LookUps;
	private readonly turns = new Turns();

	constructor(plans: PlannedDocument[]) {
		const [{ item: anyItem }] = plans as [PlannedDocument];
		const { client, execution } = anyItem;
		const memory = (this.memory = new CreationMemory(execution, client));
		const lookUps = (this.lookUps = new LookUps(client, execution.process));
		const earlier = earlierWithSameId(plans);
		this.creations = plans.map(({ item, plan: document }) => {
			const asked = { item, document };
			const by = earlier.get(item.index);
			const looked: State = by === undefined ? keptState(memory, asked) : { state: 'claimed', by };
			return { ...asked, memory, lookUps, looked };
		});
	}

	/** Looks for what earlier tries of the items created, and with Skip and Fail for any document with the external ID. */
	async atAll() {
		await this.find().catch((error: unknown) => {
			this.failAll(error);
		});
	}

	private async find() {
		const { lookUps, memory } = this;
		const isRetry = memory.execution.progress.retries !== 'nothing';
		const wanted = this.creations.filter(({ document, looked }) => {
			if (looked.state === 'doubtful') return looked.id === undefined;
			return looked.state === 'nothing' && (isRetry || document.ifExternalIdExists !== 'create');
		});
		if (wanted.length === 0) return;
		const found = await lookUps.everywhere(wanted.map(({ document }) => document.externalId));
		const candidates = new Map<Creation, Listed[]>();
		for (const one of wanted) {
			await this.attempt(one, async () => {
				candidates.set(one, candidatesFor(one, found.with(one.document.externalId)));
			});
		}
		this.refuseMoved(wanted, found, candidates);
		await this.refuseRenamed(candidates);
		const firstOf = await lookUps.readFirst([...candidates.values()]);
		for (const [one, all] of candidates) {
			await this.attempt(one, async () => {
				one.looked = lookedAs(one, await firstOf(all));
			});
		}
		// Another process may create what is missing here.
		const open = this.creations.filter(({ looked }) => looked.state === 'nothing');
		const documents = open.map(({ document }) => document);
		const unique = documents.filter(({ ifExternalIdExists }) => ifExternalIdExists !== 'create');
		lookUps.watch(unique, found.all);
		this.tell(candidates);
	}

	/** Refuses the items without a document for which the retried execution may have created one in another place. */
	private refuseMoved(
		creations: Creation[],
		found: Found,
		candidates: ReadonlyMap<Creation, Listed[]>,
	) {
		const mayBeOf = ofMovedRows(creations, found);
		for (const one of creations) {
			const mayBeOwn = candidates.get(one)?.length === 0 ? mayBeOf(one) : [];
			if (mayBeOwn.length === 0) continue;
			this.failed.push({ item: one.item.index, caught: unclear(one.document, mayBeOwn) });
		}
	}

	/** The same for what it created before its items got External IDs. */
	private async refuseRenamed(candidates: ReadonlyMap<Creation, Listed[]>) {
		const renamed = [...candidates.keys()].filter(
			({ item, document, memory }) =>
				document.externalId.madeUp && memory.isInDoubt(item) && !memory.keptFor(item),
		);
		if (renamed.length === 0) return;
		const madeUp = renamed.flatMap(({ document }) => madeUpOf(document) ?? []);
		this.refuseMoved(renamed, await this.lookUps.everywhere(madeUp), candidates);
	}

	private tell(candidates: ReadonlyMap<Creation, Listed[]>) {
		const existing = new Map([...candidates].map(([{ item }, [one]]) => [item.index, one]));
		const known = this.creations.flatMap(({ item, document, looked }) => {
			const one = existing.get(looked.state === 'claimed' ? looked.by : item.index);
			return one ? [{ item, document, existing: one }] : [];
		});
		tellExisting(known, this.creations.length);
	}

	private async attempt({ item }: Creation, work: () => Promise<void>) {
		await this.turns.next();
		try {
			await work();
		} catch (caught) {
			this.failed.push({ item: item.index, caught });
		}
	}

	/** The look has failed: each item in doubt has an error that says that there may be a document. */
	private failAll(error: unknown) {
		const { memory } = this;
		if (memory.execution.isCancelled) throw error;
		const failed = this.creations.map((one) => {
			if (memory.isInDoubt(one.item)) memory.keepLost(one);
			return { item: one.item.index, caught: memory.naming(one, error, 0) };
		});
		if (failed.every(({ caught }) => caught === error)) throw error;
		this.failed.push(...failed);
	}
}

/** What an earlier try has left. */
function keptState(memory: CreationMemory, asked: Asked): State {
	const kept = memory.keptFor(asked.item);
	if (!kept) return { state: 'nothing' };
	if (kept.state === 'draft') return { state: 'kept', id: kept.id };
	memory.resumeDoubt(asked, kept);
	return { state: 'doubtful', id: kept.id };
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
		return stateOf(creation, envelope, { isOwn: isOwn(creation, envelope) });
	}
	if (!isInDoubt) return creation.looked;
	memory.keepLost(creation);
	return { state: 'doubtful' };
}

/** The items in doubt of a run: they wait, and are looked for again, together. */
export class InDoubt {
	private waiting?: Promise<boolean>;
	private looking?: Promise<{ found: Found; mayBeOf: (one: Creation) => Listed[] }>;

	constructor(
		private readonly creations: Creation[],
		/** Awaits the items in no doubt. Returns whether none has failed. */
		private readonly certain: () => Promise<boolean>,
	) {}

	/**
	 * Waits until no request of any of them can take effect any more. Returns whether that is so. What is certain is
	 * finished first; if that fails, the run ends, and the next try waits.
	 */
	async settled({ memory }: Creation): Promise<boolean> {
		return await (this.waiting ??= this.wait(memory));
	}

	private async wait(memory: CreationMemory): Promise<boolean> {
		const isDone = await this.certain();
		if (!isDone && !memory.execution.continueOnFail) return false;
		return await memory.settled(this.creations.map(({ item }) => item));
	}

	/** The documents with the item's external ID. Throws if its row has moved, so that one with another ID may be its. */
	async lookAgain(creation: Creation): Promise<Listed[]> {
		const { document, lookUps } = creation;
		const { found, mayBeOf } = await (this.looking ??= this.look(lookUps));
		const own = found.with(document.externalId);
		const isThere = own.some(({ recipients }) => isFor(recipients, document));
		const mayBeOwn = isThere ? [] : mayBeOf(creation);
		if (mayBeOwn.length > 0) throw unclear(document, mayBeOwn);
		return own;
	}

	private async look(lookUps: LookUps) {
		const wanted = this.creations.map(({ document }) => document.externalId);
		const found = await lookUps.everywhere(wanted);
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
	const byAddress = new Map<string, Listed[]>();
	for (const one of found.all) {
		if (placed.has(one.id) || !isOfRetried(one, madeUp)) continue;
		for (const { email } of one.recipients) {
			const others = byAddress.get(email);
			if (others) others.push(one);
			else byAddress.set(email, [one]);
		}
	}
	return ({ document, item, memory }) => {
		if (!madeUpOf(document)) return [];
		// Of many items with one recipient in common, the others tell them apart.
		const [fewest = []] = document.emails
			.map((email) => byAddress.get(email.toLowerCase()) ?? [])
			.sort((one, other) => one.length - other.length);
		return fewest.filter(
			({ id, recipients }) => isFor(recipients, document) && !memory.isOfAnother(item, id),
		);
	};
}
