import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { DEMO_TOKEN, startEmulator, type Emulator } from '../../emulator';
import { sendDocument } from './api';

let service: Emulator;
let port: string;

beforeAll(async () => {
	service = await startEmulator({ seed: 'demo', allowHosts: ['documenso'] });
	({ port } = new URL(service.url));
});
afterAll(async () => await service.close());

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

	test.each([
		'https://evil.example',
		'null',
		'http://127.0.0.1:9',
		'http://127.0.0.1',
		'chrome-extension://abcdefgh',
	])('is refused to a page from %s', async (origin) => {
		const { status } = await send(line, { host: `127.0.0.1:${port}`, origin });
		expect(status).toBe(403);
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
	const cli = ['--import', 'tsx', 'emulator/cli.ts', '--port', '0', ...flags];
	const child = spawn(process.execPath, cli);
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
