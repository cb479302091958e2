import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { MARKER_PREFIX, sealed } from '../../nodes/Documenso/envelope/marker';
import { nudge } from '../../nodes/events/nudge';
import { pollContext } from '../support/n8n';
import { paperwork, Poller } from '../support/polling';
import { useService } from '../support/suite';

const TOKEN = 'a1'.repeat(32);

const suite = useService();
const paper = paperwork(suite);
let poller: Poller;
/** Stands for n8n's address for resuming: what was called, and how it answers. */
let called: string[];
let answer: { status: number; body: object | string } | 'nothing' | 'late';
let server: Server;

beforeAll(async () => {
	server = createServer((request, response) => {
		called.push(`${request.method} ${request.url}`);
		if (answer === 'late') return;
		if (answer === 'nothing') {
			response.destroy();
			return;
		}
		response.writeHead(answer.status, { 'content-type': 'application/json' });
		response.end(JSON.stringify(answer.body));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
	server.closeAllConnections();
	server.close();
});
beforeEach(async () => {
	await paper.begin();
	poller = new Poller(suite.service);
	called = [];
	answer = { status: 200, body: { isUnknown: false } };
});

const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhook-waiting`;

async function poll(): Promise<string[]> {
	called = [];
	await poller.poll({ waitingAddress: address() });
	return called;
}

/** A sent document for which the execution waits. */
function waitedFor(executionId: string) {
	const { context } = pollContext(poller.credential, {});
	const { apiToken } = poller.credential;
	const keys = { apiToken, instanceId: context.getInstanceId() };
	const externalId = `CRM-7 ${sealed({ executionId, token: TOKEN }, keys)}`;
	const document = paper.draft('Lease', { externalId });
	paper.send(document);
	return document;
}

const nudgeOf = (executionId: string) =>
	`POST /webhook-waiting/${executionId}/documenso?signature=${TOKEN}`;

test.each(['COMPLETED', 'REJECTED', 'CANCELLED'] as const)(
	'a poll wakes the execution that waits for a document which is %s now, and once',
	async (status) => {
		const document = waitedFor('7');
		expect(await poll()).toEqual([]);
		paper.finish(document, status);
		expect(await poll()).toEqual([nudgeOf('7')]);
		expect(await poll()).toEqual([]);
	},
);

test('a poll wakes the execution that waits for a document which is gone', async () => {
	const document = waitedFor('7');
	await poll();
	paper.remove(document);
	expect(await poll()).toEqual([nudgeOf('7')]);
});

test('a poll that listens to nothing of the kind wakes executions, too', async () => {
	poller.parameters = { events: ['DOCUMENT_CREATED'] };
	const document = waitedFor('7');
	await poll();
	paper.finish(document);
	expect(await poll()).toEqual([nudgeOf('7')]);
});

test('an expired link wakes the execution, and once each time', async () => {
	const { recipients } = waitedFor('7');
	await poll();
	const [recipient] = recipients;
	const expire = () => Object.assign(recipient ?? {}, { expirationNotifiedAt: new Date() });
	expire();
	expect(await poll()).toEqual([nudgeOf('7')]);
	expect(await poll()).toEqual([]);
	Object.assign(recipient ?? {}, { expirationNotifiedAt: null });
	await poll();
	expire();
	expect(await poll()).toEqual([nudgeOf('7')]);
});

test('the first poll wakes executions whose documents finished while nothing listened', async () => {
	paper.finish(waitedFor('7'));
	waitedFor('8');
	expect(await poll()).toEqual([nudgeOf('7')]);
});

test.each<[string, typeof answer]>([
	['n8n is starting', { status: 503, body: {} }],
	['n8n is not there', 'nothing'],
	['the execution does not wait yet', { status: 409, body: { message: 'is running already.' } }],
	['a proxy answers in its place', { status: 403, body: '<html>Sign in</html>' }],
	['a proxy says that there is no such page', { status: 404, body: { error: 'Not Found' } }],
	['Documenso did not answer the node', { status: 200, body: { isUnknown: true } }],
])('when %s, the next poll tries again', async (_, failing) => {
	const document = waitedFor('7');
	await poll();
	paper.finish(document);
	answer = failing;
	expect(await poll()).toEqual([nudgeOf('7')]);
	expect(await poll()).toEqual([nudgeOf('7')]);
	answer = { status: 200, body: {} };
	expect(await poll()).toEqual([nudgeOf('7')]);
	expect(await poll()).toEqual([]);
});

test.each([
	['finished', 409, 'The execution "7 has finished already.'],
	['deleted', 404, 'The execution "7" does not exist.'],
])('an execution that is %s is not woken again', async (_, status, message) => {
	const document = waitedFor('7');
	await poll();
	paper.finish(document);
	answer = { status, body: { message } };
	expect(await poll()).toEqual([nudgeOf('7')]);
	expect(await poll()).toEqual([]);
});

test('an execution that takes long to answer is not nudged a second time meanwhile', async () => {
	const { externalId } = waitedFor('7');
	const { context } = pollContext(poller.credential, {});
	const credential = { ...poller.credential };
	const way = {
		credential,
		addresses: () => [address(), address()],
		timeout: 100,
		patience: 5_000,
	};
	answer = 'late';
	expect(await nudge(context, externalId ?? '', way)).toBe(false);
	expect(called).toHaveLength(1);
});

test('events that come while an execution is nudged share one more nudge, and each is answered', async () => {
	const { externalId } = waitedFor('7');
	const { context } = pollContext(poller.credential, {});
	const credential = { ...poller.credential };
	const way = { credential, addresses: () => [address()], timeout: 5_000, patience: 0 };
	const events = Array.from({ length: 100 }, () => nudge(context, externalId ?? '', way));
	expect(new Set(await Promise.all(events))).toEqual(new Set([true]));
	expect(called).toEqual([nudgeOf('7'), nudgeOf('7')]);
	expect(await nudge(context, externalId ?? '', way)).toBe(true);
	expect(called).toHaveLength(3);
});

test('a marker that is none, or of another n8n, wakes nothing', async () => {
	const forged = paper.draft('Lease', { externalId: `${MARKER_PREFIX}abcdef:7:${'A'.repeat(80)}` });
	paper.send(forged);
	await poll();
	paper.finish(forged);
	expect(await poll()).toEqual([]);
});
