import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Example } from '../../demo/examples.mjs' with { 'resolution-mode': 'import' };
import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { useDocumenso } from './documenso';
import { eventually } from './eventually';
import { withOwnN8n, type OwnN8n } from './ownN8n';

const documenso = useDocumenso();
const rowCount = 300;
const onceEach = { rows: rowCount, documents: rowCount };
const rows = Array.from({ length: rowCount }, (_, index) => ({
	'Tenant email': `tenant${index}@example.com`,
}));
/** How many documents there are when n8n is killed, at least. */
const killedAfter = 100;

describe('n8n is killed in the middle of 300 rows, and the crashed execution is retried', () => {
	test('every row has one document', async () => {
		await withOwnN8n('crash', async (own) => {
			const workflow = await publishForRows(own, 'made-up');
			await retryAfterCrash(own, workflow, rows);
			expect(await counts()).toEqual(onceEach);
		});
	});

	// n8n takes the last node of its list for the one that crashed, and counts the retry as another run of ours then.
	test('every row has one document, also where another node was added to the workflow later', async () => {
		await withOwnN8n('crash-order', async (own) => {
			const workflow = await publishForRows(own, 'order', {
				order: ['Webhook', 'Documenso', 'Rows'],
			});
			await retryAfterCrash(own, workflow, rows);
			expect(await counts()).toEqual(onceEach);
		});
	});

	test('every row with an External ID has one document, also after a new run with Skip', async () => {
		const chosen = rows.map((row, index) => ({ ...row, 'External ID': `row-${index + 1}` }));
		await withOwnN8n('crash-chosen', async (own) => {
			const workflow = await publishForRows(own, 'chosen');
			await retryAfterCrash(own, workflow, chosen);
			expect(await counts()).toEqual(onceEach);

			const skipping = await publishForRows(own, 'skipping', {
				additionalFields: { ifExternalIdExists: 'skip' },
			});
			await start(skipping, chosen);
			const [fresh] = await own.n8n.executions(skipping, 1);
			expect(fresh?.status).toBe('success');
			expect(await counts()).toEqual(onceEach);
		});
	});
});

interface Published extends Example {
	address: string;
}

async function retryAfterCrash(own: OwnN8n, workflow: Published, items: IDataObject[]) {
	const { n8n, killAndStart } = own;
	await documenso.fail({ match: 'POST /envelope/use', delayMs: 300, times: items.length });
	await start(workflow, items);
	await eventually(async () => {
		const { length } = await documenso.created();
		return length >= killedAfter || undefined;
	}, 60_000);
	await killAndStart();
	const [crashed] = await n8n.executions(workflow, 1);
	expect(crashed?.status).toBe('crashed');
	expect((await documenso.created()).length).toBeLessThan(items.length);
	const retried = await n8n.retry(crashed?.id ?? '', 'original');
	expect(retried.status).toBe('success');
}

async function counts() {
	const documents = await documenso.created();
	const rows = new Set(documents.map(({ recipients }) => recipients[0]?.email));
	return { rows: rows.size, documents: documents.length };
}

interface Differences {
	additionalFields?: INodeParameters;
	/** Of the nodes in n8n's list. */
	order?: string[];
}

/**
 * Publishes a workflow that makes a document for each row that its webhook gets. n8n offers no retry of an execution
 * that was started by hand and crashed.
 */
async function publishForRows(
	{ n8n }: OwnN8n,
	path: string,
	{ additionalFields = {}, order = ['Webhook', 'Rows', 'Documenso'] }: Differences = {},
): Promise<Published> {
	const automatic = { mappingMode: 'autoMapInputData', value: null };
	const { id, name, type } = n8n.credential;
	const webhook = { path, httpMethod: 'POST', options: {} };
	const nodes = [
		{
			...nodeOf('Webhook', 'n8n-nodes-base.webhook', webhook),
			typeVersion: 2.1,
			webhookId: path,
		},
		nodeOf('Rows', 'n8n-nodes-base.splitOut', { fieldToSplitOut: 'body.rows', options: {} }),
		{
			...nodeOf('Documenso', 'n8n-nodes-documenso.documenso', {
				resource: 'template',
				operation: 'createDocument',
				templateId: { __rl: true, mode: 'id', value: RENTAL_AGREEMENT.id },
				columns: automatic,
				additionalFields,
			}),
			credentials: { [type]: { id, name } },
		},
	];
	const connections = {
		Webhook: { main: [[{ node: 'Rows', type: 'main' as const, index: 0 }]] },
		Rows: { main: [[{ node: 'Documenso', type: 'main' as const, index: 0 }]] },
	};
	nodes.sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
	const workflow = await n8n.add({ name: path, nodes, connections });
	await n8n.rest.publish(workflow.id);
	return { ...workflow, address: `${n8n.url}/webhook/${path}` };
}

function nodeOf(name: string, type: string, parameters: INodeParameters) {
	return { id: name, name, type, typeVersion: 1, position: [0, 0] as [number, number], parameters };
}

/** The webhook answers when the execution has started. */
async function start({ address }: Published, items: IDataObject[]) {
	await eventually(async () => {
		const headers = { 'content-type': 'application/json' };
		const body = JSON.stringify({ rows: items });
		const { status } = await fetch(address, { method: 'POST', headers, body });
		return status === 200 || undefined;
	});
}
