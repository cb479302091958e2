import type { Client } from '../api/client';
import { PerNode, type NodeOfWorkflow } from '../n8n/remembered';

/**
 * The account that each trigger of a published workflow listens to. It is what this process knows: in queue mode, a worker
 * knows of none. A polling trigger that is unpublished stays known until n8n starts again.
 */
const listeners = new PerNode<{ account?: string }>(() => ({}));

export function listen(trigger: NodeOfWorkflow, { account }: Client) {
	listeners.of(trigger).account = account;
}

export function stopListening(trigger: NodeOfWorkflow) {
	listeners.end(trigger);
}

export function isListenedTo(client: Client): boolean {
	return listeners.all().some(({ account }) => account === client.account);
}
