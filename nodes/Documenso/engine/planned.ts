import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { mapConcurrently } from '../../shared/api/concurrency';
import { planningOptions } from './commonInputs';
import type { Execution } from '../../shared/n8n/execution';
import type { Inputs, Values } from '../../shared/n8n/input';
import { Item } from '../../shared/n8n/item';
import type { AtLeastOne } from '../../shared/n8n/values';
import { itemsError, nodeError, type FailedItem } from '../../shared/n8n/nodeError';
import { itemAt, operation, type Description, type Operation } from './operation';
import { everyItem, type ItemOutput, type Kind } from './work';

/** An item, and what is to be made for it. */
export type Planned<Plan> = Plan & { item: Item };

/** What a look has found for all plans together. */
export interface Found<Next> extends Pick<Kind, 'newRun'> {
	/** What becomes of the plans that can be performed. */
	next: Array<Planned<Next> & { isLast?: boolean }>;
	/** Those that cannot be performed; unless all items are checked first, the others are. */
	failed: FailedItem[];
	/** Those that fail alone, and last. */
	failedAlone?: FailedItem[];
}

interface Planning<I extends Inputs, Plan extends object, Next extends object> {
	inputs: I;
	plan: (values: Values<I>, item: Item) => Promise<Plan>;
	/** Refuses plans that do not go together with one before them, before anything is looked up for them. */
	compare?(plans: Array<Planned<Plan>>): Promise<FailedItem[]>;
	/** Looks up for all plans what they need. */
	look(plans: AtLeastOne<Planned<Plan>>): Promise<Found<Next>>;
}

/**
 * Creates something in two steps: all items are planned, then `perform` changes something for each. Adds the option
 * Check All Items First: unless it is off, nothing is created for any item while another one cannot be used.
 */
export function planned<I extends Inputs, Plan extends object, Next extends object>(
	spec: Description<I> &
		Planning<I, Plan, Next> & {
			perform(next: Planned<Next>): Promise<ItemOutput[]>;
		},
): Operation {
	return operation({ runOptions: planningOptions, ...spec }, async (execution) => {
		const { next, failed, found } = await planAll(execution, spec, {
			together: execution.isCheckedFirst,
		});
		const { failedAlone = [], newRun } = found ?? {};
		const alone = new Map(failedAlone.map(({ item, caught }) => [item, caught]));
		const turnOf = (index: number) => (alone.has(index) ? 2 : next.get(index)?.isLast ? 1 : 0);
		return await everyItem(execution, { ...spec, turnOf, failedAlone, newRun }, async (index) => {
			const one = next.get(index);
			if (!one) throw failed.get(index) ?? alone.get(index);
			return await spec.perform(one);
		});
	});
}

/** Plans items as `planned` does, and creates nothing. An item that cannot be planned is described, too. */
export function previewed<I extends Inputs, Plan extends object, Next extends object>(
	spec: Omit<Description<I>, 'effect'> &
		Planning<I, Plan, Next> & {
			/** An item for each one planned, and behind it what else there is to say. */
			describe(item: Item, outcome: { next: Planned<Next> } | { caught: unknown }): ItemOutput[];
			/** Says in a hint what the output says item by item. */
			tell(context: IExecuteFunctions, output: INodeExecutionData[]): void;
		},
): Operation {
	const described = { ...spec, effect: 'reads' } as const;
	return operation(described, async (execution) => {
		const { next, failed } = await planAll(execution, spec, { together: false });
		const output = await everyItem(execution, described, async (index) => {
			const one = next.get(index);
			const item = one?.item ?? new Item(execution, index, await execution.client());
			return spec.describe(item, one ? { next: one } : { caught: failed.get(index) });
		});
		spec.tell(execution.context, output);
		return output;
	});
}

/**
 * Plans all items that are not done yet. If they are checked first, throws one error for those that cannot be planned,
 * except under Continue On Fail.
 */
async function planAll<I extends Inputs, Plan extends object, Next extends object>(
	execution: Execution,
	spec: Planning<I, Plan, Next>,
	{ together }: { together: boolean },
) {
	const { context, items, progress } = execution;
	const node = context.getNode();
	const isDone = (index: number) => progress.of(index).state === 'done';
	const todo = items.filter((index) => !isDone(index));
	// What is done counts where plans are compared: a retry must not make what the first try refused beside it.
	const compared = spec.compare && todo.length > 0 ? items.filter(isDone) : [];
	const plans = new Map<number, Planned<Plan>>();
	const failed = new Map<number, unknown>();
	const fail = (more: FailedItem[]) => {
		for (const { item, caught } of more) {
			failed.set(item, caught);
			plans.delete(item);
		}
		if (failed.size === 0 || !together || execution.continueOnFail) return;
		const all = [...failed].map(([item, caught]) => ({ item, caught }));
		throw itemsError(context, all, { total: todo.length, done: items.length - todo.length });
	};
	await mapConcurrently(
		[...compared, ...todo],
		() => execution.limit,
		async (index) => {
			try {
				const { values, item } = await itemAt(execution, spec.inputs, index);
				plans.set(index, { ...(await spec.plan(values, item)), item });
			} catch (caught) {
				if (execution.isCancelled) throw nodeError(node, { item: index, caught });
				if (!isDone(index)) failed.set(index, caught);
			}
		},
	);
	const plansOf = (indexes: number[]) => indexes.flatMap((index) => plans.get(index) ?? []);
	const refused = (await spec.compare?.(plansOf([...compared, ...todo]))) ?? [];
	fail(refused.filter(({ item }) => !isDone(item)));
	const [first, ...others] = plansOf(todo);
	if (!first) return { next: new Map<number, Found<Next>['next'][number]>(), failed };
	const found = await spec.look([first, ...others]).catch((caught: unknown): Found<Next> => {
		if (!execution.continueOnFail || execution.isCancelled) {
			throw nodeError(node, { item: first.item.index, caught });
		}
		return {
			next: [],
			failed: [first, ...others].map(({ item }) => ({ item: item.index, caught })),
		};
	});
	fail(found.failed);
	const next = found.next.filter(({ item }) => !failed.has(item.index));
	return { next: new Map(next.map((one) => [one.item.index, one])), failed, found };
}

/** How many items came out how: for each outcome that there is, its words and the number. */
export function counted<Outcome extends string>(
	outcomes: Array<Outcome | undefined>,
	words: Record<Outcome, string>,
): Array<[string, number]> {
	return Object.entries<string>(words).flatMap(([outcome, said]) => {
		const { length } = outcomes.filter((one) => one === outcome);
		return length > 0 ? [[said, length] as [string, number]] : [];
	});
}
