import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { PDFDocument } from '@cantoo/pdf-lib';
import {
	type Counts,
	DEMO_TOKEN,
	type Fault,
	type Interceptor,
	startEmulator,
} from '../../emulator';
import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { call, createDocument, sendDocument, statusAndMessage, useEmulator } from './api';
import { useReceiver } from './receiver';

const cli = ['--import', 'tsx', 'emulator/cli.ts'];
const receiver = useReceiver();
const service = useEmulator({ seed: 'demo', sealDelayMs: 5, allowHosts: ['documenso'] });

describe('control from outside', () => {
	async function control(line: string, body?: unknown): Promise<Response> {
		const [method = '', path = ''] = line.split(' ');
		const headers = new Headers({ 'x-emulator-control': '1' });
		if (body) headers.set('content-type', 'application/json');
		const url = `${service.url}/__emulator${path}`;
		return await fetch(url, { method, headers, body: body ? JSON.stringify(body) : null });
	}

	test('the state shows documents with their signing links, and is no API call', async () => {
		const { id, tokens } = await sendDocument(service);
		service.calls.length = 0;
		const state: unknown = await (await control('GET /state')).json();
		expect(state).toMatchObject({
			documents: [
				{ id, status: 'PENDING', recipients: [{ signingUrl: `${service.url}/sign/${tokens[0]}` }] },
			],
			templates: [{ id: RENTAL_AGREEMENT.id }, {}, {}],
		});
		expect(service.calls).toEqual([]);
	});

	test('nobody controls it without the header that no page of another site can send', async () => {
		const { id } = await sendDocument(service);
		for (const [method, path] of [
			['GET', '/state'],
			['GET', '/calls'],
			['POST', '/reset'],
			['POST', '/webhooks/pause'],
			['DELETE', '/webhooks'],
		]) {
			const answer = await fetch(`${service.url}/__emulator${path}`, { method });
			expect([answer.status, await answer.text()]).toEqual([
				403,
				expect.stringContaining('x-emulator-control: 1'),
			]);
		}
		expect(service.store.documents.map((document) => document.id)).toEqual([id]);
	});

	test('the calls that arrived can be read from outside, and are no calls themselves', async () => {
		await call(service, 'GET /envelope?page=2');
		await control('GET /calls');
		const calls: unknown = await (await control('GET /calls')).json();
		expect(calls).toMatchObject([
			{ method: 'GET', path: '/envelope', query: { page: '2' }, status: 200 },
		]);
		expect(calls).toHaveLength(1);
	});

	test('calls are counted by endpoint and status, with their connections and bytes', async () => {
		const envelopeId = await createDocument(service);
		await control('DELETE /calls');
		const agent = new Agent({ keepAlive: true, maxSockets: 1 });
		const path = `/api/v2/envelope/${envelopeId}`;
		for (const authorization of [DEMO_TOKEN, 'wrong', DEMO_TOKEN]) {
			const request = get(service.url + path, { agent, headers: { authorization } });
			const [answer] = (await once(request, 'response')) as [IncomingMessage];
			await text(answer);
		}
		agent.destroy();
		await call(service, 'POST /envelope/delete', { envelopeId });
		const counts = (await (await control('GET /counts')).json()) as Counts;
		expect(counts).toMatchObject({
			calls: {
				'GET /envelope/:envelopeId': { 200: 2, 401: 1 },
				'POST /envelope/delete': { 200: 1 },
			},
			maxInFlight: 1,
			sockets: 2,
		});
		const least = 3 * path.length + JSON.stringify({ envelopeId }).length;
		expect(counts.bytesReceived).toBeGreaterThan(least);

		await control('DELETE /calls');
		expect(await (await control('GET /counts')).json()).toEqual({
			calls: {},
			maxInFlight: 0,
			sockets: 0,
			bytesReceived: 0,
		});
		expect(service.store.documents).toEqual([]);
	});

	test('documents can be made from outside, without calls', async () => {
		const answer = await control('POST /documents', { templateId: RENTAL_AGREEMENT.id, count: 3 });
		const { ids } = (await answer.json()) as { ids: string[] };
		expect(service.store.documents.map(({ id }) => id)).toEqual(ids);
		expect(ids).toHaveLength(3);
		expect(service.calls).toEqual([]);
		const unknown = { templateId: 'envelope_none', count: 1 };
		expect((await control('POST /documents', unknown)).status).toBe(404);
	});

	test('webhooks and faults can be set from outside, and a reset undoes them', async () => {
		await control('POST /webhooks', { url: receiver.url, events: ['DOCUMENT_CREATED'] });
		await control('POST /faults', { match: 'GET /envelope', status: 503 });
		await sendDocument(service);
		await service.settled();
		const faulty = await call(service, 'GET /envelope');
		await control('POST /reset');
		await sendDocument(service);
		await service.settled();
		expect(receiver.events).toEqual(['DOCUMENT_CREATED']);
		expect(faulty.status).toBe(503);
		expect(service.store.templates).toHaveLength(3);
	});

	test('deliveries can be tested, resent, forced and kept back from outside', async () => {
		await control('POST /webhooks', { url: receiver.url });
		await control('POST /webhooks/test', { event: 'DOCUMENT_OPENED' });
		await service.settled();
		await control('POST /webhooks/pause');
		const envelopeId = await createDocument(service);
		await control('POST /deliver', { event: 'RECIPIENT_EXPIRED', envelopeId, times: 2 });
		await service.settled();
		const before = [...receiver.events];
		await control('POST /webhooks/resume');
		await service.settled();
		await control('POST /webhooks/resend', { delivery: 1 });
		await service.settled();
		expect(before).toEqual(['DOCUMENT_OPENED']);
		expect(receiver.events.slice(1)).toEqual([
			'DOCUMENT_CREATED',
			'RECIPIENT_EXPIRED',
			'RECIPIENT_EXPIRED',
			'DOCUMENT_CREATED',
		]);
	});

	test("a recipient's link can be let expire from outside", async () => {
		await control('POST /webhooks', { url: receiver.url, events: ['RECIPIENT_EXPIRED'] });
		const { id } = await sendDocument(service);
		const [recipient] = service.store.envelopes.get(id)?.recipients ?? [];
		await control('POST /expire', { recipientId: recipient?.id });
		await service.settled();
		expect(receiver.events).toEqual(['RECIPIENT_EXPIRED']);
		expect((await control('POST /expire', { recipientId: 4711 })).status).toBe(404);
	});

	test('what does not exist is neither resent nor delivered', async () => {
		expect((await control('POST /webhooks/resend', { delivery: 7 })).status).toBe(404);
		const unknown = { event: 'DOCUMENT_SENT', envelopeId: 'envelope_none' };
		expect((await control('POST /deliver', unknown)).status).toBe(404);
	});

	test('a mistaken request is answered with what is wrong', async () => {
		const answer = await control('POST /webhooks', { url: 'http://localhost', events: ['NOPE'] });
		expect(answer.status).toBe(400);
		expect(await answer.text()).toContain('NOPE');
	});

	test('files, which pages link to, can be fetched without a token and a header', async () => {
		const path = `/__emulator/files/${RENTAL_AGREEMENT.itemId}?version=original`;
		const file = await fetch(service.url + path);
		expect(file.headers.get('content-type')).toBe('application/pdf');
		expect((await file.text()).slice(0, 5)).toBe('%PDF-');
	});

	test('the seed is the same in every run', async () => {
		const again = await startEmulator({ seed: 'demo' });
		const digests = [service, again].map(({ store }) =>
			store.templates.map(({ items }) => items[0]?.original.sha256),
		);
		await again.close();
		expect(digests[1]).toEqual(digests[0]);
		const file = await service.store.templates[0]?.items[0]?.original.read();
		const paper = await PDFDocument.load(file ?? '', { updateMetadata: false });
		expect(paper.getCreationDate()).toEqual(new Date(0));
	});
});

describe('a fault', () => {
	test('a fault hits the calls it names, as often as it says', async () => {
		service.fail({
			match: 'GET /envelope',
			times: 2,
			status: 503,
			headers: { 'retry-after': '1' },
		});
		expect((await call(service, 'GET /folder')).status).toBe(200);
		const hit = await call(service, 'GET /envelope');
		expect(hit.status).toBe(503);
		expect(hit.headers.get('retry-after')).toBe('1');
		expect((await call(service, 'GET /envelope')).status).toBe(503);
		expect((await call(service, 'GET /envelope')).status).toBe(200);
	});

	test('a fault may bring its own body, and be chosen by a pattern', async () => {
		service.fail({ match: /^GET \/env/, status: 429, body: { message: 'Quota spent' } });
		expect((await call(service, 'GET /envelope')).body).toEqual({ message: 'Quota spent' });
		service.fail({ match: 'GET /envelope/*', status: 502 });
		expect((await call(service, 'GET /envelope/envelope_x')).status).toBe(502);
	});

	test.each<[string, Fault, [number, string] | undefined, boolean]>([
		['cut before it is processed', { cut: 'before' }, undefined, false],
		['processed, and cut before its answer', { cut: 'after' }, undefined, true],
		[
			'processed, and answered as if it had failed',
			{ status: 502, takesEffect: true, body: { message: 'Gone' } },
			[502, 'Gone'],
			true,
		],
	])('a call may be %s', async (_, fault, expected, isDone) => {
		const envelopeId = await createDocument(service);
		service.fail({ match: 'POST /envelope/delete', ...fault });
		const asked = call(service, 'POST /envelope/delete', { envelopeId });
		const answer = await asked.catch(() => undefined);
		expect(answer && statusAndMessage(answer)).toEqual(expected);
		expect(service.store.envelopes.has(envelopeId)).toBe(!isDone);
		expect(service.calls.at(-1)?.status).toBe(answer?.status);
	});

	test('Documenso counts what a fault refuses, but not what is cut before it arrives', async () => {
		const left = async () => {
			const { headers } = await call(service, 'GET /folder');
			return Number(headers.get('x-ratelimit-remaining'));
		};
		const before = await left();
		const body = { envelopeId: await createDocument(service) };
		service.fail({ match: 'POST /envelope/delete', status: 503 });
		await call(service, 'POST /envelope/delete', body);
		expect(service.calls.at(-1)).toMatchObject({ body, status: 503 });
		service.fail({ match: 'POST /envelope/delete', cut: 'before' });
		await expect(call(service, 'POST /envelope/delete', body)).rejects.toThrow();
		// The creation, the refusal, and this.
		expect(await left()).toBe(before - 3);
	});

	test('what is done after its client has gone has a status, too', async () => {
		const body = JSON.stringify({ envelopeId: await createDocument(service) });
		service.fail({ match: 'POST /envelope/delete', delayMs: 300 });
		const headers = { authorization: DEMO_TOKEN, 'content-type': 'application/json' };
		const signal = AbortSignal.timeout(100);
		const asked = { method: 'POST', headers, body, signal };
		await expect(fetch(`${service.url}/api/v2/envelope/delete`, asked)).rejects.toThrow();
		const isOver = () => service.calls.at(-1)?.status !== undefined;
		for (let looks = 0; looks < 200 && !isOver(); looks++) await delay(50);
		expect(service.calls.at(-1)?.status).toBe(200);
		expect(service.store.documents).toEqual([]);
	});

	test('cut during: the answer begins and breaks off', async () => {
		service.fail({ match: 'GET /envelope', cut: 'during', afterBytes: 10 });
		await expect(call(service, 'GET /envelope')).rejects.toThrow();
		expect((await call(service, 'GET /envelope')).status).toBe(200);
	});

	test('a delay lets calls overlap, and the most at once is known', async () => {
		service.fail({ match: 'GET /envelope', times: 3, delayMs: 100 });
		await Promise.all([1, 2, 3].map(async () => await call(service, 'GET /envelope')));
		expect(service.maxInFlight).toBe(3);
		await service.reset();
		await call(service, 'GET /envelope');
		expect(service.maxInFlight).toBe(1);
	});

	test('a request is cut after some of its bytes, also when it has no more', async () => {
		for (const afterBytes of [5, 1000]) {
			service.fail({ match: 'POST /envelope/cancel', cut: 'before', afterBytes });
			const request = call(service, 'POST /envelope/cancel', { envelopeId: 'envelope_abcdefgh' });
			await expect(request).rejects.toThrow();
		}
	});

	test('an answer that trickles comes a hundred bytes at a time, and whole', async () => {
		await createDocument(service);
		service.fail({ match: 'GET /envelope', trickleMs: 1 });
		const answer = await fetch(`${service.url}/api/v2/envelope`, {
			headers: { authorization: DEMO_TOKEN },
		});
		const sizes: number[] = [];
		for await (const piece of answer.body as AsyncIterable<Uint8Array>) sizes.push(piece.length);
		expect(sizes.length).toBeGreaterThan(5);
		const total = sizes.reduce((sum, size) => sum + size);
		expect(total).toBe(Number(answer.headers.get('content-length')));
	});
});

describe('an interceptor', () => {
	const LINE = 'POST /folder/create';
	const JSON_TYPE = { 'content-type': 'application/json' };
	const create = async () => await call(service, LINE, { name: 'Deals', type: 'DOCUMENT' });

	test.each<[string, Interceptor, { status?: number; done: number }]>([
		['is left alone', () => undefined, { status: 200, done: 1 }],
		['is answered without Documenso', () => ({ status: 418, body: '' }), { status: 418, done: 0 }],
		['is cut', () => 'cut', { done: 0 }],
		[
			'is carried out twice',
			async ({ pass }) => {
				await pass();
				return await pass();
			},
			{ status: 200, done: 2 },
		],
		[
			'is carried out after its answer',
			({ passLater }) => {
				passLater(50);
				return { status: 504, body: '' };
			},
			{ status: 504, done: 1 },
		],
		[
			'is answered by hand',
			async ({ pass }) => {
				const { body } = await pass();
				return (response) => response.writeHead(201).end(body);
			},
			{ status: 201, done: 1 },
		],
	])('a request that %s', async (_, interceptor, expected) => {
		service.intercept(LINE, interceptor);
		const answer = await create().catch(() => undefined);
		expect(answer?.status).toBe(expected.status);
		await service.settled();
		expect(service.store.folders.size).toBe(expected.done);
		expect(service.calls).toMatchObject([{ path: '/folder/create' }]);
		expect(service.calls[0]?.status).toBe(expected.status);
	});

	test('of several interceptors, the first that replies counts, and a reset removes all', async () => {
		service.intercept('GET *', () => 'cut');
		service.intercept('POST *', () => undefined);
		service.intercept(LINE, ({ text }) => ({ status: 409, headers: JSON_TYPE, body: text }));
		service.intercept(LINE, () => ({ status: 410, body: '' }));
		expect(await create()).toMatchObject({ status: 409, body: { name: 'Deals' } });
		await service.reset();
		expect(await create()).toMatchObject({ status: 200 });
	});

	test('what is passed on arrives as it was sent, and is answered with the date of an answer that has one', async () => {
		service.intercept(LINE, async ({ pass }) => {
			const answer = await pass();
			return { ...answer, headers: { ...answer.headers, date: 'then' } };
		});
		const { headers, body } = await create();
		expect(headers.get('date')).toBe('then');
		expect(body).toMatchObject({ name: 'Deals' });
		expect(Object.keys(service.calls[0]?.headers ?? {}).join()).not.toContain('emulator');
		expect(service.calls[0]?.body).toEqual({ name: 'Deals', type: 'DOCUMENT' });
	});
});

describe('pages of other sites', () => {
	let port: string;

	beforeAll(() => void ({ port } = new URL(service.url)));

	/** As a browser sends it: fetch could set neither header. */
	async function send(line: string, headers: { host: string; origin?: string }, to = port) {
		const [method, path] = line.split(' ');
		const authorization = DEMO_TOKEN;
		const more = { authorization, 'x-emulator-control': '1', ...headers };
		const sent = request({ host: '127.0.0.1', port: to, method, path, headers: more });
		const answer = await new Promise<IncomingMessage>((resolve) => {
			sent.once('response', resolve).end();
		});
		return { status: answer.statusCode, body: await text(answer) };
	}

	const everywhere = [
		'GET /',
		'GET /api/v2/envelope',
		'OPTIONS /api/v2/envelope',
		'POST /api/v1/zapier/list-documents',
		'GET /__emulator/state',
		'GET /__emulator/health',
		'POST /__emulator/webhooks/resume',
		'GET /nowhere',
	];

	const otherSites = [
		'https://evil.example',
		'null',
		'http://127.0.0.1:9',
		'http://127.0.0.1',
		'chrome-extension://abcdefgh',
	];

	test.each(otherSites)(
		'a preflight of a page from %s is answered as Documenso does, and changes nothing',
		async (origin) => {
			const here = { host: `127.0.0.1:${port}`, origin };
			expect((await send('OPTIONS /api/v2/envelope', here)).status).toBe(204);
			for (const path of ['/__emulator/state', '/', '/nowhere']) {
				expect([path, (await send(`OPTIONS ${path}`, here)).status]).toEqual([path, 404]);
			}
			expect((await send('DELETE /api/v2/envelope', here)).status).toBe(403);
		},
	);

	const requests = everywhere.filter((line) => !line.startsWith('OPTIONS'));

	describe.each(requests)('%s', (line) => {
		test.each(otherSites)('is refused to a page from %s', async (origin) => {
			const { status } = await send(line, { host: `127.0.0.1:${port}`, origin });
			expect(status).toBe(403);
		});
	});

	describe.each(everywhere)('%s', (line) => {
		test.each([
			['a page that rebinds its name to this computer', 'evil.example'],
			['one whose name looks like an address', '127.0.0.1.evil.example'],
			['one whose name looks like that of this computer', 'localhost.evil.example'],
		])('is refused to %s', async (_who, name) => {
			const { status, body } = await send(line, { host: `${name}:${port}` });
			expect(status).toBe(403);
			expect(body).toContain('--allow-host');
		});

		test('is answered to its own pages, at any name that it has', async () => {
			for (const host of [
				`127.0.0.1:${port}`,
				`localhost:${port}`,
				'LOCALHOST:14010',
				'[::1]:4010',
				'192.168.0.7',
				'documenso:4010',
			]) {
				for (const own of [{ host }, { host, origin: `http://${host}` }]) {
					expect([host, (await send(line, own)).status]).not.toEqual([host, 403]);
				}
			}
		});
	});

	test('the command line takes names, each with a flag', async () => {
		const names = ['documenso', 'host.docker.internal'];
		const flags = names.flatMap((name) => ['--allow-host', name]);
		const args = [...cli, '--port', '0', ...flags];
		const child = spawn(process.execPath, args);
		const [banner] = (await once(child.stdout, 'data')) as [Buffer];
		const [, itsPort] = /127\.0\.0\.1:(\d+)/.exec(banner.toString()) ?? [];
		const statuses = [];
		for (const host of [...names, 'other'].map((name) => `${name}:4010`)) {
			statuses.push((await send('GET /', { host }, itsPort)).status);
		}
		child.kill();
		await once(child, 'exit');
		expect(statuses).toEqual([200, 200, 403]);
	});

	test('a request that names no host is refused', async () => {
		const socket = connect(Number(port), '127.0.0.1');
		socket.write('GET / HTTP/1.0\r\n\r\n');
		expect(await text(socket)).toMatch(/^HTTP\/1\.1 403 /);
	});

	test('its own pages post to the name at which they are open', async () => {
		const at = { host: `localhost:${port}` };
		const [token] = (await sendDocument(service)).tokens;
		for (const path of [`/sign/${token}`, '/t/demo/settings/webhooks']) {
			expect((await send(`GET ${path}`, at)).body).toContain(`action="${path}"`);
		}
	});
});

describe('the command line', () => {
	test('says in one sentence that its port is taken', async () => {
		const { port } = new URL(service.url);
		const child = spawn(process.execPath, [...cli, '--port', port]);
		const [stderr] = await Promise.all([text(child.stderr), once(child, 'exit')]);
		expect(child.exitCode).toBe(1);
		expect(stderr).toBe(`127.0.0.1:${port} is already in use. Choose another port with --port.\n`);
	});

	test('takes how slow and how strict the service is', async () => {
		const settings = ['--workers', '1', '--work-ms', '1', '--latency-ms', '1', '--rate-limit', '2'];
		const child = spawn(process.execPath, [...cli, '--port', '0', ...settings]);
		const [banner] = (await once(child.stdout, 'data')) as [Buffer];
		const url = /http:\S+(?=\/api\/v2)/.exec(banner.toString())?.[0] ?? '';
		const statuses: number[] = [];
		// Also if a new minute begins meanwhile, one of the two has three.
		for (let time = 0; time < 5; time += 1) {
			statuses.push((await call({ url }, 'GET /envelope')).status);
		}
		child.kill();
		await once(child, 'exit');
		expect(new Set(statuses)).toEqual(new Set([200, 429]));
	});

	test.each([
		[['--workers', '2'], '--workers and --work-ms have to be used together'],
		[['--latency-ms', 'slow'], '--latency-ms must be a whole number above 0, not "slow"'],
	])('refuses %j', async (settings, message) => {
		const child = spawn(process.execPath, [...cli, ...settings]);
		const [stderr] = await Promise.all([text(child.stderr), once(child, 'exit')]);
		expect(child.exitCode).toBe(1);
		expect(stderr).toBe(`${message}\n`);
	});
});
