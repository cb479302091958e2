import type { FunctionsBase, IPollFunctions } from 'n8n-workflow';

import type { Look } from '../polls/look';
import {
	hasCursor,
	notePublished,
	storeByExecution,
	writeState,
	type Stored,
} from '../polls/stored';

/** How often an execution stores the state where n8n does not, in milliseconds. */
const STORED_EVERY_MS = 60 * 60_000;

/** What the last poll of this process has left. */
interface Left {
	state: string;
	/** What n8n had stored before. */
	before?: string;
	/** When n8n has last stored a state (milliseconds since the epoch). */
	storedAt: number;
}

/** By workflow and node: with durable poll jobs but no durable cursors, n8n stores nothing of a poll that reports nothing. */
const leftBy = new Map<string, Left>();

/** What to look with. */
export function progressOf(context: IPollFunctions): Stored {
	const stored = notePublished(context);
	const left = leftBy.get(keyOf(context));
	const isLost = left !== undefined && left.before === stored.state;
	return isLost ? { ...stored, state: left.state } : stored;
}

/** Leaves a state to the next poll. `isReporting`: whether n8n starts an execution, with which it stores everything. */
export function leave(
	context: IPollFunctions,
	{ after, isFirst, isLate }: Look,
	isReporting: boolean,
) {
	const key = keyOf(context);
	const last = leftBy.get(key);
	const now = Date.now();
	const { state: before } = notePublished(context);
	const isKept = last === undefined || before === last.state || isReporting;
	writeState(context, after);
	// What the poll of publishing leaves, n8n stores.
	const isDue = isFirst ? isLate : !isKept && Math.abs(now - last.storedAt) >= STORED_EVERY_MS;
	const isStored = isKept || isDue;
	leftBy.set(key, { state: after, before, storedAt: isStored ? now : last.storedAt });
	if (isDue && !isReporting && !hasCursor(context)) storeByExecution(context, after);
}

function keyOf(node: Pick<FunctionsBase, 'getNode' | 'getWorkflow'>): string {
	return `${node.getWorkflow().id}/${node.getNode().id}`;
}
