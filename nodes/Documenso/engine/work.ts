import type { INodeExecutionData } from 'n8n-workflow';

import { mapConcurrently } from '../../shared/api/concurrency';
import { ApiFailure, mayLeaveTraces, messageOf } from '../../shared/api/failure';
import type { Description } from './operation';
import { asksForRow, failedRow, marked, onlyIds, simplified, withRow } from './output';
import type { Execution } from '../../shared/n8n/execution';
import type { Inputs } from '../../shared/n8n/input';
import type { Unknown } from '../../shared/n8n/progress';
import {
	errorOutput,
	failureOf,
	itemsError,
	stoppedError,
	type FailedItem,
} from '../../shared/n8n/nodeError';
import { noted, Refusal } from '../../shared/n8n/refusal';

/** What is returned for one item; `everyItem` adds the pairing. */
export type ItemOutput = Pick<INodeExecutionData, 'json' | 'binary'>;

/** Does what an operation does for the item with this index. */
export type Work = (index: number) => Promise<ItemOutput[]>;

/**
 * `reads`: a retry does it again. `changes`: a retry skips the items for which it is done. `adds`: a retry also refuses
 * the items for which it may be done.
 */
export type Effect = 'reads' | 'changes' | 'adds';

export interface Kind extends Pick<
	Description<Inputs>,
	'effect' | 'simplify' | 'hasLinks' | 'ending'
> {
	/** How many items may share a request. */
	itemsPerRequest?: number;
	/** Items with a smaller number are worked on before the others. */
	turnOf?: (item: number) => number;
	/** The items that are known to fail: those in the last turn. */
	failedAlone?: FailedItem[];
	/** For the error that ends the run: what a new one does with the items that are done. */
	newRun?: string;
}

/**
 * Works on every item that an earlier try of the run has not done yet. Under Continue On Fail, an item fails alone.
 */
export async function everyItem(
	execution: Execution,
	{
		effect,
		simplify,
		hasLinks = false,
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
	if (simplify) each = simplified(each, execution, { simplify, hasLinks });
	if (ending) each = onlyIds(each);
	if (execution.testAddress !== undefined) each = marked(each);
	if (effect !== 'reads') each = remembered(each, execution, effect);
	const isWithRow = (item: number) => simplify !== undefined && asksForRow(execution, item);
	const done = continued(each, execution, failed, isWithRow);

	const outputs: INodeExecutionData[][] = [];
	const ordered = [...items].sort((one, other) => turnOf(one) - turnOf(other));
	const limit = () => execution.limit * itemsPerRequest;
	await mapConcurrently(ordered, limit, async (item) => {
		outputs[item] = (await done(item)).map((one) => ({ ...one, pairedItem: { item } }));
	}).catch((caught: unknown) => {
		const [first] = failed.sort((a, b) => a.item - b.item);
		const done = effect === 'reads' ? 0 : execution.progress.doneAmong(items);
		const total = items.length;
		const node = context.getNode();
		// All others are done then, and a retry would not help.
		const isAlone = failedAlone.some(({ item }) => item === first?.item);
		throw isAlone
			? itemsError(context, failedAlone, { total, done })
			: stoppedError(node, first ?? { caught }, { done, total, newRun });
	});
	return outputs.flat();
}

/** Does nothing twice: what earlier tries of the run have done is remembered. */
function remembered(work: Work, { progress }: Execution, effect: Effect): Work {
	return async (index) => {
		const before = progress.of(index);
		if (before.state === 'done') return before.output.map((json) => ({ json }));
		const lost = before.state === 'unknown' ? before : undefined;
		if (lost && effect === 'adds') throw notDoneAgain(lost);
		const output = await work(index).catch((caught: unknown) => {
			// A change that notes its own steps knows better how far it has come.
			const isUnnoted = effect === 'adds' || progress.of(index).state === 'new';
			if (isUnnoted && mayLeaveTraces(caught)) {
				const { notes, details } = caught instanceof ApiFailure ? caught.facts : {};
				progress.set(index, { state: 'unknown', message: messageOf(caught), notes, details });
			}
			throw lost ? afterLostAnswer(caught, lost) : caught;
		});
		progress.finish(
			index,
			output.map(({ json }) => json),
		);
		return output;
	};
}

/** Notes which items fail: under Continue On Fail alone, with the error as output. Adds the rows that are asked for. */
function continued(
	work: Work,
	execution: Execution,
	failed: FailedItem[],
	isWithRow: (item: number) => boolean,
): Work {
	return async (item) =>
		await work(item).then(
			(output) => (isWithRow(item) ? withRow(output, execution, item) : output),
			(caught: unknown) => {
				failed.push({ item, caught });
				if (!execution.continueOnFail || execution.isCancelled) throw caught;
				if (isWithRow(item)) return [failedRow(execution, { item, caught })];
				const node = execution.context.getNode();
				return [{ json: errorOutput(node, failureOf(execution.context, { item, caught })) }];
			},
		);
}

/** What was cancelled or deleted by an earlier try cannot be cancelled or found again. */
function afterLostAnswer(caught: unknown, { message }: Unknown): unknown {
	const note = `An earlier try failed (${message}), and Documenso may have done it then. Check in Documenso.`;
	return noted(caught, note);
}

function notDoneAgain({ message, notes = [MAY_BE_DONE], details }: Unknown): Refusal {
	const said = `An earlier try failed, and is not retried: ${message}`;
	return new Refusal(said, notes.join(' '), details);
}

const MAY_BE_DONE =
	'Documenso may have done it already, and a retry could do it twice. Check in Documenso. If it was not done, run the workflow again for this item only.';
