import type { IDataObject, INode } from 'n8n-workflow';

import type { Example, loadExample as LoadExample } from '../../demo/examples.mjs' with {
	'resolution-mode': 'import',
};
import type { Execution, N8nRest } from '../../n8n-host/rest.mjs' with {
	'resolution-mode': 'import',
};
import { DEMO_TOKEN } from '../../emulator';
import { eventually } from './eventually';
import { host } from './host';

const runTimeoutMs = 60_000;

/** What the local Documenso sends with its deliveries, and n8n compares with. */
export const WEBHOOK_SECRET = 'e2e-webhook-secret';

/** n8n wants a minute at least between polls of the same schedule. */
export const everyFiveSeconds = Array.from({ length: 12 }, (_, index) => ({
	mode: 'custom',
	cronExpression: `${index * 5} * * * * *`,
}));

interface Entry {
	id: string;
}

interface Owner {
	rest: N8nRest;
	url: string;
	credential: { id: string; name: string; type: string };
}

/** Makes a credential for the local Documenso. */
export async function ownerOf(rest: N8nRest, url: string): Promise<Owner> {
	const [name, type] = ['Local Documenso', 'documensoApi'];
	const data = {
		baseUrl: host.documensoUrl,
		apiToken: DEMO_TOKEN,
		webhookSecret: WEBHOOK_SECRET,
	};
	const { id } = (await rest.request('POST', '/credentials', { name, type, data })) as Entry;
	return { rest, url, credential: { id, name, type } };
}

/** The n8n of all suites. */
export function useN8n() {
	let owner: Owner;
	beforeAll(async () => {
		const { N8nRest } = await import('../../n8n-host/rest.mjs');
		owner = await ownerOf(new N8nRest(host.n8nUrl, host.n8nCookie), host.n8nUrl);
	});
	return n8nOf(() => owner);
}

/** n8n as its owner uses it. */
export function n8nOf(owner: () => Owner) {
	return {
		get rest() {
			return owner().rest;
		},
		get url() {
			return owner().url;
		},
		get credential() {
			return owner().credential;
		},
		/** Rows of a spreadsheet, so to speak, and behind them our node, once for each of the parameters. */
		async createWorkflow(rows: IDataObject[], ...parameters: IDataObject[]): Promise<string> {
			const { rest, credential } = owner();
			const steps = parameters.map((ofStep, index) => ({
				...nodeOf(`Documenso${index || ''}`, 'n8n-nodes-documenso.documenso', index + 1),
				parameters: ofStep,
				credentials: { [credential.type]: { id: credential.id, name: credential.name } },
			}));
			const nodes = [nodeOf('Rows', 'n8n-nodes-base.manualTrigger', 0), ...steps];
			const workflow = await rest.request('POST', '/workflows', {
				name: expect.getState().currentTestName,
				nodes,
				connections: Object.fromEntries(
					steps.map(({ name }, index) => [
						nodes[index]?.name ?? '',
						{ main: [[{ node: name, type: 'main', index: 0 }]] },
					]),
				),
				pinData: { Rows: rows.map((json) => ({ json })) },
				settings: { executionOrder: 'v1' },
			});
			return (workflow as Entry).id;
		},
		/** An example, with our credential, and set up for `here`. */
		async example(file: string, here?: Parameters<typeof LoadExample>[2]): Promise<Example> {
			const { loadExample } = await import('../../demo/examples.mjs');
			return await loadExample(file, owner().credential, here);
		},
		/** Imports a workflow, unpublished. */
		async add({
			name,
			nodes,
			connections,
			pinData,
		}: Omit<Example, 'id' | 'active'>): Promise<Example> {
			// Tests count executions, and looking for missed events has its own.
			const counted = nodes.map((node) =>
				node.type.endsWith('.documensoTrigger')
					? { ...node, parameters: { missedEvents: 'off', ...node.parameters } }
					: node,
			);
			const settings = { executionOrder: 'v1' };
			const workflow = { name, nodes: counted, connections, settings, pinData };
			return (await owner().rest.request('POST', '/workflows', workflow)) as Example;
		},
		/** Publishes a workflow, and returns the address where its trigger listens then. */
		async publish(workflow: Example): Promise<string> {
			await owner().rest.publish(workflow.id);
			return await this.listening(workflow);
		},
		/** The address of a published workflow's trigger, once it listens there. */
		async listening({ nodes }: Example): Promise<string> {
			const { production } = addressesOf(owner().url, nodes);
			await eventually(async () => {
				const { status } = await fetch(production, { method: 'POST' });
				return status !== 404 || undefined;
			});
			return production;
		},
		/** Until n8n has stored these texts with a workflow: its static data comes a moment after the answer. */
		async stored({ id }: Example, texts: string[]) {
			await eventually(async () => {
				const stored = JSON.stringify(await owner().rest.request('GET', `/workflows/${id}`));
				return texts.every((text) => stored.includes(text)) || undefined;
			});
		},
		/** Switches a workflow off, and waits until its trigger has let go of Documenso. */
		async unpublish({ id, nodes }: Example) {
			await owner().rest.request('POST', `/workflows/${id}/deactivate`);
			const { production } = addressesOf(owner().url, nodes);
			await eventually(async () => {
				const { status } = await fetch(production, { method: 'POST' });
				return status === 404 || undefined;
			});
		},
		/** Publishes a workflow for the time of `work`, which is told where its trigger listens. */
		async whilePublished(workflow: Example, work: (url: string) => Promise<void>) {
			const url = await this.publish(workflow);
			try {
				await work(url);
			} finally {
				await this.unpublish(workflow);
			}
		},
		/** Listens for one event as a click on "Execute step" does, and returns the address. */
		async listen({ id, nodes }: Example): Promise<string> {
			const { name, test } = addressesOf(owner().url, nodes);
			const answer = await owner().rest.request('POST', `/workflows/${id}/run`, {
				triggerToStartFrom: { name },
			});
			expect(answer).toEqual({ waitingForWebhook: true });
			return test;
		},
		/** The executions of a workflow in the order of their start, once as many have ended. */
		async executions(
			{ id }: Example,
			count: number,
			patienceMs = runTimeoutMs,
		): Promise<Execution[]> {
			const filter = encodeURIComponent(JSON.stringify({ workflowId: id }));
			const ended = await eventually(async () => {
				const path = `/executions?limit=100&filter=${filter}`;
				const { results } = (await owner().rest.request('GET', path)) as { results: Execution[] };
				const isEnded = results.every(({ status }) => !['new', 'running'].includes(status));
				return isEnded && results.length >= count ? results : undefined;
			}, patienceMs);
			const inOrder = ended.sort((a, b) => Number(a.id) - Number(b.id));
			return await Promise.all(inOrder.map(async (one) => await owner().rest.execution(one.id)));
		},
		/** What stands in a data table, from the first row on. */
		async tableRows(name: string): Promise<IDataObject[]> {
			const { rest } = owner();
			const { id } = (await rest.request('GET', '/projects/personal')) as Entry;
			const tables = `/projects/${id}/data-tables`;
			const { data } = (await rest.request('GET', tables)) as {
				data: Array<Entry & { name: string }>;
			};
			const [table, another] = data.filter((one) => one.name === name);
			expect(another).toBeUndefined();
			const rows = await rest.request('GET', `${tables}/${table?.id}/rows`);
			return (rows as { data: IDataObject[] }).data;
		},
		async run(workflowId: string) {
			return await owner().rest.run(workflowId, 'Rows', runTimeoutMs);
		},
		/** As from the list of executions: with the workflow as it was then, or as it is now. */
		async retry(executionId: string, workflow: 'original' | 'current') {
			const retried = await owner().rest.request('POST', `/executions/${executionId}/retry`, {
				loadWorkflow: workflow === 'current',
			});
			return await owner().rest.execution((retried as Entry).id);
		},
	};
}

/** What a node returned at first, in its only output. */
export function outputOf(execution: Execution | undefined, node: string) {
	return execution?.data?.resultData.runData[node]?.[0]?.data?.main?.[0] ?? [];
}

function addressesOf(url: string, nodes: INode[]) {
	const { name, webhookId } =
		nodes.find(({ type }) => type === 'n8n-nodes-documenso.documensoTrigger') ?? {};
	const place = (root: string) => `${url}/${root}/${webhookId}/webhook`;
	return { name, production: place('webhook'), test: place('webhook-test') };
}

function nodeOf(name: string, type: string, column: number) {
	return { id: name, name, type, typeVersion: 1, position: [column * 220, 0], parameters: {} };
}
