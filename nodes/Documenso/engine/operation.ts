import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { beforeCollections, linkOptions, options, outputChoice } from './commonInputs';
import type { Simplify } from './output';
import { withMore } from '../../shared/n8n/collections';
import { Execution, type RunOptions } from '../../shared/n8n/execution';
import { propertiesOf, type Inputs } from '../../shared/n8n/input';
import { readInputs } from './readInputs';
import { Item } from '../../shared/n8n/item';
import { errorOutput, failureOf, nodeError } from '../../shared/n8n/nodeError';
import { Parameters } from '../../shared/n8n/parameters';
import { thisProcess, type N8nProcess } from '../../shared/n8n/process';
import { Refusal } from '../../shared/n8n/refusal';
import { readRunOptions } from './runOptions';
import { asTool, isTool, refuseRetries, type Revealed } from './tool';
import { everyItem, type Effect } from './work';

/** How an operation reads in the editor, and what it asks for. */
export interface Description<I extends Inputs> {
	name: string;
	/** Stored in workflows: never changes. */
	value: string;
	action: string;
	description: string;
	/** For docs/operations.md: what an item of its output is or holds. */
	returns: string;
	effect: Effect;
	inputs: I;
	/** The most useful keys of a long record, at most ten. Its presence adds the input Output. */
	simplify?: Simplify;
	/** Whether its records have signing links. Their presence adds the option Include Signing Links. */
	hasLinks?: boolean;
	/** The options that hold for the whole run. */
	runOptions?: Inputs;
	/** What it is there for, so that a model sees that, too. */
	reveals?: Revealed;
	ending?: Ending;
}

/** What is done once for a whole run, when all its items are done. A retry does it again. */
export interface Ending {
	inputs: Inputs;
	/** Reads the inputs before any item is worked on; they hold for the whole run. */
	prepare(
		context: IExecuteFunctions,
		parameters: Parameters,
	): (items: INodeExecutionData[], execution: Execution) => Promise<INodeExecutionData[]>;
}

export interface Operation extends Omit<
	Description<Inputs>,
	'effect' | 'inputs' | 'simplify' | 'hasLinks' | 'runOptions' | 'reveals'
> {
	properties: INodeProperties[];
	/** In another process than this one only in a simulation. */
	execute(context: IExecuteFunctions, process?: N8nProcess): Promise<INodeExecutionData[]>;
}

/** For an operation that does not exist: every item fails. */
export function missing(name: string, resource: string): Pick<Operation, 'execute'> {
	const refusal = new Refusal(
		`The resource '${resource}' has no operation '${name}'`,
		'Choose another operation. For a request of your own, use the HTTP Request node with the Documenso API credential.',
	);
	return { execute: async (context) => await failAll(context, refusal) };
}

/** An operation whose items are worked on by `run`: every kind of operation ends here. */
export function operation<I extends Inputs>(
	spec: Description<I>,
	run: (execution: Execution) => Promise<INodeExecutionData[]>,
): Operation {
	const { name, value, action, description, returns, ending } = spec;
	const added = { ...(spec.simplify ? outputChoice : {}), ...ending?.inputs };
	const moreOptions = { ...spec.runOptions, ...(spec.hasLinks ? linkOptions : {}) };
	const inputs = {
		...beforeCollections(spec.inputs, added),
		options: withMore(spec.inputs.options ?? options({}), moreOptions),
	};
	const executed = async (context: IExecuteFunctions, process: N8nProcess) => {
		let runOptions: RunOptions;
		let runEnding: ReturnType<Ending['prepare']> | undefined;
		try {
			if (spec.effect !== 'reads') refuseRetries(context);
			runEnding = ending?.prepare(context, new Parameters(context));
			runOptions = readRunOptions(context);
		} catch (error) {
			// Thrown from here, n8n would hand all items on as successes under Continue On Fail.
			return await failAll(context, error);
		}
		const execution = new Execution(context, process, runOptions);
		await execution.prepare();
		const items = await run(execution).finally(async () => {
			await execution.end();
		});
		let output = items;
		try {
			if (runEnding) output = await runEnding(items, execution);
		} catch (caught) {
			return failedEnd(execution, items, caught);
		}
		if (spec.effect !== 'reads' && !mayRunAgain(output)) {
			execution.progress.finishRun(execution.items);
		}
		return output;
	};
	return {
		...{ name, value, action, description, returns },
		properties: propertiesOf(inputs),
		execute: async (context, process = thisProcess) => {
			const run = async () => await executed(context, process);
			return isTool(context) ? await asTool(context, spec, run) : await run();
		},
	};
}

/** With Retry On Fail, n8n takes any first item with an error for a failure: also a row with a column of that name. */
function mayRunAgain([first]: INodeExecutionData[]): boolean {
	return first !== undefined && 'error' in first.json;
}

/**
 * Under Continue On Fail, an ending that failed is the failure of all items; n8n would hand on the input. What the items
 * have done is not forgotten: with Retry On Fail, n8n runs the node again.
 */
function failedEnd(
	{ context, continueOnFail, isCancelled }: Execution,
	items: INodeExecutionData[],
	caught: unknown,
) {
	const node = context.getNode();
	if (!continueOnFail || isCancelled) throw nodeError(node, { caught });
	return items.map(({ json, ...rest }) => {
		if ('error' in json) return { ...rest, json };
		const { item } = rest.pairedItem as { item: number };
		const { error, details } = failureOf(context, { item, caught });
		return { ...rest, json: errorOutput(node, { error, details: { ...details, id: json.id } }) };
	});
}

async function failAll(context: IExecuteFunctions, error: unknown): Promise<INodeExecutionData[]> {
	return await everyItem(new Execution(context, thisProcess), { effect: 'reads' }, async () => {
		await Promise.resolve();
		throw error;
	});
}

export async function itemAt<I extends Inputs>(
	execution: Execution,
	inputs: I,
	index: number,
	values = readInputs(inputs, execution.parameters, index),
) {
	// Without a request, nothing else would end the work on many items.
	execution.context.getExecutionCancelSignal()?.throwIfAborted();
	return { values, item: new Item(execution, index, await execution.client()) };
}
