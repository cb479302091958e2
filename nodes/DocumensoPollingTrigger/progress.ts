import type { IPollFunctions } from 'n8n-workflow';

import { PerNode } from '../Documenso/engine/perNode';
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

/** With durable poll jobs but no durable cursors, n8n stores nothing of a poll that reports nothing. */
const polled = new PerNode<{ left?: Left }>(() => ({}));

/** What to look with. */
export function progressOf(context: IPollFunctions): Stored {
	const stored = notePublished(context);
	const { left } = polled.of(context);
	const isLost = left !== undefined && left.before === stored.state;
	return isLost ? { ...stored, state: left.state } : stored;
}

/** Leaves a state to the next poll. `isReporting`: whether n8n starts an execution, with which it stores everything. */
export function leave(
	context: IPollFunctions,
	{ after, isFirst, isLate }: Look,
	isReporting: boolean,
) {
	const own = polled.of(context);
	const last = own.left;
	const now = Date.now();
	const { state: before } = notePublished(context);
	const isKept = last === undefined || before === last.state || isReporting;
	writeState(context, after);
	// What the poll of publishing leaves, n8n stores.
	const isAfterwards = isLate || before !== undefined;
	const isDue = isFirst
		? isAfterwards
		: !isKept && Math.abs(now - last.storedAt) >= STORED_EVERY_MS;
	const isStored = isKept || isDue;
	own.left = { state: after, before, storedAt: isStored ? now : last.storedAt };
	if (isDue && !isReporting && !hasCursor(context)) storeByExecution(context, after);
}
