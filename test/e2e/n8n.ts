import type { IDataObject } from 'n8n-workflow';

import { DEMO_TOKEN } from '../../emulator';
import { host } from './host';

const runTimeoutMs = 60_000;

interface Entry {
	id: string;
}

/** n8n as its owner uses it, with a credential for the local Documenso. */
export function useN8n() {
	const logIn = async () => {
		const { N8nRest } = await import('../../demo/n8n-rest.mjs');
		const rest = new N8nRest(host.n8nUrl, host.n8nCookie);
		const [name, type] = ['Local Documenso', 'documensoApi'];
		const data = { baseUrl: host.documensoUrl, apiToken: DEMO_TOKEN };
		const { id } = (await rest.request('POST', '/credentials', { name, type, data })) as Entry;
		return { rest, credential: { id, name, type } };
	};
	let owner: Awaited<ReturnType<typeof logIn>>;
	beforeAll(async () => {
		owner = await logIn();
	});

	return {
		get rest() {
			return owner.rest;
		},
		get credential() {
			return owner.credential;
		},
		/** Rows of a spreadsheet, so to speak, and our node behind them. */
		async createWorkflow(rows: IDataObject[], parameters: IDataObject): Promise<string> {
			const { rest, credential } = owner;
			const workflow = await rest.request('POST', '/workflows', {
				name: expect.getState().currentTestName,
				nodes: [
					nodeOf('Rows', 'n8n-nodes-base.manualTrigger', 0),
					{
						...nodeOf('Documenso', 'n8n-nodes-documenso.documenso', 1),
						parameters,
						credentials: { [credential.type]: { id: credential.id, name: credential.name } },
					},
				],
				connections: { Rows: { main: [[{ node: 'Documenso', type: 'main', index: 0 }]] } },
				pinData: { Rows: rows.map((json) => ({ json })) },
				settings: { executionOrder: 'v1' },
			});
			return (workflow as Entry).id;
		},
		async run(workflowId: string) {
			return await owner.rest.run(workflowId, 'Rows', runTimeoutMs);
		},
		/** As from the list of executions: with the workflow as it was then, or as it is now. */
		async retry(executionId: string, workflow: 'original' | 'current') {
			const retried = await owner.rest.request('POST', `/executions/${executionId}/retry`, {
				loadWorkflow: workflow === 'current',
			});
			return await owner.rest.execution((retried as Entry).id);
		},
	};
}

function nodeOf(name: string, type: string, column: number) {
	return { id: name, name, type, typeVersion: 1, position: [column * 220, 0], parameters: {} };
}
