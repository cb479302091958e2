import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

import type { IDataObject } from 'n8n-workflow';

import type { Example } from '../../demo/examples.mjs' with { 'resolution-mode': 'import' };
import { DEMO_TOKEN } from '../../emulator';
import { useDocumenso } from './documenso';
import { useEditor } from './editor';
import { host } from './host';
import { useN8n, WEBHOOK_SECRET } from './n8n';

// What SECURITY.md says of copies of a workflow.
const documenso = useDocumenso();
const n8n = useN8n();
const inEditor = useEditor();

const SIGNER = { name: 'Nora Novak', email: 'nora@example.com' };
const PINNED = 'The title that was pinned';

/** A published workflow with both triggers, a pinned item, and a document that the polling trigger follows. */
async function publishBoth() {
	const { id: documentId } = await documenso.send(SIGNER);
	const { type, id, name } = n8n.credential;
	const node = (trigger: string, row: number, more: object) => ({
		id: randomUUID(),
		name: trigger,
		type: `n8n-nodes-documenso.documenso${trigger}`,
		typeVersion: 1,
		position: [0, row * 220],
		credentials: { [type]: { id, name } },
		...more,
	});
	const parameters = { registration: 'automatic', events: ['DOCUMENT_SENT'] };
	const workflow = (await n8n.rest.request('POST', '/workflows', {
		name: 'Both triggers',
		nodes: [
			node('Trigger', 0, { typeVersion: 2, webhookId: randomUUID(), parameters }),
			node('PollingTrigger', 1, { parameters: { events: ['DOCUMENT_COMPLETED'] } }),
		],
		connections: {},
		pinData: { Trigger: [{ json: { title: PINNED } }] },
		settings: { executionOrder: 'v1' },
	})) as Example;
	await n8n.publish(workflow);
	const key = await registeredKey();
	await n8n.stored(workflow, [key, SIGNER.email]);
	return { workflow, documentId, key };
}

/** Without a request to the trigger: n8n would keep its address in a cache, and refuse it to the next workflow. */
async function unpublish({ id }: Example) {
	await n8n.rest.request('POST', `/workflows/${id}/deactivate`);
	await documenso.webhooks(0);
}

/** The key in the URL of all webhooks: of the event that starts the workflow, and of four that end a wait. */
async function registeredKey(): Promise<string> {
	const webhooks = await documenso.webhooks(5);
	const [key = '', ...others] = new Set(
		webhooks.map(({ url }) => new URL(url).searchParams.get('key') ?? ''),
	);
	expect(key).toMatch(/^[0-9a-f]{64}$/);
	expect(others).toEqual([]);
	return key;
}

/** What `n8n export:workflow` writes, run beside the n8n of all suites. */
async function exported({ id }: Example): Promise<string> {
	const program = join(__dirname, '../../n8n-host/n8n/node_modules/n8n/bin/n8n');
	const file = join(host.files, 'exported.json');
	const { PATH, HOME } = process.env;
	const env = { PATH, HOME, N8N_USER_FOLDER: join(host.pictures, 'n8n') };
	const line = [program, 'export:workflow', `--id=${id}`, `--output=${file}`];
	await promisify(execFile)(host.node, line, { env });
	return readFileSync(file, 'utf8');
}

/** n8n's public API, with an API key for the time of a test. */
async function usePublicApi() {
	const scopes = ['workflow:read', 'workflow:create'];
	const made = await n8n.rest.request('POST', '/api-keys', {
		label: randomUUID(),
		scopes,
		expiresAt: null,
	});
	const { id, rawApiKey } = made as { id: string; rawApiKey: string };
	return {
		async request(method: 'GET' | 'POST', path: string, body?: object): Promise<string> {
			const answer = await fetch(`${host.n8nUrl}/api/v1${path}`, {
				method,
				headers: { 'X-N8N-API-KEY': rawApiKey, 'content-type': 'application/json' },
				body: body ? JSON.stringify(body) : null,
			});
			const text = await answer.text();
			expect([answer.status, text]).toEqual([200, text]);
			return text;
		},
		end: async () => await n8n.rest.request('DELETE', `/api-keys/${id}`),
	};
}

test(
	'the key and the open documents are in an export and the public API, and not in a Download, which has the pinned data',
	inEditor(async (editor) => {
		const { workflow, documentId, key } = await publishBoth();
		const api = await usePublicApi();
		const publicly = await api.request('GET', `/workflows/${workflow.id}`);
		await api.end();
		const copies = [publicly, await exported(workflow)];
		await editor.openWorkflow(workflow.id);
		const download = await editor.download();
		await documenso.deliver('DOCUMENT_SENT', documentId);
		const [execution] = await n8n.executions(workflow, 1);
		await unpublish(workflow);

		for (const copy of copies) {
			expect(copy).toContain(key);
			expect(copy).toContain(SIGNER.email);
		}
		expect(download).toContain(PINNED);
		expect(download).not.toContain(SIGNER.email);
		expect(execution?.status).toBe('success');
		for (const text of [download, JSON.stringify(execution)]) expect(text).not.toContain(key);
	}),
);

test('neither the API token nor the webhook secret is in plain text in what n8n has stored and logged', async () => {
	const { workflow, documentId } = await publishBoth();
	await documenso.deliver('DOCUMENT_SENT', documentId);
	await n8n.executions(workflow, 1);
	await unpublish(workflow);
	const entries = readdirSync(join(host.pictures, 'n8n/.n8n'), {
		recursive: true,
		withFileTypes: true,
	});
	const files = [
		...entries.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name)),
		join(host.pictures, 'logs/n8n.log'),
	];
	const holding = (text: string) =>
		files.filter((file) => readFileSync(file).includes(text)).map((file) => basename(file));
	expect(holding(workflow.id)).not.toEqual([]);
	expect([holding(DEMO_TOKEN), holding(WEBHOOK_SECRET)]).toEqual([[], []]);
});

test(
	'a duplicate gets a new key; a workflow made from what the public API returned has the same one',
	inEditor(async (editor) => {
		const { workflow, key } = await publishBoth();
		const api = await usePublicApi();
		const read = await api.request('GET', `/workflows/${workflow.id}`);
		const { name, nodes, connections, settings, staticData } = JSON.parse(read) as IDataObject;
		const copy = { name, nodes, connections, settings, staticData };
		const same = JSON.parse(await api.request('POST', '/workflows', copy)) as Example;
		await api.end();
		await unpublish(workflow);

		await editor.openWorkflow(workflow.id);
		const path = `/workflows/${await editor.duplicate()}`;
		const duplicate = (await n8n.rest.request('GET', path)) as Example;
		await n8n.publish(duplicate);
		expect(await registeredKey()).not.toBe(key);
		await unpublish(duplicate);

		await n8n.publish(same);
		expect(await registeredKey()).toBe(key);
		await unpublish(same);
	}),
);
