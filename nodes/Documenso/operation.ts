import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';

import {
	asNodeError,
	errorOutput,
	inputError,
	itemsError,
	mayLeaveTraces,
	notRepeatedError,
	withCause,
	withProgress,
	type NodeError,
} from './errors';
import { checkAllFirst, limit, returnAll, simple } from './fields/list';
import { withOptions } from './fields/options';
import { Memory } from './memory';
import { distinct, readPages } from './pages';
import { Params } from './params';
import { optionsSchema } from './schemas/options';
import { Client, type ServiceRequest } from './transport/client';
import { mapConcurrently } from './transport/concurrency';
import { Pace } from './transport/pace';

/** The most that the service lists on a page. */
const PAGE_SIZE = 100;

/** How an operation reads in the editor and in the README's table. */
export interface Description {
	name: string;
	/** Stored in workflows: never changes. */
	value: string;
	action: string;
	description: string;
	/** What it calls, for example `POST /envelope/create`; several are separated by commas. */
	endpoint: string;
	/** What an item that it puts out is or holds. */
	returns: string;
	properties: INodeProperties[];
	/** Whether it changes nothing although it is sent as a POST. */
	isRead?: boolean;
	/** Whether doing it twice adds something twice, so that a try whose outcome is unknown is not repeated. */
	addsEachTime?: boolean;
	/** The most useful keys of a long record, at most ten. Its presence adds the switch Simplify. */
	simplify?: (record: IDataObject) => IDataObject;
}

/** One execution of the node. */
export interface Execution {
	context: IExecuteFunctions;
	continueOnFail: boolean;
}

/** An execution, with what its items share. */
interface Run extends Execution {
	/** Made when the first item needs it, so that a credential that cannot be used fails items, not n8n. */
	client: () => Promise<Client>;
	pace: Pace;
}

export interface Operation extends Description {
	execute(execution: Execution): Promise<INodeExecutionData[]>;
}

/** What one item yields; the engine adds the pairing. */
export type ItemOutput = Pick<INodeExecutionData, 'json' | 'binary'>;

/** One request for an item. */
export function perItem(
	spec: Description & {
		request(params: Params): ServiceRequest;
		output?(body: IDataObject, params: Params, client: Client): IDataObject;
	},
): Operation {
	return custom({
		...spec,
		run: async (params, client) => {
			const body = await client.send(spec.request(params));
			return [{ json: spec.output?.(body, params, client) ?? body }];
		},
	});
}

/** A list, or several read as one: adds Return All and Limit, and walks the pages up to the limit. */
export function paged(
	spec: Description & {
		requests(params: Params, client: Client): ServiceRequest[] | Promise<ServiceRequest[]>;
		items(body: IDataObject): IDataObject[];
		/** How many pages there are, and records on all of them where the service tells. */
		extent(body: IDataObject): { pages: number; count?: number };
		/** How the records of several lists are merged. */
		order?(params: Params): (a: IDataObject, b: IDataObject) => number;
		/** Throws what the user has to know about a list that Documenso refused, or that is empty. */
		check?(params: Params, client: Client): Promise<unknown>;
	},
): Operation {
	const walk = async (client: Client, request: ServiceRequest, wanted: number) => {
		const perPage = Math.min(PAGE_SIZE, wanted);
		const read = async (page: number) => {
			const query = { ...request.query, page, perPage };
			const body = await client.send({ ...request, query });
			const { pages, count = pages * perPage } = spec.extent(body);
			return { number: page, items: spec.items(body), pages, count };
		};
		return await readPages({ perPage, wanted, limit: () => client.limit, read });
	};
	return custom({
		...spec,
		properties: [returnAll, limit, ...spec.properties],
		run: async (params, client) => {
			const wanted = params.boolean('returnAll') ? Infinity : params.atLeastOne('limit');
			const requests = await spec.requests(params, client);
			const check = async () => await spec.check?.(params, client);
			const lists = await withCause(
				async () =>
					await mapConcurrently(
						requests,
						() => client.limit,
						async (request) => await walk(client, request, wanted),
					),
				check,
			);
			const found = distinct(lists.flat());
			if (found.length === 0) await check();
			if (lists.length > 1 && spec.order) found.sort(spec.order(params));
			return found.slice(0, wanted).map((json) => ({ json }));
		},
	});
}

/**
 * A read by id that asks for many ids in one request. An id that the answer lacks is read alone, so that
 * it yields the service's own error, and fails only its own item.
 */
export function batched(
	spec: Description & {
		/** Ids a request. */
		size: number;
		key(params: Params): string;
		/** Only keys of one group go into one request. */
		group?: (key: string) => string;
		single(key: string, params: Params, client: Client): Promise<IDataObject>;
		many(keys: string[]): ServiceRequest;
		items(body: IDataObject): IDataObject[];
		/** Every key that asks for this record. */
		keysOf(record: IDataObject): string[];
	},
): Operation {
	const execute = async (run: Run) => {
		const together = async (keys: string[]) => {
			const client = await run.client();
			const records = spec.items(await client.send(spec.many(keys)));
			return new Map(
				records.flatMap((record) => spec.keysOf(record).map((key) => [key, record] as const)),
			);
		};
		const keys = keysOf(run, spec);
		const batchOf = new Map<string, () => ReturnType<typeof together>>();
		for (const batch of batchesOf(keys.distinct, spec)) {
			let answer: ReturnType<typeof together> | undefined;
			for (const key of batch) batchOf.set(key, async () => await (answer ??= together(batch)));
		}
		const work = async (params: Params) => {
			const key = keys.of(params.itemIndex);
			const found = (await batchOf.get(key)?.())?.get(key);
			return [{ json: found ?? (await spec.single(key, params, await run.client())) }];
		};
		return await everyItem(run, operation, work, spec.size);
	};
	const operation = complete({ ...spec, isRead: true }, execute);
	return operation;
}

/** Anything else: several requests for an item, or files. */
export function custom(
	spec: Description & { run(params: Params, client: Client): Promise<ItemOutput[]> },
): Operation {
	const operation: Operation = complete(
		spec,
		async (run) =>
			await everyItem(run, operation, async (params) => await spec.run(params, await run.client())),
	);
	return operation;
}

/**
 * Creates something in two steps: `prepare` reads and checks, `perform` changes. Adds the switch Check All
 * Items First, with which nothing is created for any item while another cannot be used.
 */
export function prepared<Plan>(
	spec: Description & {
		prepare(params: Params, client: Client): Promise<Plan>;
		perform(plan: Plan, params: Params, client: Client): Promise<ItemOutput[]>;
	},
): Operation {
	const properties = beforeCollections(spec.properties, checkAllFirst);
	const operation: Operation = complete({ ...spec, properties }, async (run) => {
		const planFor = async (params: Params) => await spec.prepare(params, await run.client());
		const isCheckedFirst = new Params(run.context, 0, properties).boolean('checkAllFirst');
		const planned = isCheckedFirst ? await planAll(run, operation, planFor) : planFor;
		return await everyItem(
			run,
			operation,
			async (params) => await spec.perform(await planned(params), params, await run.client()),
		);
	});
	return operation;
}

/** Plans every item that is not done yet. Throws one error for all that cannot be planned, unless they are to fail alone. */
async function planAll<Plan>(
	{ context, continueOnFail, pace }: Run,
	{ properties }: Description,
	planFor: (params: Params) => Promise<Plan>,
): Promise<(params: Params) => Promise<Plan>> {
	const memory = Memory.of(context);
	const indexes = context.getInputData().map((_, index) => index);
	const todo = indexes.filter((index) => !memory.of(index).done);
	const errors: Array<{ item: number; error: NodeError }> = [];
	const plans = new Map<number, () => Plan>();
	const plan = async (index: number) => {
		try {
			const planned = await planFor(new Params(context, index, properties));
			plans.set(index, () => planned);
		} catch (caught) {
			const error = asNodeError(context.getNode(), caught, index);
			if (isCancelled(context)) throw error;
			errors.push({ item: index, error });
			plans.set(index, () => {
				throw error;
			});
		}
	};
	await mapConcurrently(todo, () => pace.limit, plan);
	if (errors.length > 0 && !continueOnFail) {
		throw itemsError(context.getNode(), errors, todo.length, indexes.length - todo.length);
	}
	return async (params) => plans.get(params.itemIndex)?.() ?? (await planFor(params));
}

/** Stands for an operation that does not exist: every item fails. */
export function missing(name: string, resource: string): Operation {
	const nothing = { action: '', description: '', endpoint: '', returns: '', properties: [] };
	const refuse = async ({ context, itemIndex }: Params) => {
		throw inputError(
			context.getNode(),
			itemIndex,
			`There is no operation '${name}: ${resource}'`,
			'Choose another operation. For a request of your own, use the HTTP Request node with the Documenso API credential.',
		);
	};
	const operation: Operation = {
		...nothing,
		name,
		value: name,
		execute: async (execution) => await everyItem(runOf(execution), operation, refuse),
	};
	return operation;
}

function complete(
	spec: Description,
	execute: (run: Run) => Promise<INodeExecutionData[]>,
): Operation {
	const properties = withOptions(
		spec.simplify ? beforeCollections(spec.properties, simple) : spec.properties,
	);
	return {
		...spec,
		properties,
		execute: async (execution) => {
			const first = new Params(execution.context, 0, properties);
			const { maxInFlight } = first.collection('options', optionsSchema);
			return await execute(runOf(execution, maxInFlight));
		},
	};
}

function runOf({ context, continueOnFail }: Execution, maxInFlight?: number): Run {
	const pace = new Pace(maxInFlight);
	let made: Promise<Client> | undefined;
	const client = async () => await (made ??= Client.of(context, { pace }));
	return { context, continueOnFail, pace, client };
}

/** Puts a switch before the collections of optional fields, where n8n's own nodes have theirs. */
function beforeCollections(properties: INodeProperties[], added: INodeProperties) {
	const optional = properties.findIndex(({ type }) => type === 'collection');
	const place = optional < 0 ? properties.length : optional;
	return [...properties.slice(0, place), added, ...properties.slice(place)];
}

/** A batch of one would save nothing: its record is read alone. */
function batchesOf(
	keys: string[],
	{ size, group = () => '' }: { size: number; group?: (key: string) => string },
): string[][] {
	const groups = new Map<string, string[]>();
	for (const key of keys) groups.set(group(key), [...(groups.get(group(key)) ?? []), key]);
	return [...groups.values()].flatMap((all) =>
		Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
			all.slice(index * size, (index + 1) * size),
		).filter((batch) => batch.length > 1),
	);
}

/** The items' keys, each read once: n8n takes a millisecond for an expression. A bad one is reported in its item's turn. */
function keysOf(run: Run, spec: Description & { key(params: Params): string }) {
	const read = run.context.getInputData().map((_, index) => {
		try {
			return { key: spec.key(new Params(run.context, index, spec.properties)) };
		} catch (error) {
			return { error };
		}
	});
	return {
		distinct: [...new Set(read.flatMap(({ key }) => key ?? []))],
		of: (index: number) => {
			const { key, error } = read[index] ?? {};
			if (key === undefined) throw error;
			return key;
		},
	};
}

/**
 * Pairs every output with its item, lets a failing item fail alone, and skips what an earlier try of the run
 * has done.
 */
async function everyItem(
	{ context, continueOnFail, pace }: Run,
	description: Description,
	work: (params: Params) => Promise<ItemOutput[]>,
	itemsPerRequest = 1,
): Promise<INodeExecutionData[]> {
	const { addsEachTime, endpoint, isRead, properties, simplify } = description;
	const memory = endpoint.includes('POST') && !isRead ? Memory.of(context) : undefined;
	const indexes = context.getInputData().map((_, index) => index);
	const failures: number[] = [];
	const atOnce = () => pace.limit * itemsPerRequest;
	const outputs = await mapConcurrently(indexes, atOnce, async (item) => {
		const pairedItem = { item };
		const remembered = memory?.of(item);
		if (remembered?.done) return remembered.done.map((json) => ({ json, pairedItem }));
		try {
			if (remembered?.lost) throw notRepeatedError(context.getNode(), item, remembered.lost);
			const params = new Params(context, item, properties);
			const shorten = simplify && params.boolean('simple') ? simplify : undefined;
			const output = (await work(params)).map(({ json, ...rest }) => ({
				json: shorten?.(json) ?? json,
				...rest,
				pairedItem,
			}));
			if (remembered) remembered.done = output.map(({ json }) => json);
			return output;
		} catch (caught) {
			failures.push(item);
			const error = asNodeError(context.getNode(), caught, item);
			if (remembered && addsEachTime && mayLeaveTraces(error)) remembered.lost = error.message;
			if (!continueOnFail || isCancelled(context)) throw error;
			return [{ json: errorOutput(error), pairedItem }];
		}
	}).catch((error: unknown) => {
		const done = indexes.filter((item) => memory?.of(item).done);
		throw withProgress(error, done.length, indexes.length);
	});
	if (failures.length === 0) memory?.clear();
	return outputs.flat();
}

function isCancelled(context: IExecuteFunctions): boolean {
	return context.getExecutionCancelSignal()?.aborted ?? false;
}
