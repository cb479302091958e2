import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { SsrfProtectionConfig } from '@n8n/config';
import { Container } from '@n8n/di';

import { sealed } from '../../nodes/shared/envelope/marker';
import { nudge } from '../../nodes/shared/events/nudge';
import { addressesFor } from '../../nodes/shared/waiting/reach';
import { useTrigger } from '../support/events';
import { resumeAt, webhookContext } from '../support/n8n';
import { useProxy } from '../support/proxy';
import { useResumption } from '../support/resumption';
import { credentialFor } from '../support/service';
import { useService } from '../support/suite';
import { hurry } from '../support/hurry';

hurry();

const TOKEN = 'a1'.repeat(32);
const PUBLIC = 'n8n.example.test';

/** The answer of an execution that goes on waiting, because its document is open. */
const seen = { envelope_a: { externalId: null, isFinished: false } };
const answered = { status: 200, body: { isUnknown: false, isOver: false, seen } };

const suite = useService();
const { listen } = useTrigger(suite);
/** n8n's own socket. */
const n8n = useResumption(answered);
/** It answers in place of n8n's public address. */
const proxy = useProxy(answered);

beforeEach(() => {
	// By its port, because n8n's own socket has the same host.
	process.env.NO_PROXY = new URL(suite.service.url).host;
	resumeAt(`http://${PUBLIC}/webhook-waiting`);
});

const nudgePath = `/webhook-waiting/7/documenso?signature=${TOKEN}`;
const ownNudge = `POST ${nudgePath}`;
const publicNudge = `POST http://${PUBLIC}${nudgePath}`;
const ownHost = () => new URL(n8n.address).host;

/** What leads to the execution 7. */
function marker(): string {
	const credential = credentialFor(suite.service);
	const context = webhookContext(credential, {}, { request: {}, response: {} });
	const keys = { apiToken: credential.apiToken, instanceId: context.getInstanceId() };
	return sealed({ executionId: '7', token: TOKEN }, keys);
}

/** Nudges the execution 7 for a delivery that came to n8n's socket: whether it answered, and what n8n logged. */
async function deliver(limits = { timeout: 5_000, patience: 0 }, at = ownHost()) {
	const [localAddress, localPort] = at.split(':');
	const request = { socket: { localAddress, localPort: Number(localPort) } };
	const credential = credentialFor(suite.service);
	const context = webhookContext(credential, {}, { request, response: {} });
	const warn = jest.spyOn(context.logger, 'warn').mockReset();
	const addresses = () => addressesFor(context);
	const way = { credential: { ...credential }, addresses, ...limits };
	const isReached = await nudge(context, { id: 'envelope_a', externalId: marker() }, way);
	const log = warn.mock.calls.map(([message]) => message);
	expect(log.join()).not.toContain(TOKEN);
	return { isReached, log };
}

test('an execution that is busy for a minute gets about ten nudges in that time', async () => {
	n8n.answer = { status: 409, body: { message: 'The execution "7" is running already.' } };
	expect((await deliver({ timeout: 60_000, patience: 60_000 })).isReached).toBe(false);
	const nudges = n8n.called.filter((call) => call === ownNudge);
	expect(nudges.length).toBeGreaterThan(5);
	expect(nudges.length).toBeLessThanOrEqual(12);
});

test("n8n's own socket is asked without the proxy, which sees no signature", async () => {
	proxy.answer = { status: 502, body: { message: 'Bad Gateway' } };
	expect(await deliver()).toEqual({ isReached: true, log: [] });
	expect(n8n.called).toEqual([ownNudge]);
	expect(proxy.called).toEqual([]);
});

test('a delivery wakes an execution without the proxy', async () => {
	const arrived: string[] = [];
	const beforehand = async ({ req }: ServerResponse) => {
		arrived.push(`${req.method} ${req.url}`);
	};
	await listen({ events: ['DOCUMENT_CREATED'] }, { beforehand });
	const document = await suite.document('createAndSend');
	document.externalId = marker();
	await suite.complete(document.id);
	// What stands for n8n there knows no executions, so the public address answers, and the marker goes.
	while (document.externalId) await sleep(20);
	expect(arrived).toContain(ownNudge);
	expect(proxy.called).toEqual([publicNudge]);
});

describe('where something else answers in place of n8n, the next address is asked', () => {
	test.each<[number, object]>([
		[502, { message: 'Bad Gateway' }],
		[502, { code: 502, message: 'Bad Gateway' }],
		[503, { error: 'The upstream is not running' }],
		[504, { message: 'The upstream did not answer' }],
		[407, { message: 'The execution of the policy ended: authentication is required' }],
		[403, { message: 'The proxy is running in safe mode' }],
	])('%d with %j', async (status, body) => {
		n8n.answer = { status, body };
		expect(await deliver()).toEqual({ isReached: true, log: [] });
		expect(n8n.called).toEqual([ownNudge]);
		expect(proxy.called).toEqual([publicNudge]);
	});
});

test.each<[number, object]>([
	[503, { code: 503, message: 'Database is not ready!' }],
	[500, { code: 0, message: 'There was a problem executing the workflow' }],
])("n8n's own %d means that it is busy, and is not asked elsewhere", async (status, body) => {
	n8n.answer = { status, body };
	const message = `The waiting execution 7 has not answered yet: ${ownHost()} answered ${status}`;
	expect(await deliver()).toEqual({ isReached: false, log: [message] });
	expect(n8n.called).toEqual([ownNudge]);
	expect(proxy.called).toEqual([]);
});

test('an execution that takes long to answer is not nudged at another address', async () => {
	n8n.answer = 'late';
	const message = `The waiting execution 7 has not answered yet: ${ownHost()} gave no answer in 1 s`;
	expect(await deliver({ timeout: 1_000, patience: 5_000 })).toEqual({
		isReached: false,
		log: [message],
	});
	expect(n8n.called).toEqual([ownNudge]);
	expect(proxy.called).toEqual([]);
});

describe("n8n's log names the last answer, and what may keep n8n from answering", () => {
	const last = (what: string) => [
		`The waiting execution 7 has not answered yet: ${what}. If n8n uses a proxy (HTTP_PROXY, HTTPS_PROXY), add this host to NO_PROXY`,
	];
	const failing: Array<[number, object]> = [
		[502, { message: 'Bad Gateway' }],
		[407, { message: 'Proxy authentication required' }],
	];

	test.each(failing)('after a %d of the proxy', async (status, body) => {
		n8n.answer = 'nothing';
		proxy.answer = { status, body };
		const log = last(`${PUBLIC} answered ${status}, but not as n8n does`);
		expect(await deliver()).toEqual({ isReached: false, log });
		expect(proxy.called).toEqual([publicNudge]);
	});

	test.each(failing)('after a %d of the proxy instead of a tunnel', async (status, body) => {
		resumeAt(`https://${PUBLIC}/webhook-waiting`);
		n8n.answer = 'nothing';
		proxy.answer = { status, body };
		const log = last(`${PUBLIC} answered ${status}, but not as n8n does`);
		expect(await deliver()).toEqual({ isReached: false, log });
		expect(proxy.called).toEqual([`CONNECT ${PUBLIC}:443`]);
	});

	test('after no answer', async () => {
		n8n.answer = 'nothing';
		process.env.HTTP_PROXY = 'http://127.0.0.1:9';
		const log = last(`${PUBLIC} cannot be reached (ECONNREFUSED)`);
		expect(await deliver()).toEqual({ isReached: false, log });
	});

	test('after the node could not read the documents', async () => {
		n8n.answer = { status: 200, body: { isUnknown: true } };
		const message = `The waiting execution 7 has not answered yet: ${ownHost()} answered that the documents could not be read`;
		expect(await deliver()).toEqual({ isReached: false, log: [message] });
	});
});

describe('a redirect is not followed, because the signature is in the URL', () => {
	const STATUSES = [301, 302, 303, 307, 308];
	let status: number;
	const redirecting = createServer((_, response) => {
		response.writeHead(status, { location: `${n8n.address}/7/documenso?signature=${TOKEN}` });
		response.end();
	});
	let host: string;
	beforeAll(async () => {
		await new Promise<void>((resolve) => redirecting.listen(0, '127.0.0.1', resolve));
		host = `127.0.0.1:${(redirecting.address() as AddressInfo).port}`;
	});
	beforeEach(() => {
		process.env.NO_PROXY = '127.0.0.1';
	});
	afterAll(() => {
		redirecting.closeAllConnections();
		redirecting.close();
	});

	test.each(STATUSES)("%d of n8n's own socket: the next address is asked", async (code) => {
		status = code;
		expect(await deliver(undefined, host)).toEqual({ isReached: true, log: [] });
		expect(n8n.called).toEqual([]);
		expect(proxy.called).toEqual([publicNudge]);
	});

	test.each(STATUSES)('%d of the public address', async (code) => {
		status = code;
		resumeAt(`http://${host}/webhook-waiting`);
		const { isReached, log } = await deliver(undefined, host);
		expect(isReached).toBe(false);
		expect(log.join()).toContain(`${host} answered ${code}`);
		expect(n8n.called).toEqual([]);
	});
});

test("n8n's protection against requests to private addresses counts for its own socket, too", async () => {
	const protection = Container.get(SsrfProtectionConfig);
	protection.enabled = true;
	expect((await deliver()).isReached).toBe(false);
	protection.enabled = false;
	expect(n8n.called).toEqual([]);
});
