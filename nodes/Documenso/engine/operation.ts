import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';

import type { ServiceRequest } from '../api/client';
import { mapConcurrently } from '../api/concurrency';
import { Turns } from '../api/turns';
import type { Schema } from '../api/records';
import { withCause } from './cause';
import {
	beforeCollections,
	listInputs,
	options,
	outputChoice,
	planningOptions,
} from './commonInputs';
import { Execution, type RunOptions } from './execution';
import { propertiesOf, readInputs, withMore, type Inputs, type Values } from './input';
import { Item } from './item';
import { Parameters } from './parameters';
import { errorOutput, itemsError, nodeError, type FailedItem } from './nodeError';
import { thisProcess, type N8nProcess } from './process';
import { Refusal } from './refusal';
import { readRunOptions } from './runOptions';
import { asTool, isTool, type Revealed } from './tool';
import { everyItem, type Effect, type ItemOutput, type Kind } from './work';

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
	/** The most useful keys of a long record, at most ten. Its presence adds the switch Simplify. */
	simplify?: (record: IDataObject) => IDataObject;
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
	'effect' | 'inputs' | 'simplify' | 'reveals'
> {
	properties: INodeProperties[];
	/** In another process than this one only in a simulation. */
	execute(context: IExecuteFunctions, process?: N8nProcess): Promise<INodeExecutionData[]>;
}

// Below, what an operation does are properties, not methods: of a method, TypeScript would accept a function that needs
// an input which the operation does not declare.

/** One request for an item. */
export function perItem<I extends Inputs, Answer extends IDataObject = IDataObject>(
	spec: Description<I> & {
		/** May first read what the request needs. */
		request: (values: Values<I>, item: Item) => ServiceRequest | Promise<ServiceRequest>;
		/** Called when Documenso has refused the request: throws what is wrong with an input. */
		check?: (values: Values<I>, item: Item) => Promise<unknown>;
		/** What the answer has to hold; by default, anything. */
		answer?: Schema<Answer>;
		/** The items in an answer; by default, the answer is one. */
		items?: (answer: Answer, values: Values<I>, item: Item) => IDataObject[];
	},
): Operation {
	return custom({
		...spec,
		run: async (values, item) => {
			const request = await spec.request(values, item);
			const answer = await withCause(
				async () => await item.client.send(request, spec.answer),
				async () => await spec.check?.(values, item),
			);
			const items = spec.items?.(answer, values, item) ?? [answer];
			return items.map((json) => ({ json }));
		},
	});
}

/** Anything else: several requests for an item, or files. */
export function custom<I extends Inputs>(
	spec: Description<I> & {
		run: (values: Values<I>, item: Item) => Promise<ItemOutput[]>;
	},
): Operation {
	return operation(spec, async (execution) => {
		return await everyItem(execution, spec, async (index) => {
			const { values, item } = await itemAt(execution, spec.inputs, index);
			return await spec.run(values, item);
		});
	});
}

/** A list, or several read as one: adds Return All and Limit. */
export function list<I extends Inputs>(
	spec: Omit<Description<I>, 'effect'> & {
		/** Up to this many records, in the order in which they are returned. */
		records: (values: Values<I>, item: Item, wanted: number) => Promise<IDataObject[]>;
	},
): Operation {
	const described = { ...spec, effect: 'reads' } as const;
	const inputs = { ...listInputs, ...spec.inputs };
	return operation({ ...described, inputs }, async (execution) => {
		return await everyItem(execution, described, async (index) => {
			const { limit = Infinity } = readInputs(listInputs, execution.parameters, index);
			const { values, item } = await itemAt(execution, spec.inputs, index);
			const records = await spec.records(values, item, limit);
			return records.slice(0, limit).map((json) => ({ json }));
		});
	});
}

/**
 * A read by ID, for many items in one request. A record that the answer lacks is read alone, so that Documenso says
 * what is wrong with its ID, and only its item fails.
 */
export function batched<I extends Inputs>(
	spec: Omit<Description<I>, 'effect'> & {
		/** The most keys in a request. */
		size: number;
		key: (values: Values<I>) => string;
		/** Only keys of one group go into one request. */
		group?: (key: string) => string;
		single: (key: string, values: Values<I>, item: Item) => Promise<IDataObject>;
		many(keys: string[]): ServiceRequest;
		items(answer: IDataObject): IDataObject[];
		/** All keys that stand for a record. */
		keysOf(record: IDataObject): string[];
	},
): Operation {
	const described = { ...spec, effect: 'reads', itemsPerRequest: spec.size } as const;
	return operation(described, async (execution) => {
		// Read before the items' turns, and only once: n8n takes a millisecond for an expression.
		const read = new Map<number, { key: string; values: Values<I> }>();
		const turns = new Turns();
		for (const index of execution.items) {
			try {
				const values = readInputs(spec.inputs, execution.parameters, index);
				read.set(index, { key: spec.key(values), values });
			} catch {
				// It is read again, and fails, when it is the item's turn.
			}
			await turns.next();
		}
		const batches = batchesOf(new Set([...read.values()].map(({ key }) => key)), spec);
		const batchOf = new Map(batches.flatMap((keys) => keys.map((key) => [key, keys] as const)));
		return await everyItem(execution, described, async (index) => {
			const { values, item } = await itemAt(execution, spec.inputs, index, read.get(index)?.values);
			const key = spec.key(values);
			const keys = batchOf.get(key);
			const records = keys
				? await item.client.once(`records ${keys.join()}`, async () =>
						spec.items(await item.client.send(spec.many(keys))),
					)
				: [];
			const found = records.find((record) => spec.keysOf(record).includes(key));
			return [{ json: found ?? (await spec.single(key, values, item)) }];
		});
	});
}

/** A batch of one would save nothing: its record is read alone. */
function batchesOf(
	keys: Set<string>,
	{ size, group = () => '' }: { size: number; group?: (key: string) => string },
): string[][] {
	const groups = new Map<string, string[]>();
	for (const key of keys) {
		const others = groups.get(group(key));
		if (others) others.push(key);
		else groups.set(group(key), [key]);
	}
	return [...groups.values()].flatMap((all) =>
		Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
			all.slice(index * size, (index + 1) * size),
		).filter((batch) => batch.length > 1),
	);
}

/** What is to be made for an item. */
export interface Planned<Plan> {
	item: Item;
	plan: Plan;
}

/** What a look has found for all plans together. */
interface Looked extends Pick<Kind, 'isLast' | 'newRun'> {
	/** Those that cannot be performed. */
	failed: FailedItem[];
}

interface Planning<I extends Inputs, Plan, Look extends Looked> {
	inputs: I;
	plan: (values: Values<I>, item: Item) => Promise<Plan>;
	/** Refuses plans that do not go together, before anything is looked up for them. */
	compare?(plans: Array<Planned<Plan>>): FailedItem[];
	/** Looks up for all plans what they need. */
	look?(plans: Array<Planned<Plan>>): Promise<Look>;
}

/**
 * Creates something in two steps: all items are planned, then `perform` changes something for each. Adds the option
 * Check All Items First: unless it is off, nothing is created for any item while another one cannot be used.
 */
export function planned<I extends Inputs, Plan, Look extends Looked = Looked>(
	spec: Description<I> &
		Planning<I, Plan, Look> & {
			perform(plan: Plan, item: Item, looked: Look): Promise<ItemOutput[]>;
			/** The options that hold for the whole run. */
			runOptions?: Inputs;
		},
): Operation {
	const own = spec.inputs.options ?? options({});
	const inputs = { ...spec.inputs, options: withMore(own, spec.runOptions ?? planningOptions) };
	return operation({ ...spec, inputs }, async (execution) => {
		const { plans, failed, looked } = await planAll(execution, spec, {
			together: execution.isCheckedFirst,
		});
		const kind = { ...spec, isLast: looked?.isLast, newRun: looked?.newRun };
		return await everyItem(execution, kind, async (index) => {
			const planned = plans.get(index);
			if (!planned) throw failed.get(index);
			// There are plans only if the look has succeeded.
			return await spec.perform(planned.plan, planned.item, looked as Look);
		});
	});
}

/** Plans items as `planned` does, and creates nothing. An item that cannot be planned is described, too. */
export function previewed<I extends Inputs, Plan, Look extends Looked>(
	spec: Omit<Description<I>, 'effect'> &
		Planning<I, Plan, Look> & {
			describe(item: Item, planned: { plan: Plan; looked: Look } | { caught: unknown }): ItemOutput;
			/** Says in a hint what the output says item by item. */
			tell(context: IExecuteFunctions, output: INodeExecutionData[]): void;
		},
): Operation {
	const described = { ...spec, effect: 'reads' } as const;
	return operation(described, async (execution) => {
		const { plans, failed, looked } = await planAll(execution, spec, { together: false });
		const output = await everyItem(execution, described, async (index) => {
			const planned = plans.get(index);
			const item = planned?.item ?? new Item(execution, index, await execution.client());
			const outcome = planned
				? { plan: planned.plan, looked: looked as Look }
				: { caught: failed.get(index) };
			return [spec.describe(item, outcome)];
		});
		spec.tell(execution.context, output);
		return output;
	});
}

/**
 * Plans all items that are not done yet. If they are checked first, throws one error for those that cannot be planned,
 * except under Continue On Fail.
 */
async function planAll<I extends Inputs, Plan, Look extends Looked>(
	execution: Execution,
	spec: Planning<I, Plan, Look>,
	{ together }: { together: boolean },
) {
	const { context, items, progress } = execution;
	const node = context.getNode();
	const todo = items.filter((index) => progress.of(index).state !== 'done');
	const plans = new Map<number, Planned<Plan>>();
	const failed = new Map<number, unknown>();
	const refuse = (refused: FailedItem[]) => {
		for (const { item, caught } of refused) {
			failed.set(item, caught);
			plans.delete(item);
		}
		if (failed.size === 0 || !together || execution.continueOnFail) return;
		const all = [...failed].map(([item, caught]) => ({ item, caught }));
		throw itemsError(node, all, { total: todo.length, done: items.length - todo.length });
	};
	const limit = () => execution.limit;
	await mapConcurrently(todo, limit, async (index) => {
		try {
			const { values, item } = await itemAt(execution, spec.inputs, index);
			plans.set(index, { item, plan: await spec.plan(values, item) });
		} catch (caught) {
			if (execution.isCancelled) throw nodeError(node, { item: index, caught });
			failed.set(index, caught);
		}
	});
	const inOrder = () => todo.flatMap((index) => plans.get(index) ?? []);
	refuse(spec.compare?.(inOrder()) ?? []);
	const [first] = inOrder();
	if (!first || !spec.look) return { plans, failed };
	let looked: Look | undefined;
	try {
		looked = await spec.look(inOrder());
	} catch (caught) {
		if (!execution.continueOnFail || execution.isCancelled) {
			throw nodeError(node, { item: first.item.index, caught });
		}
		refuse(inOrder().map(({ item }) => ({ item: item.index, caught })));
	}
	refuse(looked?.failed ?? []);
	return { plans, failed, looked };
}

/** For an operation that does not exist: every item fails. */
export function missing(name: string, resource: string): Pick<Operation, 'execute'> {
	const refusal = new Refusal(
		`The resource '${resource}' has no operation '${name}'`,
		'Choose another operation. For a request of your own, use the HTTP Request node with the Documenso API credential.',
	);
	return { execute: async (context) => await failAll(context, refusal) };
}

function operation<I extends Inputs>(
	spec: Description<I>,
	run: (execution: Execution) => Promise<INodeExecutionData[]>,
): Operation {
	const { name, value, action, description, returns, ending } = spec;
	const added = { ...(spec.simplify ? outputChoice : {}), ...ending?.inputs };
	const inputs = {
		...beforeCollections(spec.inputs, added),
		options: spec.inputs.options ?? options({}),
	};
	const executed = async (context: IExecuteFunctions, process: N8nProcess) => {
		let runOptions: RunOptions;
		let runEnding: ReturnType<Ending['prepare']> | undefined;
		try {
			runOptions = readRunOptions(context);
			runEnding = ending?.prepare(context, new Parameters(context));
		} catch (error) {
			// Thrown from here, n8n would hand all items on as successes under Continue On Fail.
			return await failAll(context, error);
		}
		const execution = new Execution(context, process, runOptions);
		await execution.prepare();
		const items = await run(execution).finally(() => {
			execution.end();
		});
		let output = items;
		try {
			if (runEnding) output = await runEnding(items, execution);
		} catch (caught) {
			return failedEnd(execution, items, caught);
		}
		if (spec.effect !== 'reads') execution.progress.finishRun(execution.items);
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
	const { error, details } = errorOutput(node, { item: 0, caught });
	return items.map(({ json, ...rest }) => ({
		...rest,
		json: 'error' in json ? json : { error, details: { ...details, id: json.id } },
	}));
}

async function failAll(context: IExecuteFunctions, error: unknown): Promise<INodeExecutionData[]> {
	return await everyItem(new Execution(context, thisProcess), { effect: 'reads' }, async () => {
		await Promise.resolve();
		throw error;
	});
}

async function itemAt<I extends Inputs>(
	execution: Execution,
	inputs: I,
	index: number,
	values = readInputs(inputs, execution.parameters, index),
) {
	// Without a request, nothing else would end the work on many items.
	execution.context.getExecutionCancelSignal()?.throwIfAborted();
	return { values, item: new Item(execution, index, await execution.client()) };
}
