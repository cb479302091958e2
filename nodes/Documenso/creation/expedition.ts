import type { IDataObject } from 'n8n-workflow';

import type { Listed } from '../api/envelope';
import { Turns } from '../api/turns';
import type { Item } from '../engine/item';
import type { FailedItem } from '../engine/nodeError';
import type { Planned } from '../engine/planned';
import type { Claim } from '../engine/process';
import type { Course } from '../engine/work';
import { agree } from './agree';
import { inOrderOfWeight } from './choice';
import { tellExisting } from './hints';
import type { Found } from './look';
import { madeUpOf, Moved } from './moved';
import { isFor, type Existing, type NewDocument } from './newDocument';
import { post } from './post';
import { refusedId, unclear } from './refusals';
import { CreationRun, doubtKey } from './run';
import { send } from './send';
import { settle } from './settle';
import {
	certainlyOwn,
	checkExisting,
	readIfThere,
	stateOf,
	VISIBLE_MS,
	type State,
	type Traveller,
} from './state';
import { refuseOthers } from './testRun';

export type PlannedDocument = Planned<NewDocument>;

/** The items that are the first with an external ID which must not be used twice. */
export function firstOfEach(plans: PlannedDocument[]): Map<string, PlannedDocument> {
	const unique = plans.filter(({ plan }) => plan.ifExternalIdExists !== 'create');
	return new Map(unique.reverse().map((one) => [one.plan.externalId.value, one]));
}

/** The items of a run that have set out to create their documents. */
export class Expedition {
	readonly failed: FailedItem[] = [];
	private readonly turns = new Turns();
	private readonly states = new Map<number, State>();
	private readonly outputs = new Map<number, Promise<IDataObject>>();
	private waiting?: Promise<boolean>;
	private secondLook?: Promise<{ found: Found; moved: Moved }>;
	/** The items in no doubt that have not ended yet. */
	private readonly certain = new Set<number>();
	private certainFailed = false;
	private endCertain: () => void = () => undefined;
	private readonly certainEnded = new Promise<void>((resolve) => (this.endCertain = resolve));

	private constructor(
		private readonly plans: PlannedDocument[],
		private readonly run: CreationRun,
		private readonly claim: Claim,
	) {}

	/**
	 * Waits until no other execution works on the same external IDs, and looks for what exists: what earlier tries of
	 * these items created, and with Skip and Fail any document with the external ID.
	 */
	static async begin(plans: PlannedDocument[]): Promise<Expedition> {
		const [{ item }] = plans as [PlannedDocument];
		const { execution, client } = item;
		const first = firstOfEach(plans);
		// Somebody may retry an execution while another retry of it is at work.
		const isRetry = execution.progress.retries !== 'nothing';
		const claimed = plans.filter(({ plan }) => isRetry || plan.ifExternalIdExists !== 'create');
		const claim = execution.process.claims.take(claimed.map(({ plan }) => doubtKey(plan)));
		execution.onEnd(() => {
			claim.releaseAll();
		});
		await claim.granted(execution.context.getExecutionCancelSignal());
		const run = new CreationRun(execution, client);
		const expedition = new Expedition(plans, run, claim);
		for (const { item: one, plan } of plans) {
			const by = first.get(plan.externalId.value)?.item.index ?? one.index;
			const isClaimed = plan.ifExternalIdExists !== 'create' && by !== one.index;
			expedition.states.set(
				one.index,
				isClaimed ? { state: 'claimed', by } : keptState(run, one, plan),
			);
		}
		await expedition.look().catch((error: unknown) => {
			expedition.failAll(error);
		});
		expedition.count();
		return expedition;
	}

	get course(): Course {
		return { isLast: (index) => this.isLast(index), newRun: newRunWith(this.plans) };
	}

	/** Items in doubt come last: what is certain is done before anything waits. */
	private isLast(index: number): boolean {
		const state = this.states.get(index);
		return state?.state === 'claimed' ? this.isLast(state.by) : state?.state === 'doubtful';
	}

	/** Creates the item's document, or returns the one that it has. */
	async travel(item: Item, document: NewDocument): Promise<IDataObject> {
		const state = this.states.get(item.index) ?? { state: 'nothing' };
		if (state.state === 'claimed') return await this.sameAs(state.by, document);
		const output = journey(this.traveller(item, document), state)
			.catch((error: unknown) => {
				if (this.certain.has(item.index)) this.certainFailed = true;
				throw this.run.naming(item, document, error);
			})
			.finally(() => {
				this.release(item, document);
				this.certain.delete(item.index);
				if (this.certain.size === 0) this.endCertain();
			});
		this.outputs.set(item.index, output);
		return await output;
	}

	private async sameAs(index: number, { externalId }: NewDocument): Promise<IDataObject> {
		const output = await this.outputs.get(index)?.catch(() => undefined);
		// There is none either if the look has refused the item.
		if (!output) {
			throw refusedId(
				`is "${externalId.value}". Item ${index} has the same External ID, and its document could not be created`,
				`Correct item ${index}, and run this item again.`,
			);
		}
		return { ...output, alreadyExisted: true };
	}

	private traveller(item: Item, document: NewDocument): Traveller {
		const { run } = this;
		return {
			...{ item, document, run },
			settled: async () => await this.settled(),
			lookAgain: async () => await this.lookAgain({ item, plan: document }),
		};
	}

	/** Lets other executions look for the external ID, once they can see what was created. */
	private release(item: Item, document: NewDocument) {
		const { process } = this.run.execution;
		const isNew = this.run.keptFor(item) !== undefined;
		this.claim.release(doubtKey(document), isNew ? process.sleep(VISIBLE_MS) : undefined);
	}

	private count() {
		const failed = new Set(this.failed.map(({ item }) => item));
		for (const { item } of this.plans) {
			const state = this.states.get(item.index)?.state;
			const isCertain = state !== 'doubtful' && state !== 'claimed';
			if (isCertain && !failed.has(item.index)) this.certain.add(item.index);
		}
		if (this.certain.size === 0) this.endCertain();
	}

	/** What is certain is finished first; if that fails, the run ends, and the next try waits. */
	private async settled(): Promise<boolean> {
		await this.certainEnded;
		if (this.certainFailed && !this.run.execution.continueOnFail) return false;
		// One wait for all of them.
		return await (this.waiting ??= this.run.settled(
			this.inState('doubtful').map(({ item }) => item),
		));
	}

	/** The documents with the item's external ID. Throws if its row has moved, so that one with another ID may be its. */
	private async lookAgain(one: PlannedDocument): Promise<Listed[]> {
		const { found, moved } = await (this.secondLook ??= this.lookForDoubtful());
		const own = found.with(one.plan.externalId);
		const isThere = own.some(({ recipients }) => isFor(recipients, one.plan));
		const mayBeOwn = isThere ? [] : moved.for(one);
		if (mayBeOwn.length > 0) throw unclear(one.plan, mayBeOwn);
		return own;
	}

	private async lookForDoubtful() {
		const open = this.inState('doubtful');
		const found = await this.run.lookUps.everywhere(open.map(({ plan }) => plan.externalId));
		return { found, moved: new Moved(open, found, this.run) };
	}

	private inState(...states: Array<State['state']>): PlannedDocument[] {
		return this.plans.filter(({ item }) =>
			states.includes(this.states.get(item.index)?.state ?? 'nothing'),
		);
	}

	private async look() {
		const { run } = this;
		const isRetry = run.execution.progress.retries !== 'nothing';
		const wanted = this.plans.filter(({ item, plan }) => {
			const state = this.states.get(item.index);
			if (state?.state === 'doubtful') return state.id === undefined;
			return state?.state === 'nothing' && (isRetry || plan.ifExternalIdExists !== 'create');
		});
		if (wanted.length === 0) return;
		const found = await run.lookUps.everywhere(wanted.map(({ plan }) => plan.externalId));
		const candidates = new Map<PlannedDocument, Listed[]>();
		for (const one of wanted) {
			await this.attempt(one, async () => {
				candidates.set(one, await this.candidatesFor(one, found.with(one.plan.externalId)));
			});
		}
		const missing = wanted.filter((one) => candidates.get(one)?.length === 0);
		this.refuseMoved(missing, new Moved(wanted, found, run));
		await this.refuseRenamed(candidates);
		const first = [...candidates.values()].flatMap(([one]) => one?.id ?? []);
		const read = await run.lookUps.read(first);
		for (const [one, all] of candidates) {
			await this.attempt(one, async () => {
				await this.take(one, all, read);
			});
		}
		this.watch(found);
		const existing = new Map([...candidates].map(([{ item }, [one]]) => [item.index, one]));
		tellExisting(
			this.plans.flatMap((one) => {
				const state = this.states.get(one.item.index);
				const by = state?.state === 'claimed' ? state.by : one.item.index;
				const document = existing.get(by);
				return document ? [{ ...one, existing: document }] : [];
			}),
			this.plans.length,
		);
	}

	/** The look has failed: each item in doubt has an error that says that there may be a document. */
	private failAll(error: unknown) {
		const { run } = this;
		if (run.execution.isCancelled) throw error;
		const failed = this.plans.map(({ item, plan }) => {
			if (this.isInDoubt(item) && !run.keptFor(item)) run.keepLost(item, plan);
			return { item: item.index, caught: run.naming(item, plan, error, 0) };
		});
		if (failed.every(({ caught }) => caught === error)) throw error;
		this.failed.push(...failed);
	}

	private async attempt({ item }: PlannedDocument, work: () => Promise<void>) {
		await this.turns.next();
		try {
			await work();
		} catch (caught) {
			this.failed.push({ item: item.index, caught });
		}
	}

	/** The documents that count for an item: the first one that is there. */
	private async candidatesFor({ item, plan }: PlannedDocument, found: Listed[]): Promise<Listed[]> {
		if (plan.ifExternalIdExists !== 'create') {
			const ordered = inOrderOfWeight(found);
			const [chosen] = ordered;
			if (chosen && !this.isOwn(item, plan, chosen))
				checkExisting({ document: plan, item }, chosen);
			return ordered;
		}
		return await certainlyOwn({ document: plan, item, run: this.run }, found);
	}

	/** With Skip and Fail, an earlier try of the item found none: what is there now is what it created. */
	private isOwn(item: Item, plan: NewDocument, document: Pick<Listed, 'recipients'>): boolean {
		return (
			(plan.ifExternalIdExists === 'create' || this.isInDoubt(item)) &&
			isFor(document.recipients, plan)
		);
	}

	/** Whether an earlier try may have created the item's document. */
	private isInDoubt(item: Item): boolean {
		const { progress } = item.execution;
		if (this.run.keptFor(item)) return true;
		return progress.retries !== 'nothing' && !progress.isKnown(item.index);
	}

	/** Refuses the items for which the retried execution may have created something. */
	private refuseMoved(plans: PlannedDocument[], moved: Moved) {
		for (const one of plans) {
			const mayBeOwn = moved.for(one);
			if (mayBeOwn.length === 0) continue;
			this.failed.push({ item: one.item.index, caught: unclear(one.plan, mayBeOwn) });
		}
	}

	/** The same for what it created before its items got External IDs. */
	private async refuseRenamed(candidates: Map<PlannedDocument, Listed[]>) {
		const renamed = [...candidates.keys()].filter(
			({ item, plan }) => plan.externalId.madeUp && this.isInDoubt(item) && !this.run.keptFor(item),
		);
		if (renamed.length === 0) return;
		const found = await this.run.lookUps.everywhere(
			renamed.flatMap(({ plan }) => madeUpOf(plan) ?? []),
		);
		const missing = renamed.filter((one) => candidates.get(one)?.length === 0);
		this.refuseMoved(missing, new Moved(renamed, found, this.run));
	}

	/** Takes the first of the candidates that is there: a list may show what is gone. */
	private async take(
		{ item, plan }: PlannedDocument,
		candidates: Listed[],
		read: ReadonlyMap<string, Existing>,
	) {
		for (const { id } of candidates) {
			const envelope = read.get(id) ?? (await readIfThere(item, id));
			if (!envelope) continue;
			// An earlier request may still send or delete a draft.
			const isAwaited = envelope.status === 'DRAFT' && plan.sending !== 'no';
			if (isAwaited && this.isInDoubt(item)) break;
			const isOwn = this.isOwn(item, plan, envelope);
			const traveller = this.traveller(item, plan);
			this.states.set(item.index, stateOf(traveller, envelope, { isOwn }));
			return;
		}
		if (!this.isInDoubt(item)) return;
		if (!this.run.keptFor(item)) this.run.keepLost(item, plan);
		this.states.set(item.index, { state: 'doubtful' });
	}

	/** Another process may create what is missing here. */
	private watch(found: Found) {
		const open = this.inState('nothing').filter(({ plan }) => plan.ifExternalIdExists !== 'create');
		if (open.length === 0) return;
		const externalIds = open.map(({ plan }) => plan.externalId);
		const folders = open.map(({ plan }) => plan.folderId);
		this.run.lookUps.watch(externalIds, folders, found.all);
	}
}

/** The way of an item from what the look has found to its output. This is the only way to a new document. */
async function journey(traveller: Traveller, looked: State): Promise<IDataObject> {
	const certain = await settle(traveller, looked);
	const posted = await post(traveller, certain);
	const agreed = await agree(traveller, posted);
	const allowed = await refuseOthers(traveller, agreed);
	const sent = await send(traveller, allowed);
	return ('output' in sent && sent.output) || {};
}

/** What a new run does with the items that have their documents; undefined if it creates them again. */
function newRunWith(plans: PlannedDocument[]): string | undefined {
	const choices = new Set(plans.map(({ plan }) => plan.ifExternalIdExists));
	if (choices.has('create')) return undefined;
	if (choices.has('fail'))
		return 'Running the workflow again would refuse them, and create nothing.';
	return 'Running the workflow again is safe, too: it skips them.';
}

/** What an earlier try has left. */
function keptState(run: CreationRun, item: Item, document: NewDocument): State {
	const kept = run.keptFor(item);
	if (!kept) return { state: 'nothing' };
	if (kept.state === 'draft') return { state: 'draft', id: kept.id, isOwn: true };
	run.adoptDoubt(item, document, kept);
	return { state: 'doubtful', id: kept.id };
}
