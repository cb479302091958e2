import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { mapConcurrently } from '../../shared/api/concurrency';
import { ApiFailure, mayLeaveTraces, messageOf } from '../../shared/api/failure';
import { outputChoice } from './commonInputs';
import type { Execution } from '../../shared/n8n/execution';
import {
	errorOutput,
	escaped,
	itemsError,
	stoppedError,
	type FailedItem,
} from '../../shared/n8n/nodeError';
import { readInputs } from './readInputs';
import { Refusal } from '../../shared/n8n/refusal';
import { picked } from '../../shared/n8n/values';

/** What is returned for one item; `paired` adds the pairing. */
export type ItemOutput = Pick<INodeExecutionData, 'json' | 'binary'>;

/** Does what an operation does for the item with this index. */
type Work = (index: number) => Promise<ItemOutput[]>;

/**
 * `reads`: a retry does it again. `changes`: a retry skips the items for which it is done. `adds`: a retry also refuses
 * the items for which it may be done.
 */
export type Effect = 'reads' | 'changes' | 'adds';

export interface Kind {
	effect: Effect;
	simplify?: (record: IDataObject) => IDataObject;
	/** How many items may share a request. */
	itemsPerRequest?: number;
	/** Items with a smaller number are worked on before the others. */
	turnOf?: (item: number) => number;
	/** The items that are known to fail: those in the last turn. */
	failedAlone?: FailedItem[];
	/** For the error that ends the run: what a new one does with the items that are done. */
	newRun?: string;
	/** What follows when all items are done. */
	ending?: object;
}

/**
 * Works on every item that an earlier try of the run has not done yet. Under Continue On Fail, an item fails alone.
 */
export async function everyItem(
	execution: Execution,
	{
		effect,
		simplify,
		itemsPerRequest = 1,
		turnOf = () => 0,
		failedAlone = [],
		newRun,
		ending,
	}: Kind,
	work: Work,
): Promise<INodeExecutionData[]> {
	const { context, items } = execution;
	const failed: FailedItem[] = [];
	let each: Work = work;
	if (simplify) each = simplified(each, execution, simplify);
	if (ending) each = onlyIds(each);
	if (execution.testAddress !== undefined) each = marked(each);
	if (effect !== 'reads') each = remembered(each, execution, effect);
	const done = paired(continued(each, execution, failed));

	const outputs: INodeExecutionData[][] = [];
	const ordered = [...items].sort((one, other) => turnOf(one) - turnOf(other));
	const limit = () => execution.limit * itemsPerRequest;
	await mapConcurrently(ordered, limit, async (item) => {
		outputs[item] = await done(item);
	}).catch((caught: unknown) => {
		const [first] = failed.sort((a, b) => a.item - b.item);
		const done = effect === 'reads' ? 0 : execution.progress.doneAmong(items);
		const total = items.length;
		const node = context.getNode();
		// All others are done then, and a retry would not help.
		const isAlone = failedAlone.some(({ item }) => item === first?.item);
		throw isAlone
			? itemsError(node, failedAlone, { total, done })
			: stoppedError(node, first ?? { caught }, { done, total, newRun });
	});
	return outputs.flat();
}

/** Returns of each record what the item's input Output asks for. */
function simplified(
	work: Work,
	execution: Execution,
	simplify: (record: IDataObject) => IDataObject,
): Work {
	const { parameters } = execution;
	const selection = new Selection();
	execution.onEnd(() => selection.tellMissing(execution));
	return async (index) => {
		const { output, outputFields = [] } = readInputs(outputChoice, parameters, index);
		const asked = (record: IDataObject): IDataObject => {
			if (output === 'selected') return selection.of(record, outputFields);
			return output === 'raw' ? record : simplify(record);
		};
		return (await work(index)).map(({ json, ...rest }) => ({ json: asked(json), ...rest }));
	};
}

/** The fields that the user has named, and which of them no record has had. */
class Selection {
	private readonly known = new Set<string>();
	private readonly missing = new Set<string>();

	of(record: IDataObject, names: string[]): IDataObject {
		for (const name of Object.keys(record)) this.known.add(name);
		for (const name of names) this.missing.add(name);
		return picked(record, names);
	}

	/** A hint, because a field may be optional. */
	tellMissing({ hints }: Execution) {
		const missing = [...this.missing].filter((name) => !this.known.has(name));
		// Without any record, nothing is known.
		if (missing.length === 0 || this.known.size === 0) return;
		const names = (some: Iterable<string>) => [...some].map(escaped).join(', ');
		hints.say(
			`'Fields' names what no record of this run has: ${names(missing)}. The records have: ${names(this.known)}.`,
			'warning',
		);
	}
}

/** An ending asks for the rest again. What is remembered of an item would be in n8n's database as long as it takes. */
function onlyIds(work: Work): Work {
	return async (index) => (await work(index)).map(({ json: { id } }) => ({ json: { id } }));
}

/** Says first that it is a test, whatever else the output holds. */
function marked(work: Work): Work {
	return async (index) =>
		(await work(index)).map(({ json, ...rest }) => ({ json: { isTest: true, ...json }, ...rest }));
}

/** Does nothing twice: what earlier tries of the run have done is remembered. */
function remembered(work: Work, { progress }: Execution, effect: Effect): Work {
	return async (index) => {
		const before = progress.of(index);
		if (before.state === 'done') return before.output.map((json) => ({ json }));
		const lost = before.state === 'unknown' ? before.message : undefined;
		if (lost !== undefined && effect === 'adds') throw notDoneAgain(lost);
		const output = await work(index).catch((caught: unknown) => {
			// A change that notes its own steps knows better how far it has come.
			const isUnnoted = effect === 'adds' || progress.of(index).state === 'new';
			if (isUnnoted && mayLeaveTraces(caught)) {
				progress.set(index, { state: 'unknown', message: messageOf(caught) });
			}
			throw lost === undefined ? caught : afterLostAnswer(caught, lost);
		});
		progress.finish(
			index,
			output.map(({ json }) => json),
		);
		return output;
	};
}

/** Notes which items fail. Under Continue On Fail, an item fails alone, and its error is its output. */
function continued(work: Work, execution: Execution, failed: FailedItem[]): Work {
	return async (item) =>
		await work(item).catch((caught: unknown) => {
			failed.push({ item, caught });
			if (!execution.continueOnFail || execution.isCancelled) throw caught;
			return [{ json: errorOutput(execution.context.getNode(), { item, caught }) }];
		});
}

/** Says from which item of the input an output comes. */
function paired(work: Work): (index: number) => Promise<INodeExecutionData[]> {
	return async (item) => (await work(item)).map((one) => ({ ...one, pairedItem: { item } }));
}

/** What was cancelled or deleted by an earlier try cannot be cancelled or found again. */
function afterLostAnswer(caught: unknown, message: string): unknown {
	const note = `An earlier try failed (${message}), and Documenso may have done it then. Check in Documenso.`;
	return caught instanceof ApiFailure || caught instanceof Refusal ? caught.withNote(note) : caught;
}

function notDoneAgain(message: string): Refusal {
	return new Refusal(
		`An earlier try failed, and is not retried: ${message}`,
		'Documenso may have done it already, and a retry could do it twice. Check in Documenso. If it was not done, run the workflow again for this item only.',
	);
}
