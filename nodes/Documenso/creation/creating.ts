import type { IDataObject } from 'n8n-workflow';

import type { Client } from '../api/client';
import { envelopeSchema } from '../api/envelope';
import { creatingOptions } from '../engine/commonInputs';
import { canonical, hashOfFile } from '../engine/hash';
import type { Inputs, Values } from '../engine/input';
import type { Item } from '../engine/item';
import type { FailedItem } from '../engine/nodeError';
import type { Description, Operation } from '../engine/operation';
import { planned } from '../engine/planned';
import type { Claim } from '../engine/process';
import { simplifyCreated } from '../envelope/simplify';
import { createOnce } from './journey';
import { InDoubt, Look } from './look';
import { doubtKey } from './memory';
import { failedBefore, sameIdTwice, tellShared } from './messages';
import {
	earlierWithSameId,
	refusedId,
	type NewDocument,
	type PlannedDocument,
} from './newDocument';
import { hintAtRemarks } from './remarks';
import { VISIBLE_MS, type Creation } from './state';
import { tellTest } from './testRun';

/** Creates a document for each item, once. This is the only path on which documents are created. */
export function creating<I extends Inputs>(
	spec: Omit<Description<I>, 'effect'> & {
		/** Reads and checks everything that the document needs; creates nothing. */
		document: (values: Values<I>, item: Item) => Promise<NewDocument>;
	},
): Operation {
	// What ends the run, and an operation of older endpoints, make their own.
	const hasOwnOutput = Boolean(spec.ending ?? spec.simplify);
	return planned<I, NewDocument, CreationRun>({
		...(hasOwnOutput ? {} : { simplify: simplifyCreated }),
		...spec,
		// Not 'adds': the journey itself sees to it that a retry creates nothing twice.
		effect: 'changes',
		plan: async (values, item) => checked(await spec.document(values, item)),
		runOptions: creatingOptions,
		compare: async (plans) => {
			tellTest(plans);
			return await refuseDuplicates(plans);
		},
		look: async (plans) => {
			const run = await CreationRun.begin(plans);
			hintAtRemarks(plans.filter(({ item: { index } }) => run.isNew(index)));
			return run;
		},
		perform: async (_, { index, client }, run) => {
			const json = await run.create(index);
			return [{ json: hasOwnOutput ? json : await withAddress(client, json) }];
		},
	});
}

/**
 * The document with its address, which names its team. If nothing has told that, one document of those that the
 * execution creates is read for it; if that fails, there is no address.
 */
async function withAddress(client: Client, json: IDataObject): Promise<IDataObject> {
	const { id, url } = json;
	if (typeof url === 'string' || typeof id !== 'string') return json;
	const read = async () => (await client.envelope(id, envelopeSchema.pick({ team: true }))).team;
	const team = await client.once('team of new documents', read).catch(() => undefined);
	return { ...json, url: client.documentUrl({ id, team }) };
}

/** Throws if the document has no external ID to look for, though existing documents count. */
export function checked(document: NewDocument): NewDocument {
	const { externalId, ifExternalIdExists } = document;
	if (ifExternalIdExists !== 'create' && externalId.source !== 'chosen') {
		throw refusedId(
			"is missing, so 'If External ID Exists' has nothing to look for",
			"Give each item its own: with an expression under 'Additional Fields > External ID', or for a template in the column 'External ID'.",
		);
	}
	return document;
}

/**
 * Refuses an item that has the external ID of one before it: with Fail always, otherwise if it asks for another document.
 * Those that ask for the same one share it.
 */
export async function refuseDuplicates(plans: PlannedDocument[]): Promise<FailedItem[]> {
	const earlier = earlierWithSameId(plans);
	const byIndex = new Map(plans.map(({ item, plan }) => [item.index, plan]));
	const failed: FailedItem[] = [];
	const shared: Item[] = [];
	for (const { item, plan } of plans) {
		const index = earlier.get(item.index);
		const other = index === undefined ? undefined : byIndex.get(index);
		if (index === undefined || !other) continue;
		const isShared =
			plan.ifExternalIdExists !== 'fail' && (await isSameContent(plan.content, other.content));
		if (isShared) shared.push(item);
		else failed.push({ item: item.index, caught: sameIdTwice(plan, index) });
	}
	tellShared(shared);
	return failed;
}

async function isSameContent(one: NewDocument['content'], other: NewDocument['content']) {
	if (canonical(one.payload) !== canonical(other.payload)) return false;
	const pairs = one.files.map((file, index) => [file, other.files[index]] as const);
	const same = pairs.map(
		async ([file, its]) =>
			its !== undefined &&
			(file.key === its.key || (await hashOfFile(file)) === (await hashOfFile(its))),
	);
	return one.files.length === other.files.length && (await Promise.all(same)).every(Boolean);
}

/** The items of a run whose documents are created. */
export class CreationRun {
	readonly failed: FailedItem[];
	private readonly creations: Map<number, Creation>;
	/** What the items that have begun return. */
	private readonly outputs = new Map<number, Promise<IDataObject>>();
	private readonly inDoubt: InDoubt;

	private constructor(
		{ creations, failed }: Look,
		private readonly claim: Claim,
	) {
		this.failed = failed;
		this.creations = new Map(creations.map((one) => [one.item.index, one]));
		const doubtful = creations.filter(({ looked }) => looked.state === 'doubtful');
		this.inDoubt = new InDoubt(doubtful, async () => await this.certainEnded());
	}

	/** Waits until no other execution works on the same external IDs, and looks for what exists. */
	static async begin(plans: PlannedDocument[]): Promise<CreationRun> {
		const [
			{
				item: { execution },
			},
		] = plans as [PlannedDocument];
		// Somebody may retry an execution while another retry of it is at work.
		const isRetry = execution.progress.retries !== 'nothing';
		const claimed = plans.filter(({ plan }) => isRetry || plan.ifExternalIdExists !== 'create');
		const claim = execution.process.claims.take(claimed.map(({ plan }) => doubtKey(plan)));
		execution.onEnd(() => {
			claim.releaseAll();
		});
		await claim.granted(execution.context.getExecutionCancelSignal());
		const look = new Look(plans);
		await look.atAll();
		return new CreationRun(look, claim);
	}

	/** Whether nothing is known of a document for the item, except that one before it may share it. */
	isNew(index: number): boolean {
		const state = this.creations.get(index)?.looked.state;
		return state === 'nothing' || state === 'claimed';
	}

	/** Items in doubt come last: what is certain is done before anything waits. */
	readonly isLast = (index: number): boolean => {
		const looked = this.creations.get(index)?.looked;
		return looked?.state === 'claimed' ? this.isLast(looked.by) : looked?.state === 'doubtful';
	};

	/** What a new run does with the items that have their documents; undefined if it creates them again. */
	get newRun(): string | undefined {
		const choices = new Set(
			[...this.creations.values()].map(({ document }) => document.ifExternalIdExists),
		);
		if (choices.has('create')) return undefined;
		if (choices.has('fail'))
			return 'Running the workflow again would refuse them, and create nothing.';
		return 'Running the workflow again is safe, too: it skips them.';
	}

	/** Creates the document of an item, or returns the one that it has. */
	async create(index: number): Promise<IDataObject> {
		const creation = this.creations.get(index) as Creation;
		const { document, looked, memory } = creation;
		if (looked.state === 'claimed') return await this.sameAs(looked.by, document);
		const output = createOnce(creation, looked, this.inDoubt)
			.catch((error: unknown) => {
				throw memory.naming(creation, error);
			})
			.finally(() => {
				this.release(creation);
			});
		this.outputs.set(index, output);
		return await output;
	}

	/** The document of the item before that has the same external ID. */
	private async sameAs(index: number, document: NewDocument): Promise<IDataObject> {
		const output = await this.outputs.get(index)?.catch(() => undefined);
		// There is none either if the look has refused the item.
		if (!output) throw failedBefore(document, index);
		return { ...output, alreadyExisted: true };
	}

	/** Lets other executions look for the external ID, once they can see what was created. */
	private release({ document, item, memory }: Creation) {
		const isNew = memory.keptFor(item) !== undefined;
		const visible = isNew ? item.execution.process.sleep(VISIBLE_MS) : undefined;
		this.claim.release(doubtKey(document), visible);
	}

	/** Awaits the items in no doubt: all of them begin before those in doubt. Returns whether none has failed. */
	private async certainEnded(): Promise<boolean> {
		const certain = [...this.outputs].filter(([index]) => !this.isLast(index));
		const ended = await Promise.allSettled(certain.map(([, output]) => output));
		return ended.every(({ status }) => status === 'fulfilled');
	}
}
