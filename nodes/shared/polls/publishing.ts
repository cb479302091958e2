import type { IPollFunctions } from 'n8n-workflow';

import { clock } from '../api/clock';
import { PerNode, type NodeOfWorkflow } from '../n8n/perNode';

const MINUTE_MS = 60_000;

/** The context of a node's last poll, and since when (by `uptime`) each poll has come with another one. */
const called = new PerNode<{ context?: IPollFunctions; alteringSince?: number }>(() => ({}));

/**
 * Whether n8n is publishing the workflow, or starts: it polls once then, before or after it has set up a webhook, and the
 * workflow is only published when that has ended. All later polls come with the same context, but with n8n's durable poll
 * jobs, each comes with its own. To be asked once in each poll.
 */
export function mayBePublishing(context: IPollFunctions): boolean {
	const own = called.of(context);
	// By a clock that nobody sets.
	const now = clock.uptime();
	const isAnother = own.context !== context;
	own.context = context;
	own.alteringSince = isAnother ? (own.alteringSince ?? now) : undefined;
	return isAnother && now - (own.alteringSince ?? now) < 2 * MINUTE_MS;
}

/** The next context is that of another publishing. */
export function forgetContext(node: NodeOfWorkflow) {
	called.end(node);
}
