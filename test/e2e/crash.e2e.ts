import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Example } from '../../demo/examples.mjs' with { 'resolution-mode': 'import' };
import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { useDocumenso } from './documenso';
import { eventually } from './eventually';
import { useOwnN8n } from './ownN8n';

const documenso = useDocumenso();
const own = useOwnN8n('crash');
const rowCount = 100;
const onceEach = { rows: rowCount, documents: rowCount };
/** How many documents each workflow has made when n8n is killed, at least. */
const killedAfter = 30;

// A retry waits two minutes before it creates what it cannot find.
jest.setTimeout(600_000);

interface Published extends Example {
	address: string;
}

/** What sets the workflows apart. */
interface Case {
	/** The webhook's path, and what the addresses of its rows begin with. */
	path: string;
	/** Of the nodes in n8n's list. */
	order: string[];
	additionalFields?: INodeParameters;
}

const order = ['Webhook', 'Rows', 'Documenso'];
const madeUp: Case = { path: 'made-up', order };
const chosen: Case = { path: 'chosen', order, additionalFields: { ifExternalIdExists: 'skip' } };
// If another node was added to the workflow later: n8n takes the last node of its list for the one that crashed, and
// counts the retry as another run of ours then.
const reordered: Case = { path: 'reordered', order: ['Webhook', 'Documenso', 'Rows'] };
const cases = [madeUp, reordered, chosen];

test('every row has one document after n8n was killed in the middle, and its crashed executions are retried', async () => {
	const times = cases.length * rowCount;
	await documenso.fail({ match: 'POST /envelope/use', delayMs: 300, times });
	const workflows = await Promise.all(cases.map(async (one) => await published(one)));
	for (const [index, one] of cases.entries()) await start(workflows[index] as Published, one);
	await eventually(async () => {
		const all = await Promise.all(cases.map(async (one) => await counts(one)));
		return all.every(({ documents }) => documents >= killedAfter) || undefined;
	}, 60_000);
	await own.killAndStart();
	for (const one of cases) expect((await counts(one)).documents).toBeLessThan(rowCount);

	// They wait at the same time.
	const retried = await Promise.all(workflows.map(async (one) => await retryCrashed(one)));
	expect(retried.map(({ status }) => status)).toEqual(cases.map(() => 'success'));
	for (const one of cases) expect([one.path, await counts(one)]).toEqual([one.path, onceEach]);

	// With Skip, a new run creates none.
	const again = workflows[cases.indexOf(chosen)] as Published;
	await start(again, chosen);
	const runs = await own.n8n.executions(again, 3);
	expect(runs.map(({ status }) => status)).toEqual(['crashed', 'success', 'success']);
	expect(await counts(chosen)).toEqual(onceEach);
});

test('with Skip, every row has one document after n8n was killed while Documenso was at work, and the same rows ran again at once', async () => {
	const skip: Case = { ...chosen, path: 'at-once' };
	const workflow = await published(skip);
	await documenso.fail({ match: 'POST /envelope/use', delayMs: 45_000, times: 2 });
	await start(workflow, skip);
	await eventually(async () => (await documenso.underWay()) > 1 || undefined);
	await own.killAndStart();
	expect((await counts(skip)).documents).toBeLessThan(rowCount - 1);

	await start(workflow, skip);
	const runs = await own.n8n.executions(workflow, 2, 200_000);
	expect(runs.map(({ status }) => status)).toEqual(['crashed', 'success']);
	await eventually(async () => (await documenso.underWay()) === 0 || undefined, 60_000);
	expect(await counts(skip)).toEqual(onceEach);
});

async function retryCrashed(workflow: Published) {
	const { n8n } = own;
	const [crashed] = await n8n.executions(workflow, 1);
	expect(crashed?.status).toBe('crashed');
	return await n8n.retry(crashed?.id ?? '', 'original');
}

async function counts({ path }: Case) {
	const emails = (await documenso.created())
		.map(({ recipients }) => recipients[0]?.email)
		.filter((email) => email?.startsWith(path));
	return { rows: new Set(emails).size, documents: emails.length };
}

function rowsOf({ path, additionalFields }: Case): IDataObject[] {
	return Array.from({ length: rowCount }, (_, index) => ({
		'Tenant email': `${path}${index}@example.com`,
		...(additionalFields ? { 'External ID': `${path}-${index + 1}` } : {}),
	}));
}

/**
 * Publishes a workflow that makes a document for each row that its webhook gets. n8n offers no retry of an execution
 * that was started by hand and crashed.
 */
async function published({ path, order: inList, additionalFields = {} }: Case): Promise<Published> {
	const { n8n } = own;
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
	nodes.sort((a, b) => inList.indexOf(a.name) - inList.indexOf(b.name));
	const workflow = await n8n.add({ name: path, nodes, connections });
	await n8n.rest.publish(workflow.id);
	return { ...workflow, address: `${n8n.url}/webhook/${path}` };
}

function nodeOf(name: string, type: string, parameters: INodeParameters) {
	return { id: name, name, type, typeVersion: 1, position: [0, 0] as [number, number], parameters };
}

/** The webhook answers when the execution has started. */
async function start({ address }: Published, one: Case) {
	await eventually(async () => {
		const headers = { 'content-type': 'application/json' };
		const body = JSON.stringify({ rows: rowsOf(one) });
		const { status } = await fetch(address, { method: 'POST', headers, body });
		return status === 200 || undefined;
	});
}
