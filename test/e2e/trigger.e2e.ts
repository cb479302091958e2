import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { IDataObject, INode } from 'n8n-workflow';

import type { Delivery, WebhookEvent } from '../../emulator';
import { useDocumenso } from './documenso';
import { host } from './host';
import { outputOf, useN8n, WEBHOOK_SECRET } from './n8n';
import { FINAL_EVENTS } from './waiting';

const TRIGGER = 'When something happens';
const signer = { name: 'Nora Novak', email: 'nora@example.com' };

const documenso = useDocumenso();
const n8n = useN8n();

/** A workflow of the trigger and the nodes behind it, one after the other. */
async function workflowWith(parameters: IDataObject, ...others: Array<Partial<INode>>) {
	const { type, id, name } = n8n.credential;
	const trigger = {
		name: TRIGGER,
		type: 'n8n-nodes-documenso.documensoTrigger',
		typeVersion: 2,
		webhookId: randomUUID(),
		parameters,
		credentials: { [type]: { id, name } },
	};
	const nodes = [trigger, ...others].map((node, index) => ({
		id: randomUUID(),
		typeVersion: 1,
		position: [index * 220, 0],
		...node,
	})) as INode[];
	const names = nodes.map((node) => node.name);
	const connections = Object.fromEntries(
		names
			.slice(1)
			.map((node, index) => [
				names[index] ?? '',
				{ main: [[{ node, type: 'main' as const, index: 0 }]] },
			]),
	);
	return await n8n.add({ name: 'The trigger and what follows', nodes, connections });
}

function outcomes(attempts: Delivery[]) {
	return attempts.map(({ event, attempt, status }) => `${event} ${attempt}: ${status}`);
}

test('the right secret starts one execution; a duplicate, an unselected event and a wrong secret start none', async () => {
	const { id } = await documenso.send(signer);
	const workflow = await workflowWith({ events: ['DOCUMENT_SENT'] });
	await n8n.whilePublished(workflow, async (url) => {
		await documenso.register({ url, secret: WEBHOOK_SECRET });
		await documenso.deliver('DOCUMENT_SENT', id);
		await documenso.attempts(1);
		await documenso.resend(-1);
		await documenso.attempts(2);
		await documenso.deliver('DOCUMENT_OPENED', id);
		expect(outcomes(await documenso.attempts(3))).toEqual([
			'DOCUMENT_SENT 1: 200',
			'DOCUMENT_SENT 1: 200',
			'DOCUMENT_OPENED 1: 200',
		]);

		const event = JSON.stringify({ event: 'DOCUMENT_SENT', payload: { id: 1, envelopeId: id } });
		for (const secret of ['another', '']) {
			const headers = { 'content-type': 'application/json', 'x-documenso-secret': secret };
			const { status } = await fetch(url, { method: 'POST', headers, body: event });
			expect(status).toBe(401);
		}

		const executions = await n8n.executions(workflow, 1);
		expect(executions.map(({ status }) => status)).toEqual(['success']);
		expect(outputOf(executions[0], TRIGGER)).toMatchObject([
			{ json: { event: 'DOCUMENT_SENT', isTest: false, document: { id }, recipients: [signer] } },
		]);
		expect(JSON.stringify(executions)).not.toContain('"token"');
	});
});

test('of n8n a delivery takes the two sandboxes that every trigger takes, and evaluates nothing in them', async () => {
	const workflow = await workflowWith({ events: ['DOCUMENT_SENT'] });
	const headers = { 'content-type': 'application/json', 'x-documenso-secret': WEBHOOK_SECRET };
	await n8n.whilePublished(workflow, async (url) => {
		const deliver = async (id: number) => {
			const subject = { id, envelopeId: `envelope_${id}`, title: 'Lease', status: 'PENDING' };
			const body = JSON.stringify({ event: 'DOCUMENT_SENT', payload: subject });
			expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(200);
		};
		await deliver(0);
		await n8n.executions(workflow, 1);
		const before = await expressionCounts();
		const ids = Array.from({ length: 20 }, (_, index) => index + 1);
		await Promise.all(ids.map(deliver));
		await n8n.executions(workflow, 1 + ids.length);
		const after = await expressionCounts();

		expect(after.evaluations - before.evaluations).toBe(0);
		const sandboxes = after.sandboxes - before.sandboxes;
		expect(sandboxes).toBeGreaterThanOrEqual(2 * ids.length);
		// The credential takes one now and then.
		expect(sandboxes).toBeLessThan(2.5 * ids.length);
	});
});

/** How many sandboxes for expressions n8n has handed out, and how many expressions it has evaluated. */
async function expressionCounts() {
	const metrics = await (await fetch(`${host.n8nUrl}/metrics`)).text();
	const sum = (name: RegExp) =>
		metrics
			.split('\n')
			.filter((line) => name.test(line))
			.reduce((total, line) => total + Number(line.split(' ').at(-1)), 0);
	return {
		sandboxes: sum(/^n8n_expression_pool_acquired_total/),
		evaluations: sum(/^n8n_expression_evaluation_duration_seconds_count/),
	};
}

describe('what is added to the output', () => {
	const enrich = ['details', 'values'];
	const COUNT = 5;

	test('is fetched after the answer, however slow Documenso is', async () => {
		const sent = Array.from({ length: COUNT }, async () => await documenso.send(signer));
		const documents = (await Promise.all(sent)).map(({ id }) => id);
		const workflow = await workflowWith({ events: ['DOCUMENT_SENT'], enrich });
		await n8n.whilePublished(workflow, async (url) => {
			await documenso.register({ url, secret: WEBHOOK_SECRET });
			// Documenso gives up on a delivery after 10 seconds.
			await documenso.fail({ match: 'GET /envelope/*', delayMs: 11_000, times: COUNT });
			for (const id of documents) await documenso.deliver('DOCUMENT_SENT', id);
			const attempts = await documenso.attempts(COUNT);
			expect(outcomes(attempts)).toEqual(documents.map(() => 'DOCUMENT_SENT 1: 200'));
			const executions = await n8n.executions(workflow, COUNT);
			const begun = executions.flatMap((execution) => outputOf(execution, TRIGGER));
			const found = begun.map(({ json }) => (json.details as IDataObject | undefined)?.id);
			expect(found.sort()).toEqual(documents.sort());
			for (const { json } of begun) expect(json).not.toHaveProperty('missing');
		});
	});

	test('fails the execution while Documenso fails, and is fetched by a retry', async () => {
		const { id } = await documenso.send(signer);
		const workflow = await workflowWith({ events: ['DOCUMENT_SENT'], enrich });
		await n8n.whilePublished(workflow, async (url) => {
			await documenso.register({ url, secret: WEBHOOK_SECRET });
			await documenso.fail({ match: 'GET /envelope/*', status: 403, times: 1 });
			await documenso.deliver('DOCUMENT_SENT', id);
			const [failed] = await n8n.executions(workflow, 1);
			expect(failed?.status).toBe('error');
			const retried = await n8n.retry(failed?.id ?? '', 'original');
			expect(retried.status).toBe('success');
			expect(outputOf(retried, TRIGGER)).toMatchObject([{ json: { details: { id } } }]);
		});
	});
});

test('the signed PDF that comes with an event is what the next node writes to the disk', async () => {
	const file = join(host.files, 'signed.pdf');
	const workflow = await workflowWith(
		{ events: ['DOCUMENT_COMPLETED'], enrich: ['certificate', 'signedFiles', 'values'] },
		{
			name: 'Write it',
			type: 'n8n-nodes-base.readWriteFile',
			typeVersion: 1.1,
			parameters: { operation: 'write', fileName: file, dataPropertyName: 'data', options: {} },
		},
	);
	await n8n.whilePublished(workflow, async (url) => {
		await documenso.register({ url, events: ['DOCUMENT_COMPLETED'], secret: WEBHOOK_SECRET });
		const document = await documenso.sign(await documenso.send(signer), {
			Company: 'Novak & Sons',
		});
		const [execution] = await n8n.executions(workflow, 1);
		expect(execution?.status).toBe('success');
		const [item] = outputOf(execution, TRIGGER);
		expect(item?.json).toMatchObject({ values: { Company: 'Novak & Sons' } });
		expect(item?.json).not.toHaveProperty('missing');
		expect(Object.keys(item?.binary ?? {}).sort()).toEqual(['certificate', 'data']);
		// The bytes are in n8n's store, and not in the execution.
		expect(item?.binary?.data?.id).toMatch(/^filesystem/);
		expect(readFileSync(file).equals(await documenso.signedFile(document))).toBe(true);
	});
});

test('automatic registration subscribes when the workflow is published, and ends it when it is switched off', async () => {
	const { id } = await documenso.send(signer);
	const events = ['DOCUMENT_OPENED', 'DOCUMENT_SENT'];
	const workflow = await workflowWith({ registration: 'automatic', events });
	await n8n.whilePublished(workflow, async (url) => {
		const subscribed = [...events, ...FINAL_EVENTS];
		const subscriptions = await documenso.webhooks(subscribed.length);
		expect(subscriptions.map((one) => one.events)).toEqual(subscribed.map((event) => [event]));
		for (const one of subscriptions) expect(one.url).toMatch(`${url}?key=`);
		await n8n.stored(workflow, ['subscriptions']);

		for (const event of events) await documenso.deliver(event as WebhookEvent, id);
		expect(outcomes(await documenso.attempts(2)).sort()).toEqual([
			'DOCUMENT_OPENED 1: 200',
			'DOCUMENT_SENT 1: 200',
		]);
		const body = JSON.stringify((await documenso.attempts(2))[0]?.body);
		const headers = { 'content-type': 'application/json', 'x-documenso-secret': WEBHOOK_SECRET };
		expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(401);
		const started = await n8n.executions(workflow, 2);
		const items = started.flatMap((execution) => outputOf(execution, TRIGGER));
		expect(items.map(({ json }) => json.event).sort()).toEqual(events);
	});
	await documenso.webhooks(0);
});

describe('a click on "Execute step"', () => {
	test('waits for one event at the Test URL that was pasted into Documenso', async () => {
		const { id } = await documenso.send(signer);
		const workflow = await workflowWith({ events: ['DOCUMENT_SENT'] });
		const url = await n8n.listen(workflow);
		await documenso.register({ url, secret: WEBHOOK_SECRET });
		await documenso.deliver('DOCUMENT_SENT', id);
		expect(outcomes(await documenso.attempts(1))).toEqual(['DOCUMENT_SENT 1: 200']);
		const [execution] = await n8n.executions(workflow, 1);
		expect(execution).toMatchObject({ mode: 'manual', status: 'success' });
		expect((await fetch(url, { method: 'POST' })).status).toBe(404);
	});

	test('subscribes the Test URL by itself, and unsubscribes it after one event', async () => {
		const { id } = await documenso.send(signer);
		const events = ['DOCUMENT_OPENED', 'DOCUMENT_SENT'];
		const workflow = await workflowWith({ registration: 'automatic', events });
		const url = await n8n.listen(workflow);
		const subscribed = [...events, ...FINAL_EVENTS];
		const subscriptions = await documenso.webhooks(subscribed.length);
		expect(subscriptions.map((one) => one.events)).toEqual(subscribed.map((event) => [event]));
		for (const one of subscriptions) expect(one.url).toMatch(`${url}?key=`);

		await documenso.deliver('DOCUMENT_SENT', id);
		expect(outcomes(await documenso.attempts(1))).toEqual(['DOCUMENT_SENT 1: 200']);
		const [execution] = await n8n.executions(workflow, 1);
		expect(execution).toMatchObject({ mode: 'manual', status: 'success' });
		await documenso.webhooks(0);
	});
});

test('a pinned event comes to the next node as it was pinned, and a delivery of it still starts the workflow', async () => {
	const { id } = await documenso.send(signer);
	const next = { name: 'Next', type: 'n8n-nodes-base.noOp', parameters: {} };
	const workflow = await workflowWith({ events: ['DOCUMENT_SENT'], enrich: ['details'] }, next);
	const url = await n8n.listen(workflow);
	await documenso.register({ url, secret: WEBHOOK_SECRET });
	await documenso.deliver('DOCUMENT_SENT', id);
	const [tried] = await n8n.executions(workflow, 1);
	const [item] = outputOf(tried, TRIGGER);
	const { details, ...event } = item?.json ?? {};
	expect(details).toMatchObject({ id });
	const pinned = { json: { ...event, title: 'Pinned' } };
	await n8n.rest.request('PATCH', `/workflows/${workflow.id}`, {
		pinData: { [TRIGGER]: [pinned] },
	});
	const ran = await n8n.rest.run(workflow.id, TRIGGER, 60_000);
	expect(outputOf(ran, 'Next').map(({ json }) => json)).toEqual([pinned.json]);

	await n8n.whilePublished(workflow, async (production) => {
		await documenso.register({ url: production, secret: WEBHOOK_SECRET });
		await documenso.deliver('DOCUMENT_SENT', id);
		const executions = await n8n.executions(workflow, 3);
		expect(outputOf(executions[2], 'Next')).toMatchObject([
			{ json: { eventId: event.eventId, details: { id } } },
		]);
	});
});
