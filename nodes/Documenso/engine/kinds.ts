import type { IDataObject } from 'n8n-workflow';

import { isNotFound } from '../../shared/api/failure';
import { dataOf, recordSchema, type Schema } from '../../shared/api/records';
import type { ServiceRequest } from '../../shared/api/request';
import { Turns } from '../../shared/api/turns';
import { groupedBy } from '../../shared/n8n/values';
import { BATCH_SIZE, inBatches } from '../../shared/envelope/read';
import { withCause } from '../../shared/n8n/cause';
import { listInputs } from './commonInputs';
import { oneAtATime } from './oneAtATime';
import type { Inputs, Values } from '../../shared/n8n/input';
import { readInputs } from './readInputs';
import type { Item } from '../../shared/n8n/item';
import { itemAt, operation, type Description, type Operation } from './operation';
import { everyItem, type ItemOutput } from './work';

// Below, what an operation does are properties, not methods: of a method, TypeScript would accept a function that needs
// an input which the operation does not declare.

interface Lined<I extends Inputs> {
	/** Items with one line are worked on one after the other: each builds on what the one before has left. */
	line?: (values: Values<I>) => string;
}

/** One request for an item. */
export function perItem<I extends Inputs, Answer extends IDataObject = IDataObject>(
	spec: Description<I> &
		Lined<I> & {
			/** May first read what the request needs. */
			request: (values: Values<I>, item: Item) => ServiceRequest | Promise<ServiceRequest>;
			/** Called when Documenso has refused the request: throws what is wrong with an input. */
			check?: (values: Values<I>, item: Item) => Promise<unknown>;
			/** What the answer has to hold; by default, anything, or the ID of what was added. */
			answer?: Schema<Answer>;
			/** The items in an answer; by default, the answer is one. */
			items?: (answer: Answer, values: Values<I>, item: Item) => IDataObject[];
		},
): Operation {
	const added = recordSchema as unknown as Schema<Answer>;
	const schema = spec.answer ?? (spec.effect === 'adds' ? added : undefined);
	return custom({
		...spec,
		run: async (values, item) => {
			const request = await spec.request(values, item);
			const answer = await withCause(
				async () => await item.client.send(request, schema),
				async () => await spec.check?.(values, item),
			);
			const items = spec.items?.(answer, values, item) ?? [answer];
			return items.map((json) => ({ json }));
		},
	});
}

/** Anything else: several requests for an item, or files. */
export function custom<I extends Inputs>(
	spec: Description<I> &
		Lined<I> & {
			run: (values: Values<I>, item: Item) => Promise<ItemOutput[]>;
		},
): Operation {
	return operation(spec, async (execution) => {
		return await everyItem(execution, spec, async (index) => {
			const { values, item } = await itemAt(execution, spec.inputs, index);
			const run = async () =>
				await spec.run(values, item).catch((error: unknown) => {
					throw withMissingId(error, spec.inputs, values);
				});
			if (!spec.line) return await run();
			const endsAtFailure = !execution.continueOnFail;
			return await oneAtATime(item.client, spec.line(values), run, { endsAtFailure });
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
			const records = await spec.records(values, item, limit).catch((error: unknown) => {
				throw withMissingId(error, spec.inputs, values);
			});
			if (records.length >= limit) {
				execution.hints.say(
					`There may be more: 'Limit' is ${limit}. For all, turn on 'Return All'.`,
				);
			}
			return records.slice(0, limit).map((json) => ({ json }));
		});
	});
}

/**
 * A read by ID, for many items in one request of get-many. A record that the answer lacks is read alone, so that
 * Documenso says what is wrong with its ID, and only its item fails.
 */
export function batched<I extends Inputs>(
	spec: Omit<Description<I>, 'effect'> & {
		key: (values: Values<I>) => string;
		/** Only keys of one group go into one request. */
		group?: (key: string) => string;
		single: (key: string, values: Values<I>, item: Item) => Promise<IDataObject>;
		many(keys: string[]): ServiceRequest;
		/** All keys that stand for a record. */
		keysOf(record: IDataObject): string[];
		/** Adds what the request for many does not tell. */
		complete?: (record: IDataObject, values: Values<I>, item: Item) => Promise<IDataObject>;
	},
): Operation {
	const described = { ...spec, effect: 'reads', itemsPerRequest: BATCH_SIZE } as const;
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
		const batches = batchesOf(new Set([...read.values()].map(({ key }) => key)), spec.group);
		const batchOf = new Map(batches.flatMap((keys) => keys.map((key) => [key, keys] as const)));
		return await everyItem(execution, described, async (index) => {
			const { values, item } = await itemAt(execution, spec.inputs, index, read.get(index)?.values);
			const key = spec.key(values);
			const keys = batchOf.get(key);
			const records = keys
				? await item.client.once(`records ${keys.join()}`, async () =>
						dataOf(await item.client.send(spec.many(keys))),
					)
				: [];
			const found =
				records.find((record) => spec.keysOf(record).includes(key)) ??
				(await spec.single(key, values, item));
			return [{ json: (await spec.complete?.(found, values, item)) ?? found }];
		});
	});
}

/** A batch of one would save nothing: its record is read alone. */
function batchesOf(keys: Set<string>, group: (key: string) => string = () => ''): string[][] {
	const groups = [...groupedBy(keys, group).values()];
	return groups.flatMap((all) => inBatches(all)).filter((batch) => batch.length > 1);
}

/** What Documenso calls the things that inputs name, where users call them otherwise. */
const LABELS: Partial<Record<string, string>> = { Envelope: 'Document or Template' };

/** Says which ID Documenso did not find, where an input names it: its own words are only "Field not found". */
function withMissingId(error: unknown, inputs: Inputs, values: object): unknown {
	if (!isNotFound(error)) return error;
	const [, said = ''] = /^(\w+) not found$/.exec(error.message) ?? [];
	const label = LABELS[said] ?? said;
	const isNamed = (name: string) => {
		const { type, displayName } = inputs[name]?.property ?? {};
		return type === 'resourceLocator' && displayName === label;
	};
	const [, id] = Object.entries(values).find(([name, value]) => value && isNamed(name)) ?? [];
	return id ? error.withMessage(`There is no ${label.toLowerCase()} with the ID ${id}`) : error;
}
