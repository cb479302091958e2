import { randomUUID } from 'node:crypto';

import type { IDataObject, INode } from 'n8n-workflow';

import type { Example } from '../../demo/examples.mjs' with { 'resolution-mode': 'import' };
import type { Execution } from '../../n8n-host/rest.mjs' with { 'resolution-mode': 'import' };
import type { Webhook } from '../../emulator';
import { MUTUAL_NDA } from '../../emulator/seed/demo';
import { eventually } from './eventually';
import { outputOf, WEBHOOK_SECRET, type n8nOf } from './n8n';

export const ROWS = 'Rows';
export const WAITING = 'Until signed';
export const AFTER = 'After it';

/** What has to be selected for a webhook that wakes executions (docs/waiting.md). */
export const FINAL_EVENTS = [
	'DOCUMENT_CANCELLED',
	'DOCUMENT_COMPLETED',
	'DOCUMENT_REJECTED',
	'RECIPIENT_EXPIRED',
];

/** Fills in the template of the NDA for each row, sends it and waits. */
export const fillAndWait = {
	resource: 'template',
	operation: 'createDocumentUntilSigned',
	templateId: { __rl: true, mode: 'id', value: MUTUAL_NDA.id },
	columns: { mappingMode: 'autoMapInputData', value: null },
};

/** Sends the draft of each row, and waits. */
export const sendAndWait = {
	resource: 'document',
	operation: 'sendUntilSigned',
	documentId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
};

export function signers(count: number): IDataObject[] {
	return Array.from({ length: count }, (_, row) => ({
		'Signer email': emailOf(row),
		'Signer name': `Signer ${row}`,
		'External ID': `NDA ${row}`,
		Company: 'Acme',
	}));
}

export function emailOf(row: number): string {
	return `signer${row}@example.com`;
}

/** The nodes of a workflow and how they are connected. */
type Plan = Pick<Example, 'nodes' | 'connections'>;

export function node(
	name: string,
	type: string,
	parameters: IDataObject,
	more: Partial<INode> = {},
): INode {
	const place = { id: randomUUID(), typeVersion: 1, position: [0, 0] };
	return { name, type, parameters, ...place, ...more } as INode;
}

/** `outputs` names the nodes behind each output of a node. */
export function connected(nodes: INode[], outputs: Record<string, string[][]>): Plan {
	const connections = Object.entries(outputs).map(([from, main]) => [
		from,
		{ main: main.map((names) => names.map((to) => ({ node: to, type: 'main', index: 0 }))) },
	]);
	return { nodes, connections: Object.fromEntries(connections) as Plan['connections'] };
}

export function inLine(...nodes: INode[]): Plan {
	const names = nodes.map(({ name }) => name);
	const next = names.slice(1).map((name, index) => [names[index] ?? '', [[name]]]);
	return connected(nodes, Object.fromEntries(next) as Record<string, string[][]>);
}

/** Puts out the rows that a webhook got. */
export function rows(): INode {
	return node(ROWS, 'n8n-nodes-base.splitOut', { fieldToSplitOut: 'body.rows', options: {} });
}

/** Adds to each item the email of the row that it belongs to. */
export function after(name = AFTER): INode {
	const row = {
		id: '1',
		name: 'row',
		type: 'string',
		value: `={{ $('${ROWS}').item.json['Signer email'] }}`,
	};
	return node(
		name,
		'n8n-nodes-base.set',
		{ assignments: { assignments: [row] }, includeOtherFields: true, options: {} },
		{ typeVersion: 3.4 },
	);
}

/** Whose document it is and how it ended, for each item behind the node that waited. */
export function endings(execution: Execution, name = AFTER) {
	return outputOf(execution, name).map(({ json }) => [json.row, json.outcome]);
}

/** Workflows that wait for the local Documenso, in one n8n. */
export function waitingIn(
	n8n: ReturnType<typeof n8nOf>,
	documenso: { register(webhook: Webhook): Promise<void> | void },
) {
	function ours(name: string, type: string, parameters: IDataObject, more: Partial<INode> = {}) {
		const { id, name: label, type: credentialType } = n8n.credential;
		const credentials = { [credentialType]: { id, name: label } };
		return node(name, `n8n-nodes-documenso.${type}`, parameters, { credentials, ...more });
	}

	function waits(parameters: IDataObject, more: Partial<INode> = {}): INode {
		return ours(WAITING, 'documenso', parameters, more);
	}

	/** A published workflow that gets its rows by HTTP, at `address`. */
	async function publish({ nodes, connections }: Plan) {
		const path = randomUUID();
		const parameters = { path, httpMethod: 'POST', options: {} };
		const more = { typeVersion: 2.1, webhookId: path };
		const webhook = node('Webhook', 'n8n-nodes-base.webhook', parameters, more);
		const workflow = await n8n.add({
			name: 'Waits',
			nodes: [webhook, ...nodes],
			connections: { ...connections, ...inLine(webhook, rows()).connections },
		});
		await n8n.rest.publish(workflow.id);
		return { ...workflow, address: `${n8n.url}/webhook/${path}` };
	}

	return {
		ours,
		waits,
		publish,
		/** The usual one: rows, our node, and another one behind it. */
		async publishWaiting(parameters: IDataObject, more: Partial<INode> = {}) {
			return await publish(inLine(rows(), waits(parameters, more), after()));
		},
		/** The webhook answers when the execution has started. */
		async begin({ address }: { address: string }, items: IDataObject[]) {
			await eventually(async () => {
				const { status } = await fetch(address, {
					method: 'POST',
					headers: { 'content-type': 'application/json' },
					body: JSON.stringify({ rows: items }),
				});
				return status === 200 || undefined;
			});
		},
		/** The only execution of a workflow, once it has the status. */
		async executionIn(status: string, workflow: Example, patienceMs?: number): Promise<Execution> {
			return await eventually(async () => {
				const [execution, ...others] = await n8n.executions(workflow, 1);
				expect(others).toEqual([]);
				return execution?.status === status ? execution : undefined;
			}, patienceMs);
		},
		/** For the time of `work`, a published trigger that listens to another event than those that end a wait. */
		async withTrigger(work: (trigger: Example) => Promise<void>) {
			const more = { typeVersion: 2, webhookId: randomUUID() };
			const trigger = ours('Trigger', 'documensoTrigger', { events: ['DOCUMENT_CREATED'] }, more);
			const workflow = await n8n.add({ name: 'Wakes', ...inLine(trigger) });
			await n8n.whilePublished(workflow, async (url) => {
				await documenso.register({ url, events: FINAL_EVENTS, secret: WEBHOOK_SECRET });
				await work(workflow);
			});
		},
	};
}
