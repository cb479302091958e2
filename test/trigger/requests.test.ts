import { serveTrigger, type TriggerServer } from '../support/webhook';
import type { Credential } from '../support/n8n';

const SECRET = 'sécret of the webhook';
const credential: Credential = {
	baseUrl: 'http://localhost',
	apiToken: 'api_token',
	webhookSecret: SECRET,
	webhookHeader: '',
};
const event = {
	event: 'DOCUMENT_COMPLETED',
	payload: { id: 7, envelopeId: 'envelope_abcdefghijklmnop', title: 'Lease', status: 'COMPLETED' },
	createdAt: '2026-01-01T00:00:00.000Z',
};

const open: TriggerServer[] = [];

async function trigger(parameters = {}, changes: Partial<Credential> = {}) {
	const server = await serveTrigger(
		{ ...credential, ...changes },
		{ events: ['DOCUMENT_COMPLETED'], simple: false, ...parameters },
	);
	open.push(server);
	return server;
}

afterEach(async () => {
	await Promise.all(open.splice(0).map(async (server) => await server.close()));
});

/** Node's HTTP reads header bytes as Latin-1, and so does n8n: the secret arrives in the same form. */
async function post(url: string, body: unknown, headers: Record<string, string> = {}) {
	const response = await fetch(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json', ...headers },
		body: JSON.stringify(body),
	});
	return { status: response.status, body: await response.text() };
}

describe('the secret', () => {
	test('a delivery with the right one starts an execution with the whole event', async () => {
		const { url, executions } = await trigger();
		const answer = await post(url, event, { 'X-Documenso-Secret': SECRET });
		expect(answer).toEqual({ status: 200, body: '{"received":true}' });
		expect(executions).toEqual([
			[expect.objectContaining({ json: expect.objectContaining(event) as unknown })],
		]);
	});

	test.each([
		['wrong', { 'X-Documenso-Secret': 'another' }],
		['longer', { 'X-Documenso-Secret': `${SECRET}x` }],
		['a prefix', { 'X-Documenso-Secret': SECRET.slice(0, -1) }],
		['empty', { 'X-Documenso-Secret': '' }],
		['missing', {}],
		['in another header', { Authorization: SECRET }],
	])('one that is %s is answered 401 without a reason, and starts nothing', async (_, headers) => {
		const { url, executions } = await trigger();
		expect(await post(url, event, headers as Record<string, string>)).toEqual({
			status: 401,
			body: '',
		});
		expect(executions).toEqual([]);
	});

	test('the neutral header is accepted too', async () => {
		const { url, executions } = await trigger();
		await post(url, event, { 'X-Service-Secret': SECRET });
		expect(executions).toHaveLength(1);
	});

	test("the credential's own header replaces the usual ones", async () => {
		const { url, executions } = await trigger({}, { webhookHeader: 'X-Brand-Secret' });
		expect((await post(url, event, { 'X-Documenso-Secret': SECRET })).status).toBe(401);
		expect((await post(url, event, { 'X-Brand-Secret': SECRET })).status).toBe(200);
		expect(executions).toHaveLength(1);
	});

	test('a forged delivery is refused before its body is looked at', async () => {
		const { url } = await trigger();
		expect((await post(url, 'not an event')).status).toBe(401);
	});
});

describe.each(['', ' \t '])('without a secret in the credential (%j)', (webhookSecret) => {
	const unset = { webhookSecret };

	test('every delivery is refused', async () => {
		const { url, executions } = await trigger({}, unset);
		expect((await post(url, event, { 'X-Documenso-Secret': '' })).status).toBe(401);
		expect(executions).toEqual([]);
	});

	test('deliveries are taken once unverified ones are accepted', async () => {
		const { url, executions } = await trigger({ options: { acceptUnverified: true } }, unset);
		expect((await post(url, event)).status).toBe(200);
		expect(executions).toHaveLength(1);
	});

	test('accepting unverified ones does not weaken a secret that is set', async () => {
		const { url } = await trigger({ options: { acceptUnverified: true } });
		expect((await post(url, event)).status).toBe(401);
	});
});

describe('the body', () => {
	const headers = { 'X-Documenso-Secret': SECRET };

	test.each([
		['a list', [event]],
		['an object that is no event', { hello: 'world' }],
		['an event without a payload', { event: 'DOCUMENT_COMPLETED' }],
		['a payload without an id', { event: 'DOCUMENT_COMPLETED', payload: {} }],
	])('%s is answered 400 and starts nothing', async (_, body) => {
		const { url, executions } = await trigger();
		expect(await post(url, body, headers)).toEqual({ status: 400, body: '' });
		expect(executions).toEqual([]);
	});

	test('an event that is not selected is answered 200 at once, and starts nothing', async () => {
		const { url, executions } = await trigger();
		const answer = await post(url, { ...event, event: 'DOCUMENT_SENT' }, headers);
		expect(answer).toEqual({ status: 200, body: '{"received":true}' });
		expect(executions).toEqual([]);
	});

	test('an event that Documenso adds later starts an execution when all are selected', async () => {
		const { url, executions } = await trigger({ events: ['*'] });
		await post(url, { ...event, event: 'DOCUMENT_ARCHIVED' }, headers);
		expect(executions).toHaveLength(1);
	});
});
