import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { mapConcurrently } from '../api/concurrency';
import { options, planningOptions } from './commonInputs';
import type { Execution } from './execution';
import { withMore } from './collections';
import type { Inputs, Values } from './input';
import { Item } from './item';
import { itemsError, nodeError, type FailedItem } from './nodeError';
import { itemAt, operation, type Description, type Operation } from './operation';
import { everyItem, type ItemOutput, type Kind } from './work';

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
	compare?(plans: Array<Planned<Plan>>): Promise<FailedItem[]>;
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
	refuse((await spec.compare?.(inOrder())) ?? []);
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
