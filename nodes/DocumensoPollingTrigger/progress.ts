import type { IPollFunctions } from 'n8n-workflow';

import { clock } from '../shared/api/clock';
import { PerNode } from '../shared/n8n/remembered';
import type { Look } from '../shared/polls/look';
import {
	cursorOf,
	notePublished,
	readStored,
	storeByExecution,
	STORED_EVERY_MS,
	writeState,
	type Left,
	type Stored,
} from '../shared/polls/stored';

/** What this process knows of a node's polls. */
interface Polled {
	/** What the last poll has left. If it has reported something, what it began with: n8n may have dropped the report. */
	left?: Left;
	/** When n8n has last stored a state (milliseconds since the epoch). */
	storedAt: number;
}

const polled = new PerNode<Polled>(() => ({ storedAt: 0 }));

/**
 * What to look with. n8n stores nothing of a poll that reports nothing, unless it has a durable cursor, and an execution may
 * write back what it had read before: so what this process has left last counts.
 */
export function progressOf(context: IPollFunctions): Stored {
	const stored = notePublished(context);
	const { left } = polled.of(context);
	return left && left.at > (stored.at ?? 0) ? { ...stored, ...left } : stored;
}

/** Leaves a state to the next poll. `isReporting`: whether n8n starts an execution, with which it stores everything. */
export function leave(
	context: IPollFunctions,
	before: Stored,
	{ after, isFirst, isLate }: Look,
	isReporting: boolean,
) {
	const own = polled.of(context);
	const now = clock.now();
	const { at: kept = 0, state: stored } = readStored(context);
	const isKept = own.left === undefined || kept >= own.left.at || isReporting;
	const { state, at = 0 } = before;
	// Later than before, also if the clock was set back.
	const left = { state: after, at: after === state ? at : Math.max(now, at + 1) };
	// What stays the same need not be stored.
	if (stored !== after || kept !== left.at) writeState(context, left);
	// What the poll of publishing leaves, n8n stores.
	const isAfterwards = isLate || stored !== undefined;
	const isDue = isFirst ? isAfterwards : !isKept && Math.abs(now - own.storedAt) >= STORED_EVERY_MS;
	if (isKept || isDue) own.storedAt = now;
	const begunWith = state === undefined ? undefined : { state, at };
	own.left = isReporting ? begunWith : left;
	if (isDue && !isReporting && !cursorOf(context)) storeByExecution(context, left);
}
