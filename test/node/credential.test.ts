import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { OutboundHttp } from '@n8n/backend-network';
import { Container } from '@n8n/di';
import type { IDataObject } from 'n8n-workflow';

import { DEMO_TOKEN } from '../../emulator';
import { errorOf } from '../support/errors';
import { useTrigger } from '../support/events';
import { bytesOf, runNode, type NodeRun } from '../support/n8n';
import { pdf } from '../support/pdf';
import { credentialFor } from '../support/service';
import { byId, fillFromRow, tenants, useService } from '../support/suite';
import { hurry } from '../support/hurry';

hurry();

const suite = useService({ seed: 'demo' });
const { serve } = useTrigger(suite);

const REDIRECTS = [301, 302, 303, 307, 308];

/** n8n 2.4 does not know this option, and sends the token along with every redirect that it follows. */
function forgetOption() {
	const http = Container.get(OutboundHttp);
	const { requests } = http;
	http.requests = (settings) => {
		const client = requests.call(http, settings);
		const request: typeof client.request = async (options) =>
			await client.request({ ...options, sendCredentialsOnCrossOriginRedirect: undefined });
		return { ...client, request };
	};
	return () => {
		http.requests = requests;
	};
}

/** Where the redirects lead: another origin, which answers as Documenso would, or leads on. */
let elsewhere: Server;
let port: number;
let remember: () => void;
const leads = new Map<string, string>();
const arrived: Array<{ line: string; hasToken: boolean }> = [];
const content = pdf('Elsewhere');
beforeAll(async () => {
	remember = forgetOption();
	elsewhere = createServer(({ method, url = '', headers, rawHeaders }, response) => {
		arrived.push({ line: `${method} ${url}`, hasToken: rawHeaders.join().includes(DEMO_TOKEN) });
		const location = leads.get(url);
		if (location) return void response.writeHead(302, { location }).end();
		if (headers.accept !== 'application/json')
			return void content.then((file) => response.end(file));
		response.setHeader('content-type', 'application/json');
		return response.end('{"data":[],"currentPage":1,"totalPages":1,"count":0}');
	});
	await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
	({ port } = elsewhere.address() as AddressInfo);
});
beforeEach(() => {
	arrived.length = 0;
	leads.clear();
});
afterAll(() => {
	remember();
	elsewhere.closeAllConnections();
	elsewhere.close();
});

function redirect(match: string, status: number, location = `http://localhost:${port}/moved`) {
	suite.service.fail({ match, status, headers: { location }, body: '', times: 99 });
	return location;
}

const ID = 'envelope_abcdefghijklmnop';

/** A POST of each kind. */
const posts: Array<[string, string, () => Promise<unknown>]> = [
	['a change', 'POST /envelope/cancel', run({ operation: 'cancel', documentId: byId(ID) })],
	['a creation from a template', 'POST /envelope/use', run(fillFromRow)],
	['a creation from files', 'POST /envelope/create', async () => (await suite.upload()).error],
	['a reading', 'POST /envelope/get-many', run({ operation: 'getByIds', id: ID })],
	[
		'the registration of a webhook',
		'POST /api/v1/zapier/subscribe',
		async () => {
			const trigger = await serve({ registration: 'automatic', events: ['DOCUMENT_SENT'] });
			return await errorOf(trigger.publish);
		},
	],
];

function run(parameters: IDataObject) {
	return async () => (await suite.run({ resource: 'document', ...parameters }, tenants(1))).error;
}

describe.each(posts)('%s by POST', (_, line, send) => {
	test.each(REDIRECTS)('is not sent on where it is answered %d', async (status) => {
		const location = redirect(line, status);
		expect(await send()).toMatchObject({
			message: expect.stringContaining(`Documenso redirected the request to ${location}`) as string,
		});
		expect(arrived).toEqual([]);
		expect(suite.calls(line)).toHaveLength(1);
	});
});

interface Read {
	/** Of the request that is redirected. */
	path: string;
	run(baseUrl?: string): Promise<NodeRun>;
}

/** A read of each kind. */
const reads: Array<[string, () => Promise<Read>]> = [
	[
		'a list',
		async () => ({
			path: '/api/v2/envelope',
			run: runAt({ resource: 'document', operation: 'getAll', searchIn: 'root' }),
		}),
	],
	[
		'a file',
		async () => {
			const { id, items } = await suite.document();
			const download = { operation: 'download', version: 'original', documentId: byId(id) };
			return {
				path: `/api/v2/envelope/item/${items[0]?.id}/download`,
				run: runAt({ resource: 'document', ...download }),
			};
		},
	],
];

function runAt(parameters: IDataObject) {
	return async (baseUrl = suite.service.url) =>
		await runNode(credentialFor(suite.service, { baseUrl }), parameters);
}

describe.each(reads)('%s by GET', (_, prepare) => {
	let path: string;
	let run: Read['run'];
	beforeEach(async () => {
		({ path, run } = await prepare());
	});

	/** Redirects so many of these requests; those after them are answered. */
	function lead(location: string, { status = 302, times = 1 } = {}) {
		const match = `GET ${path.replace('/api/v2', '')}`;
		suite.service.fail({ match, status, headers: { location }, body: '', times });
	}

	/** Whether these requests had the token, when they reached Documenso. */
	const tokens = () =>
		suite.service.calls
			.filter((call) => `/api/v2${call.path}` === path)
			.map(({ headers }) => headers.authorization === DEMO_TOKEN);

	async function succeeds(baseUrl?: string) {
		const { items, error } = await run(baseUrl);
		expect(error).toBeUndefined();
		return items;
	}

	test.each(REDIRECTS)('is sent on where it is answered %d, without the token', async (status) => {
		lead(`http://localhost:${port}/moved`, { status });
		const [item] = await succeeds();
		if (item) expect(await bytesOf(item)).toEqual(Buffer.from(await content));
		expect(arrived).toEqual([{ line: 'GET /moved', hasToken: false }]);
		expect(tokens()).toEqual([true]);
	});

	test.each([
		['of another port', () => `http://127.0.0.1:${port}/moved`],
		['without a scheme', () => `//localhost:${port}/moved`],
		['in capitals', () => `HTTP://LOCALHOST:${port}/moved`],
		['with slashes the wrong way', () => `\\\\localhost:${port}\\moved`],
	])('is sent to an address %s without the token', async (_kind, location) => {
		lead(location());
		await succeeds();
		expect(arrived).toEqual([{ line: 'GET /moved', hasToken: false }]);
	});

	test('is sent to an address as it stands, with its query and without the one from before', async () => {
		lead(`http://localhost:${port}/moved?signature=a%2Fb+c&page=7`);
		await succeeds();
		expect(arrived.map(({ line }) => line)).toEqual(['GET /moved?signature=a%2Fb+c&page=7']);
	});

	test('reaches a third origin without the token', async () => {
		lead(`http://localhost:${port}/first/step`);
		leads.set('/first/step', 'second');
		leads.set('/first/second', `http://127.0.0.1:${port}/last`);
		await succeeds();
		expect(arrived).toEqual(
			['GET /first/step', 'GET /first/second', 'GET /last'].map((line) => ({
				line,
				hasToken: false,
			})),
		);
	});

	test.each([
		['whole address', (url: string) => url],
		['path', (url: string) => new URL(url).pathname],
		['last part of the path', (url: string) => url.split('/').at(-1) ?? ''],
		['address without a scheme', (url: string) => url.replace('http:', '')],
		['address in capitals', (url: string) => url.replace('http://localhost', 'HTTP://LOCALHOST')],
	])('keeps the token at the same origin: %s', async (_kind, location) => {
		const base = suite.service.url.replace('127.0.0.1', 'localhost');
		lead(location(base + path));
		await succeeds(base);
		expect(tokens()).toEqual([true, true]);
	});

	test('has lost the token when it comes back from another origin', async () => {
		lead(`http://localhost:${port}/moved`);
		leads.set('/moved', suite.service.url + path);
		const { error } = await run();
		expect(error).toMatchObject({ httpCode: '401' });
		expect(tokens()).toEqual([true, false]);
	});

	test('is given up in a circle between two origins, with an error that says so', async () => {
		lead(`http://localhost:${port}/moved`, { times: 99 });
		leads.set('/moved', suite.service.url + path);
		const { error } = await run();
		expect(error?.message).toMatch(/was redirected more than 21 times/);
		expect(error?.description).toMatch(/circles/);
		expect(arrived).toEqual(Array(11).fill({ line: 'GET /moved', hasToken: false }));
		expect(tokens()).toEqual([true, ...(Array(10).fill(false) as boolean[])]);
	});

	test.each([
		['a user and password', () => `http://tina:s3cret@localhost:${port}/moved`],
		['a user', () => `http://tina@localhost:${port}/moved`],
		['a user at the same origin', () => suite.service.url.replace('//', '//tina:s3cret@') + path],
		['a script', () => 'javascript:alert(1)'],
		['a file', () => 'file:///etc/passwd'],
		['another protocol', () => `ftp://localhost:${port}/moved`],
		['no host', () => 'http://'],
	])('is not sent on to an address with %s', async (_kind, location) => {
		lead(location());
		const { error } = await run();
		expect(error?.message).toMatch(/^Documenso redirected the request to /);
		expect(error?.message).not.toContain('s3cret');
		expect(arrived).toEqual([]);
		expect(tokens()).toEqual([true]);
	});

	test.each([300, 304, 305])('is not sent on where it is answered %d', async (status) => {
		lead(`http://localhost:${port}/moved`, { status });
		expect((await run()).error).toBeDefined();
		expect(arrived).toEqual([]);
	});
});
