import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { mayLeaveTraces, messageOf } from '../api/failure';
import { outputChoice } from './commonInputs';
import type { Execution } from './execution';
import { readInputs } from './input';
import { errorOutput, type FailedItem } from './nodeError';
import { Refusal } from './refusal';
import { picked } from './values';

/** What is returned for one item; `paired` adds the pairing. */
export type ItemOutput = Pick<INodeExecutionData, 'json' | 'binary'>;

/** Does what an operation does for the item with this index. */
export type Work = (index: number) => Promise<ItemOutput[]>;

/**
 * `reads`: a retry does it again. `changes`: a retry skips the items for which it is done. `adds`: a retry also refuses
 * the items for which it may be done.
 */
export type Effect = 'reads' | 'changes' | 'adds';

/** Returns of each record what the item's input Output asks for. */
export function simplified(
	work: Work,
	{ parameters }: Execution,
	simplify: (record: IDataObject) => IDataObject,
): Work {
	return async (index) => {
		const { output, outputFields = [] } = readInputs(outputChoice, parameters, index);
		const asked = (record: IDataObject): IDataObject => {
			if (output === 'selected') return picked(record, outputFields);
			return output === 'raw' ? record : simplify(record);
		};
		return (await work(index)).map(({ json, ...rest }) => ({ json: asked(json), ...rest }));
	};
}

/** Does nothing twice: earlier tries of the run are remembered. */
export function remembered(work: Work, { progress }: Execution, effect: Effect): Work {
	return async (index) => {
		const before = progress.of(index);
		if (before.state === 'done') return before.output.map((json) => ({ json }));
		if (before.state === 'unknown') throw notDoneAgain(before.message);
		const output = await work(index).catch((caught: unknown) => {
			if (effect === 'adds' && mayLeaveTraces(caught)) {
				progress.set(index, { state: 'unknown', message: messageOf(caught) });
			}
			throw caught;
		});
		progress.finish(
			index,
			output.map(({ json }) => json),
		);
		return output;
	};
}

/** Notes which items fail. Under Continue On Fail, an item fails alone, and its error is its output. */
export function continued(work: Work, execution: Execution, failed: FailedItem[]): Work {
	return async (item) =>
		await work(item).catch((caught: unknown) => {
			failed.push({ item, caught });
			if (!execution.continueOnFail || execution.isCancelled) throw caught;
			return [{ json: errorOutput(execution.context.getNode(), { item, caught }) }];
		});
}

/** Says from which item of the input an output comes. */
export function paired(work: Work): (index: number) => Promise<INodeExecutionData[]> {
	return async (item) => (await work(item)).map((one) => ({ ...one, pairedItem: { item } }));
}

function notDoneAgain(message: string): Refusal {
	return new Refusal(
		`An earlier try failed, and is not retried: ${message}`,
		'Documenso may have done it already, and a retry could do it twice. Check in Documenso. If it was not done, run the workflow again for this item only.',
	);
}
