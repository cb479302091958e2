import type { FunctionsBase } from 'n8n-workflow';

import type { Client } from '../api/client';

/**
 * The triggers of published workflows, with the account that each listens to. It is what this process knows: in queue
 * mode, a worker knows of none. A polling trigger that is unpublished stays known until n8n starts again.
 */
const listeners = new Map<string, string>();

/** The workflow and the node of a trigger. */
type Listener = Pick<FunctionsBase, 'getNode' | 'getWorkflow'>;

export function listen(listener: Listener, { account }: Client) {
	listeners.set(triggerKey(listener), account);
}

export function stopListening(listener: Listener) {
	listeners.delete(triggerKey(listener));
}

export function isListenedTo({ account }: Client): boolean {
	return [...listeners.values()].includes(account);
}

function triggerKey(listener: Listener): string {
	return `${listener.getWorkflow().id} ${listener.getNode().id}`;
}
