import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';

import { asNodeError, errorOutput } from './errors';
import { limit, returnAll } from './fields/list';
import { Params } from './params';
import type { Client, ServiceRequest } from './transport/client';
import { mapConcurrently } from './transport/concurrency';

/** Items under way at once. */
const CONCURRENCY = 8;
/** The most that the service lists on a page. */
const PAGE_SIZE = 100;

/** How an operation reads in the editor. */
export interface Description {
	name: string;
	/** Stored in workflows: never changes. */
	value: string;
	action: string;
	description: string;
	properties: INodeProperties[];
}

/** One execution of the node. */
export interface Run {
	context: IExecuteFunctions;
	client: Client;
	continueOnFail: boolean;
}

export interface Operation extends Description {
	execute(run: Run): Promise<INodeExecutionData[]>;
}

/** What one item yields; the engine adds the pairing. */
export type ItemOutput = Pick<INodeExecutionData, 'json' | 'binary'>;

/** One request for an item. */
export function perItem(
	spec: Description & {
		request(params: Params): ServiceRequest;
		output?(body: IDataObject, params: Params): IDataObject;
	},
): Operation {
	return custom({
		...spec,
		run: async (params, client) => {
			const body = await client.send(spec.request(params));
			return [{ json: spec.output?.(body, params) ?? body }];
		},
	});
}

/** A list: adds Return All and Limit, and walks the pages up to the limit. */
export function paged(
	spec: Description & {
		request(params: Params): ServiceRequest;
		items(body: IDataObject): IDataObject[];
		pages(body: IDataObject): number;
	},
): Operation {
	return custom({
		...spec,
		properties: [returnAll, limit, ...spec.properties],
		run: async (params, client) => {
			const wanted = params.boolean('returnAll') ? Infinity : params.number('limit');
			const request = spec.request(params);
			const perPage = Math.min(PAGE_SIZE, wanted);
			const found: IDataObject[] = [];
			for (let page = 1, pages = 1; page <= pages && found.length < wanted; page++) {
				const query = { ...request.query, page, perPage };
				const body = await client.send({ ...request, query });
				found.push(...spec.items(body));
				pages = spec.pages(body);
			}
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
		single(key: string): ServiceRequest;
		many(keys: string[]): ServiceRequest;
		items(body: IDataObject): IDataObject[];
		keyOf(item: IDataObject): unknown;
	},
): Operation {
	return {
		...spec,
		async execute(run) {
			const alone = async (key: string) => await run.client.send(spec.single(key));
			const together = async (keys: string[]) => {
				const items = spec.items(await run.client.send(spec.many(keys)));
				return new Map(items.map((item) => [spec.keyOf(item), item]));
			};
			const batchOf = new Map<string, () => ReturnType<typeof together>>();
			const keys = distinctKeys(run, spec);
			for (let start = 0; keys.length > 1 && start < keys.length; start += spec.size) {
				const batch = keys.slice(start, start + spec.size);
				let answer: ReturnType<typeof together> | undefined;
				for (const key of batch) batchOf.set(key, async () => await (answer ??= together(batch)));
			}
			return await everyItem(run, spec, async (params) => {
				const key = spec.key(params);
				const found = (await batchOf.get(key)?.())?.get(key);
				return [{ json: found ?? (await alone(key)) }];
			});
		},
	};
}

/** Anything else: several requests for an item, or files. */
export function custom(
	spec: Description & { run(params: Params, client: Client): Promise<ItemOutput[]> },
): Operation {
	return {
		...spec,
		execute: async (run) =>
			await everyItem(run, spec, async (params) => await spec.run(params, run.client)),
	};
}

/** The keys of the items that have one; a bad one is reported when its item's turn comes. */
function distinctKeys(run: Run, spec: Description & { key(params: Params): string }): string[] {
	const keys = run.context.getInputData().flatMap((_, index) => {
		try {
			return [spec.key(new Params(run.context, index, spec.properties))];
		} catch {
			return [];
		}
	});
	return [...new Set(keys)];
}

/** The only place that catches: pairs every output with its item, and lets a failing item fail alone. */
async function everyItem(
	{ context, continueOnFail }: Run,
	{ properties }: Description,
	work: (params: Params) => Promise<ItemOutput[]>,
): Promise<INodeExecutionData[]> {
	const indexes = context.getInputData().map((_, index) => index);
	const outputs = await mapConcurrently(indexes, CONCURRENCY, async (item) => {
		const pairedItem = { item };
		try {
			const output = await work(new Params(context, item, properties));
			return output.map((one) => ({ ...one, pairedItem }));
		} catch (caught) {
			const error = asNodeError(context.getNode(), caught, item);
			if (!continueOnFail) throw error;
			return [{ json: errorOutput(error), pairedItem }];
		}
	});
	return outputs.flat();
}
