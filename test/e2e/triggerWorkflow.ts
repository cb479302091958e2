import { randomUUID } from 'node:crypto';

import type { Example } from '../../demo/examples.mjs' with { 'resolution-mode': 'import' };
import type { n8nOf } from './n8n';

export const TRIGGER = 'Documenso Trigger';
/** The node that gets what the trigger returns. */
export const NEXT = 'Next';

const VERSIONS = { documensoTrigger: 2, documensoPollingTrigger: 1 };

/** An unpublished workflow with one of our triggers and a node behind it. */
export async function triggerWorkflow(
	n8n: ReturnType<typeof n8nOf>,
	type: keyof typeof VERSIONS,
	parameters: object,
): Promise<Example> {
	const { type: credentialType, id, name } = n8n.credential;
	const trigger = {
		...{ id: randomUUID(), name: TRIGGER, position: [0, 0], webhookId: randomUUID() },
		...{ type: `n8n-nodes-documenso.${type}`, typeVersion: VERSIONS[type], parameters },
		credentials: { [credentialType]: { id, name } },
	};
	const next = {
		...{ id: randomUUID(), name: NEXT, position: [220, 0] },
		...{ type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} },
	};
	const connections = { [TRIGGER]: { main: [[{ node: NEXT, type: 'main', index: 0 }]] } };
	const workflow = { name: type, nodes: [trigger, next], connections };
	return await n8n.add(workflow as unknown as Example);
}
