import { request, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

import { chromium, type Browser, type Page } from 'playwright-core';

import flags from '../../n8n-host/chromium-flags.json';
import { host } from './host';

// What SECURITY.md says of the demo: n8n answers nobody but its own pages, and scripts on this computer.
const { port } = new URL(host.n8nUrl);
const own = { host: `127.0.0.1:${port}` };
const ofOwnPage = { ...own, origin: host.n8nUrl };
/** A page elsewhere whose name suddenly leads to 127.0.0.1: for the browser, n8n is a part of that page. */
const rebound = { host: `evil.example:${port}` };
const crossSite = { ...own, origin: 'https://evil.example' };

interface Answer {
	status: number | undefined;
	body: string;
}

/** With the session of n8n's owner: the browser sends its cookie along. */
async function send(line: string, headers: OutgoingHttpHeaders): Promise<Answer> {
	const [method, path = ''] = line.split(' ');
	const cookie = host.n8nCookie;
	const sent = request(host.n8nUrl + path, { method, headers: { cookie, ...headers } });
	const answer = await new Promise<IncomingMessage>((resolve, reject) => {
		sent.once('response', resolve).once('error', reject).end();
		// An upgrade that succeeds.
		sent.once('upgrade', (upgraded: IncomingMessage) => {
			upgraded.socket.end();
			resolve(upgraded);
		});
	});
	const { statusCode: status } = answer;
	return { status, body: status === 101 ? '' : await text(answer) };
}

const upgrade = {
	connection: 'Upgrade',
	upgrade: 'websocket',
	'sec-websocket-version': '13',
	'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
};
const push = 'GET /rest/push?pushRef=somebody';

test('its own pages and scripts on this computer reach n8n', async () => {
	const byName = { host: `localhost:${port}`, origin: `http://localhost:${port}` };
	for (const headers of [own, ofOwnPage, byName, { host: `[::1]:${port}` }]) {
		expect(await send('GET /rest/workflows', headers)).toMatchObject({ status: 200 });
	}
	expect(await send(push, { ...upgrade, ...ofOwnPage })).toMatchObject({ status: 101 });
});

test.each([
	['a page that rebinds its name to this computer', rebound],
	['the same page when it posts', { ...rebound, origin: `http://evil.example:${port}` }],
	['a page of another site', crossSite],
	['a page without an origin', { ...own, origin: 'null' }],
	['a page of another program on this computer', { ...own, origin: 'http://127.0.0.1:9' }],
])('%s is refused', async (_who, headers) => {
	for (const line of ['GET /rest/workflows', 'POST /rest/login', 'GET /signin']) {
		const { status, body } = await send(line, headers);
		expect([status, body]).toEqual([
			403,
			expect.stringMatching(/^n8n answers only at 127\.0\.0\.1 .+\.\n$/),
		]);
	}
	expect(await send(push, { ...upgrade, ...headers })).toMatchObject({ status: 403 });
});

test('a request that names no host is refused', async () => {
	const socket = connect(Number(port), '127.0.0.1');
	socket.write('GET /rest/settings HTTP/1.0\r\n\r\n');
	expect(await text(socket)).toMatch(/^HTTP\/1\.1 403 /);
});

test('n8n installs no other community package', async () => {
	const answer = await fetch(`${host.n8nUrl}/rest/community-packages`, {
		method: 'POST',
		headers: { cookie: host.n8nCookie, 'content-type': 'application/json' },
		body: JSON.stringify({ name: 'n8n-nodes-none' }),
	});
	expect(answer.ok).toBe(false);
	expect(await answer.text()).toContain('Community packages are managed via environment variables');
});

describe('in a browser', () => {
	let browser: Browser;
	let page: Page;
	beforeAll(async () => {
		const rebinding = '--host-resolver-rules=MAP evil.example 127.0.0.1';
		browser = await chromium.launch({
			executablePath: host.chromium,
			args: [...flags, rebinding],
		});
	});
	afterAll(async () => await browser.close());
	beforeEach(async () => (page = await browser.newPage()));
	afterEach(async () => await page.close());

	test('a page whose name leads to this computer gets nothing from n8n', async () => {
		const answer = await page.goto(`http://evil.example:${port}/signin`);
		expect(answer?.status()).toBe(403);
	});

	test('the link of the terminal signs in, for this browser only', async () => {
		await page.goto(host.n8nSignIn);
		await page.waitForURL(`${host.n8nUrl}/home/workflows`);
		const asEditor = "{ headers: { 'browser-id': localStorage['n8n-browserId'] } }";
		const path = "'/rest/workflows'";
		expect(await page.evaluate(`fetch(${path}, ${asEditor}).then(({ ok }) => ok)`)).toBe(true);
		const [cookie] = await page.context().cookies();
		expect(cookie).toMatchObject({ name: 'n8n-auth', httpOnly: true, sameSite: 'Lax' });
		// Browsers send a cookie to all ports, and so to the programs of other people, too.
		const stolen = { ...own, cookie: `${cookie?.name}=${cookie?.value}` };
		expect(await send('GET /rest/workflows', stolen)).toMatchObject({ status: 401 });
	});

	test('a link with another password leads to the form of n8n', async () => {
		await page.goto(host.n8nSignIn.replace(/#.*/, '#N8n-0'));
		await page.waitForURL(`${host.n8nUrl}/signin`);
	});
});
