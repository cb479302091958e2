import type { IDataObject } from 'n8n-workflow';

import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { call, sendDocument } from '../emulator/api';
import { completed } from '../support/deliveries';
import { Poster } from '../support/post';
import { credentialFor, lines } from '../support/service';
import { useService } from '../support/suite';
import { serveTrigger, type TriggerServer } from '../support/webhook';

const headers = { 'Content-Type': 'application/json', 'X-Documenso-Secret': '' };

const suite = useService({ seed: 'demo' });
const poster = new Poster();
const open: TriggerServer[] = [];

afterEach(async () => {
	await Promise.all(open.splice(0).map(async (server) => await server.close()));
});
afterAll(() => poster.close());

/** A trigger that has registered itself, and the address with its key. */
async function registered(parameters: IDataObject = {}, changes: object = {}) {
	const server = await serveTrigger(credentialFor(suite.service, changes), {
		registration: 'automatic',
		events: ['*'],
		simple: false,
		...parameters,
	});
	open.push(server);
	await server.publish();
	const url = suite.service.webhooks.list().at(-1)?.url ?? '';
	suite.service.webhooks.clear();
	suite.service.calls.length = 0;
	const post = async (event: string, payload: object) =>
		(await poster.post(url, { headers, body: JSON.stringify({ event, payload }) })).status;
	return { server, post };
}

/** What an event about an envelope says, as it is now. */
function told(envelopeId: string, changes: object = {}) {
	const envelope = suite.service.store.envelopes.get(envelopeId);
	if (!envelope) throw new Error('There is no such envelope');
	const { legacyId: id, title, status } = envelope;
	return { ...completed.payload, id, envelopeId, title, status, ...changes };
}

test('a delivery that Documenso confirms starts an execution', async () => {
	const { id } = await sendDocument(suite.service);
	const { server, post } = await registered();
	expect(await post('DOCUMENT_SENT', told(id))).toBe(200);
	expect(await post('TEMPLATE_UPDATED', told(RENTAL_AGREEMENT.id))).toBe(200);
	expect(server.executions).toHaveLength(2);
});

test.each(['DOCUMENT_COMPLETED', 'DOCUMENT_REJECTED'])(
	'%s starts an execution only once the document has that status',
	async (event) => {
		const { id, tokens } = await sendDocument(suite.service);
		const { server, post } = await registered();
		expect(await post(event, told(id, { status: event.slice(9) }))).toBe(503);
		expect(server.executions).toEqual([]);
		if (event === 'DOCUMENT_COMPLETED') await suite.service.sign(String(tokens[0]));
		else await suite.service.reject(String(tokens[0]), 'No');
		await suite.service.settled();
		expect(await post(event, told(id))).toBe(200);
		expect(server.executions).toHaveLength(1);
	},
);

test.each([
	['a dot', '.'],
	['two dots', '..'],
	['nothing', ''],
	['a megabyte', 'x'.repeat(1_000_000)],
])(
	'a delivery with the right key, whose ID is %s, is answered like any malformed one',
	async (_, envelopeId) => {
		const { server, post } = await registered();
		expect(await post('DOCUMENT_CANCELLED', { ...completed.payload, envelopeId })).toBe(400);
		expect(server.executions).toEqual([]);
		expect(suite.service.calls).toEqual([]);
	},
);

test("the number has to be the document's", async () => {
	const { id } = await sendDocument(suite.service);
	await sendDocument(suite.service);
	const { server, post } = await registered();
	const envelope = suite.service.store.envelopes.get(id);
	if (envelope) envelope.legacyId = 142;
	for (const other of [141, 42, 2, 1420, 0, -142]) {
		expect(await post('DOCUMENT_SENT', told(id, { id: other }))).toBe(503);
	}
	expect(server.executions).toEqual([]);
});

test('an event that nobody knows yet may be about a template', async () => {
	const { post } = await registered();
	expect(await post('ENVELOPE_MOVED', told(RENTAL_AGREEMENT.id))).toBe(200);
});

test('a missing document is accepted only for the events that end one', async () => {
	const { server, post } = await registered();
	const gone = { ...completed.payload, envelopeId: 'envelope_doesnotexisthere' };
	const statuses: Record<string, number> = {};
	for (const event of [
		'DOCUMENT_CREATED',
		'DOCUMENT_COMPLETED',
		'TEMPLATE_CREATED',
		'DOCUMENT_CANCELLED',
		'TEMPLATE_DELETED',
	]) {
		statuses[event] = await post(event, gone);
	}
	expect(statuses).toEqual({
		DOCUMENT_CREATED: 503,
		DOCUMENT_COMPLETED: 503,
		TEMPLATE_CREATED: 503,
		DOCUMENT_CANCELLED: 200,
		TEMPLATE_DELETED: 200,
	});
	expect(server.executions).toHaveLength(2);
});

test('a cancellation is accepted whether the document is deleted or still there', async () => {
	const { id } = await sendDocument(suite.service);
	const { post } = await registered();
	const payload = told(id);
	expect(await post('DOCUMENT_CANCELLED', payload)).toBe(200);
	await call(suite.service, 'POST /envelope/delete', { envelopeId: id });
	expect(await post('DOCUMENT_CANCELLED', { ...payload, title: 'Deleted' })).toBe(200);
});

test.each([401, 403])(
	'while Documenso answers %d, a delivery starts nothing, and its retry is accepted',
	async (status) => {
		const { id } = await sendDocument(suite.service);
		const { server, post } = await registered();
		suite.service.fail({ match: 'GET /envelope/*', status, times: 1 });
		expect(await post('DOCUMENT_CANCELLED', told(id))).toBe(503);
		expect(server.executions).toEqual([]);
		expect(await post('DOCUMENT_CANCELLED', told(id))).toBe(200);
		expect(server.executions).toHaveLength(1);
	},
);

test("the dashboard's test is accepted without a look-up, and marked", async () => {
	const { server, post } = await registered();
	expect(await post('DOCUMENT_COMPLETED', { ...completed.payload, envelopeId: 'env_123' })).toBe(
		200,
	);
	expect(server.items.map(({ json }) => json.isTest)).toEqual([true]);
	expect(suite.service.calls).toEqual([]);
});

test('the document is read before the answer, and again in the execution for what is added', async () => {
	const { id } = await sendDocument(suite.service);
	const { server, post } = await registered({ enrich: ['details', 'values'] });
	expect(await post('DOCUMENT_SENT', told(id))).toBe(200);
	expect(lines(suite.service)).toEqual(Array(2).fill(`GET /envelope/${id}`));
	expect(server.items[0]?.json).toHaveProperty('details.id', id);
});

test('with manual registration nothing is looked up: the secret was checked', async () => {
	const credential = credentialFor(suite.service, { webhookSecret: 's' });
	const server = await serveTrigger(credential, { events: ['*'], simple: false });
	open.push(server);
	const { status } = await poster.post(server.url, {
		headers: { ...headers, 'X-Documenso-Secret': 's' },
		body: JSON.stringify(completed),
	});
	expect([status, server.executions.length]).toEqual([200, 1]);
	expect(suite.service.calls).toEqual([]);
});
