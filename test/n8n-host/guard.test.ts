import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { request, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

const moduleOf = (path: string) => pathToFileURL(join(__dirname, '..', '..', path)).href;
const evaluate = ['--input-type=module', '-e'];

/** What stands behind the guard answers all that comes through. */
const n8n = `
	import { createServer } from 'node:http';
	const server = createServer((_request, response) => response.end('from n8n'));
	server.on('upgrade', ({ socket }) => socket.end('HTTP/1.1 101 Switching Protocols\\r\\n\\r\\n'));
	server.listen(0, '127.0.0.1', () => console.log(server.address().port));
`;
const inbox = `
	import { startInbox } from '${moduleOf('demo/inbox.mjs')}';
	console.log(new URL((await startInbox({ port: 0 })).url).port);
`;

const running: ChildProcess[] = [];
afterAll(() => running.forEach((child) => child.kill()));

/** Runs a program that prints its port, and returns how to send it a request. */
async function started(args: string[]) {
	const child = spawn(process.execPath, args);
	running.push(child);
	const [line] = (await once(child.stdout, 'data')) as [Buffer];
	const port = line.toString().trim();
	return async (path: string, headers: OutgoingHttpHeaders = {}, method = 'GET') => {
		const own = { host: `127.0.0.1:${port}`, ...headers };
		const sent = request({ host: '127.0.0.1', port, path, method, headers: own });
		const answer = await new Promise<IncomingMessage>((resolve) => {
			sent.once('response', resolve).once('upgrade', resolve).end();
		});
		const { statusCode: status } = answer;
		return { status, body: status === 101 ? '' : await text(answer), port };
	};
}

const rebound = { host: 'evil.example:5678' };
const upgrade = { connection: 'Upgrade', upgrade: 'websocket' };

describe("before n8n, the demo's guard", () => {
	let send: Awaited<ReturnType<typeof started>>;
	beforeAll(async () => {
		send = await started(['--import', moduleOf('n8n-host/guard.mjs'), ...evaluate, n8n]);
	});

	test('passes on what comes from this computer, and refuses pages of others', async () => {
		const { port } = await send('/');
		const sameOrigin = { origin: `http://127.0.0.1:${port}` };
		for (const headers of [{}, sameOrigin, { host: 'localhost:5678' }]) {
			expect(await send('/rest/login', headers, 'POST')).toMatchObject({ body: 'from n8n' });
		}
		expect(await send('/rest/push', { ...upgrade, ...sameOrigin })).toMatchObject({ status: 101 });
		for (const headers of [rebound, { origin: 'null' }, { origin: 'http://127.0.0.1:1' }]) {
			expect(await send('/rest/login', headers, 'POST')).toMatchObject({ status: 403 });
			expect(await send('/rest/push', { ...upgrade, ...headers })).toMatchObject({ status: 403 });
			expect(await send('/demo-login/', headers)).toMatchObject({ status: 403 });
		}
	});

	test('lets no other page open a WebSocket, not even where anybody may send a form', async () => {
		for (const path of ['/webhook/a', '/form/a', '/form/../rest/push']) {
			const answer = await send(path, { ...upgrade, origin: 'https://evil.example' });
			expect(answer).toMatchObject({ status: 403 });
		}
	});

	test.each(['/form/a', '/form-test/a', '/form-waiting/1', '/webhook/a', '/webhook-waiting/1'])(
		'lets any page call %s, but not by a name that has been rebound',
		async (path) => {
			expect(await send(path, { origin: 'null' }, 'POST')).toMatchObject({ body: 'from n8n' });
			expect(await send(path, rebound, 'POST')).toMatchObject({ status: 403 });
		},
	);

	test.each([
		...['/formidable', '/webhooks', '//form/a', '/rest/login?/form/'],
		...['/form/../rest/login', '/webhook/%2e%2e/rest/login'],
	])('does not take %s for a form', async (path) => {
		expect(await send(path, { origin: 'null' }, 'POST')).toMatchObject({ status: 403 });
	});
});

test('the inbox shows its messages to nobody else, and takes none from other pages', async () => {
	const send = await started([...evaluate, inbox]);
	for (const headers of [rebound, { origin: 'https://evil.example' }]) {
		for (const method of ['GET', 'POST']) {
			expect(await send('/messages', headers, method)).toMatchObject({ status: 403 });
		}
	}
	expect(await send('/messages')).toMatchObject({ status: 200, body: '[]' });
});
