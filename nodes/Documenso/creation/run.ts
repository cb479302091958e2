import type { IDataObject } from 'n8n-workflow';

import type { Execution } from '../../shared/n8n/execution';
import type { FailedItem } from '../../shared/n8n/nodeError';
import type { Found } from '../engine/planned';
import type { Claim } from '../../shared/n8n/process';
import type { AtLeastOne } from '../../shared/n8n/values';
import { createOnce } from './journey';
import { InDoubt, look, type Looked } from './look';
import { CreationMemory } from './memory';
import { hintAtExisting } from './existingMessages';
import { failedBefore } from './messages';
import { countsAlone, firstsByKey, keyOf, type Asked, type NewDocument } from './newDocument';
import { hintAtRemarks } from './remarks';
import { savedIn } from './savedProgress';
import { Search } from './search';
import { VISIBLE_MS, type Accepted, type Creation } from './state';

/** Creates the document of an item, or returns the one that it has. */
export type Create = () => Promise<IDataObject>;

/** Waits until no other execution works on the same external IDs, and looks for what exists. */
export async function startRun(plans: AtLeastOne<Asked>): Promise<Found<{ create: Create }>> {
	const [{ item }] = plans;
	const { client, execution } = item;
	// Somebody may retry an execution while another retry of it is at work.
	const { isRetry } = execution.progress;
	const claimed = plans.filter(
		({ document }) => isRetry || document.ifExternalIdExists !== 'create',
	);
	const claim = execution.process.claims.take(claimed.map(({ document }) => keyOf(document)));
	execution.onEnd(() => {
		claim.releaseAll();
	});
	await claim.granted(execution.context.getExecutionCancelSignal());

	const memory = new CreationMemory(execution, client);
	if (plans.some(({ document }) => countsAlone(document))) await leaveNote(memory);
	const search = new Search(client, execution.process);
	const creations = plans.map((one) => ({
		...one,
		memory,
		search,
		outdated: new Map<string, string>(),
	}));
	if (execution.isTest) {
		execution.onEnd(() => {
			hintAtRepeating(execution, creations);
		});
	}
	const firsts = firstsByKey(creations, ({ document }) => keyOf(document));
	const unique = creations.filter((one) => !firsts.has(one));
	let looked: Looked[];
	try {
		looked = await look(unique, search);
	} catch (error) {
		return { next: [], failed: failedLook(creations, memory, error) };
	}
	hintAtExisting(knownIn(looked, firsts), item.execution.items.length);
	return runOf(looked, firsts, claim);
}

/** Tells the next process, while the run is at work, that n8n has died in the middle; and finds out whether it has. */
async function leaveNote(memory: CreationMemory) {
	const { execution } = memory;
	const note = execution.process.notes.of(execution.context);
	execution.onEnd(async () => {
		await note.end(execution.context, { isInDoubt: memory.inDoubt.length > 0 });
	});
	memory.isAfterKill = await note.begin(execution.context);
}

/** The look has failed: each item in doubt has an error that says that there may be a document. */
function failedLook(creations: Creation[], memory: CreationMemory, error: unknown): FailedItem[] {
	if (memory.execution.isCancelled) throw error;
	const failed = creations.map((one) => {
		if (memory.isInDoubt(one.item)) memory.keepLost(one);
		return { item: one.item.index, caught: memory.withIds(one, error, 0) };
	});
	if (failed.every(({ caught }) => caught === error)) throw error;
	return failed;
}

/** The items that have a document already. */
function knownIn(looked: Looked[], firsts: ReadonlyMap<Creation, Creation>) {
	const fine = looked.filter(({ state }) => state.state !== 'refused');
	const existing = new Map(fine.map((one) => [one.creation, one.candidates?.[0]]));
	for (const [creation, first] of firsts) existing.set(creation, existing.get(first));
	return [...existing].flatMap(([{ item, document, outdated }, one]) =>
		one && !outdated.has(one.id) ? [{ item, document, existing: one }] : [],
	);
}

function runOf(
	looked: Looked[],
	firsts: ReadonlyMap<Creation, Creation>,
	claim: Claim,
): Found<{ create: Create }> {
	const outputs = new Map<Creation, Promise<IDataObject>>();
	const certain: Array<Promise<IDataObject>> = [];
	const doubtful = looked.flatMap(({ creation, state }) =>
		state.state === 'doubtful' ? [creation] : [],
	);
	const inDoubt = new InDoubt(doubtful, certain);
	const next = new Map<Creation, Next>();
	const refused: Refused[] = [];
	for (const { creation, state } of looked) {
		if (state.state === 'refused') {
			refused.push({ creation, caught: state.error });
			continue;
		}
		const isLast = state.state === 'doubtful';
		const create = async () => {
			const output = created(creation, state, inDoubt, claim);
			outputs.set(creation, output);
			if (!isLast) certain.push(output);
			return await output;
		};
		next.set(creation, { ...creation, create, isNew: state.state === 'nothing', isLast });
	}
	for (const [creation, first] of firsts) {
		const its = next.get(first);
		const failure = failedBefore(creation.document, first.item.index);
		const create = async () => await shared(outputs.get(first), failure);
		if (its) next.set(creation, { ...creation, create, isNew: true, isLast: its.isLast });
		else refused.push({ creation, caught: failure });
	}
	const all = [...next.values()];
	hintAtRemarks(all.filter(({ isNew }) => isNew));
	const newRun = newRunOf(looked.map(({ creation }) => creation.document));
	return { next: all, ...failing(refused), newRun };
}

interface Next extends Creation {
	create: Create;
	/** Whether nothing is known of a document for it. */
	isNew: boolean;
	/** Items in doubt come last: what is certain is done before anything waits. */
	isLast: boolean;
}

/** Creates a document, and lets other executions look for its external ID, once they can see it. */
async function created(
	creation: Creation,
	state: Accepted,
	inDoubt: InDoubt,
	claim: Claim,
): Promise<IDataObject> {
	const { document, item, memory } = creation;
	return await createOnce(creation, state, inDoubt)
		.catch((error: unknown) => {
			throw memory.withIds(creation, error);
		})
		.finally(() => {
			const isNew = savedIn(item.progress) !== undefined;
			const visible = isNew ? item.execution.process.sleep(VISIBLE_MS) : undefined;
			claim.release(keyOf(document), visible);
		});
}

/** The document of an item before it, with the same external ID. */
async function shared(output: Promise<IDataObject> | undefined, failure: Error) {
	const known = await output?.catch(() => undefined);
	if (!known) throw failure;
	return { ...known, alreadyExisted: true };
}

/** Somebody who tries a workflow out with several rows may soon run it again. */
function hintAtRepeating(execution: Execution, creations: Creation[]) {
	const repeated = creations.filter(
		({ document, item }) =>
			document.sending !== 'no' &&
			document.externalId.source !== 'chosen' &&
			savedIn(item.progress) !== undefined,
	);
	if (repeated.length > 1) execution.hints.say(REPEATED);
}

const REPEATED =
	"If the workflow runs again, it sends these documents again, because the items have no External ID. Give each its own, such as the number of the contract: under 'Additional Fields > External ID', or for a template in the column 'External ID'.";

interface Refused {
	creation: Creation;
	caught: unknown;
}

/** What an earlier try leaves open about an item must not stop the others: a retry would find the same again. */
function failing(refused: Refused[]): { failed: FailedItem[]; failedAlone: FailedItem[] } {
	const all = refused.map(({ creation, caught }) => ({ item: creation.item.index, caught }));
	const isAlone = refused.every(
		({ creation: { item, memory } }) => memory.isInDoubt(item) || item.execution.progress.isRetry,
	);
	return isAlone ? { failed: [], failedAlone: all } : { failed: all, failedAlone: [] };
}

/** What a new run does with the items that have their documents; undefined if it creates them again. */
function newRunOf(documents: NewDocument[]): string | undefined {
	const choices = new Set(documents.map(({ ifExternalIdExists }) => ifExternalIdExists));
	if (choices.has('create')) return undefined;
	if (choices.has('fail'))
		return 'Running the workflow again would refuse them, and create nothing.';
	return 'Running the workflow again skips those that are done, too.';
}
