import { setTimeout as sleep } from 'node:timers/promises';

import { withRetries } from '../retry.mjs';

/** If nothing has come for this long, in milliseconds, nothing more will. */
const quietMs = 30_000;

/** Counts until there are so many, or until no more will come. Resolves with the last count. */
export async function untilCount(countNow, wanted, pauseMs = 500) {
	let [count, changedAt] = [await countNow(), Date.now()];
	while (count < wanted && Date.now() - changedAt < quietMs) {
		await sleep(pauseMs);
		const now = await countNow();
		if (now !== count) [count, changedAt] = [now, Date.now()];
	}
	return count;
}

/** How many executions of a workflow n8n has on record with this status. */
export async function countExecutions(rest, workflowId, status) {
	const { count } = await withRetries(() => rest.executions({ workflowId, status: [status] }, 1));
	return count;
}
