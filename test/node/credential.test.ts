import { createServer, type ServerResponse } from 'node:http';

import { OutboundHttp } from '@n8n/backend-network';
import { Container } from '@n8n/di';
import type { IDataObject } from 'n8n-workflow';

import { DocumensoApi } from '../../credentials/DocumensoApi.credentials';
import { DEMO_TOKEN, startEmulator } from '../../emulator';
import type { Fault } from '../../emulator';
import { services } from '../../nodes/shared/api/service';
import { useElsewhere } from '../support/elsewhere';
import { errorOf } from '../support/errors';
import { useTrigger } from '../support/events';
import { hurry } from '../support/hurry';
import {
	bytesOf,
	documenso,
	execute,
	loadOptionsContext,
	NODE_TYPE,
	type NodeRun,
	POLLING_TYPE,
	runNode,
	testCredential,
	TRIGGER_TYPE,
} from '../support/n8n';
import { pdf } from '../support/pdf';
import { refusal } from '../support/refusal';
import { listen, useServer } from '../support/server';
import { credentialFor, lines } from '../support/service';
import {
	createAndSend,
	fillFromRow,
	itemWithPdf,
	mapped,
	step,
	tenants,
	tina,
	useService,
} from '../support/suite';

hurry(30);

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

let remember: () => void;

const leads = new Map<string, string>();

const arrived: Array<{ line: string; hasToken: boolean }> = [];

const content = pdf('Elsewhere');

/** Where the redirects lead: another origin, which answers as Documenso would, or leads on. */
const elsewhere = useServer(
	createServer(({ method, url = '', headers, rawHeaders }, response) => {
		arrived.push({ line: `${method} ${url}`, hasToken: rawHeaders.join().includes(DEMO_TOKEN) });
		const location = leads.get(url);
		if (location) return void response.writeHead(302, { location }).end();
		if (headers.accept !== 'application/json')
			return void content.then((file) => response.end(file));
		response.setHeader('content-type', 'application/json');
		return response.end('{"data":[],"currentPage":1,"totalPages":1,"count":0}');
	}),
);

beforeAll(() => {
	remember = forgetOption();
});

beforeEach(() => {
	arrived.length = 0;
	leads.clear();
});

afterAll(() => {
	remember();
});

function redirect(
	match: string,
	status: number,
	location = `http://localhost:${elsewhere.port}/moved`,
) {
	suite.service.fail({ match, status, headers: { location }, body: '', times: 99 });
	return location;
}

const ID = 'envelope_abcdefghijklmnop';

const getMany = step('document.getAll', {}, { searchIn: 'root' });

/** A POST of each kind. */
const posts: Array<[string, string, () => Promise<unknown>]> = [
	['a change', 'POST /envelope/cancel', run(step('document.cancel', { documentId: ID }))],
	['a creation from a template', 'POST /envelope/use', run(fillFromRow)],
	['a creation from files', 'POST /envelope/create', async () => (await suite.upload()).error],
	['a reading', 'POST /envelope/get-many', run(step('document.getByIds', {}, { id: ID }))],
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
	return async () => (await suite.run(parameters, tenants(1))).error;
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
			run: runAt(getMany),
		}),
	],
	[
		'a file',
		async () => {
			const { id, items } = await suite.document();
			return {
				path: `/api/v2/envelope/item/${items[0]?.id}/download`,
				run: runAt(step('document.download', { documentId: id }, { version: 'original' })),
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
		lead(`http://localhost:${elsewhere.port}/moved`, { status });
		const [item] = await succeeds();
		if (item) expect(await bytesOf(item)).toEqual(Buffer.from(await content));
		expect(arrived).toEqual([{ line: 'GET /moved', hasToken: false }]);
		expect(tokens()).toEqual([true]);
	});

	test.each([
		['of another port', () => `http://127.0.0.1:${elsewhere.port}/moved`],
		['without a scheme', () => `//localhost:${elsewhere.port}/moved`],
		['in capitals', () => `HTTP://LOCALHOST:${elsewhere.port}/moved`],
		['with slashes the wrong way', () => `\\\\localhost:${elsewhere.port}\\moved`],
	])('is sent to an address %s without the token', async (_kind, location) => {
		lead(location());
		await succeeds();
		expect(arrived).toEqual([{ line: 'GET /moved', hasToken: false }]);
	});

	test('is sent to an address as it stands, with its query and without the one from before', async () => {
		lead(`http://localhost:${elsewhere.port}/moved?signature=a%2Fb+c&page=7`);
		await succeeds();
		expect(arrived.map(({ line }) => line)).toEqual(['GET /moved?signature=a%2Fb+c&page=7']);
	});

	test('reaches a third origin without the token', async () => {
		lead(`http://localhost:${elsewhere.port}/first/step`);
		leads.set('/first/step', 'second');
		leads.set('/first/second', `http://127.0.0.1:${elsewhere.port}/last`);
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
		lead(`http://localhost:${elsewhere.port}/moved`);
		leads.set('/moved', suite.service.url + path);
		const { error } = await run();
		expect(error).toMatchObject({ httpCode: '401' });
		expect(tokens()).toEqual([true, false]);
	});

	test('is given up in a circle between two origins, with an error that says so', async () => {
		lead(`http://localhost:${elsewhere.port}/moved`, { times: 99 });
		leads.set('/moved', suite.service.url + path);
		const { error } = await run();
		expect(error?.message).toMatch(/was redirected more than 21 times/);
		expect(error?.description).toMatch(/circles/);
		expect(arrived).toEqual(Array(11).fill({ line: 'GET /moved', hasToken: false }));
		expect(tokens()).toEqual([true, ...(Array(10).fill(false) as boolean[])]);
	});

	test.each([
		['a user and password', () => `http://tina:s3cret@localhost:${elsewhere.port}/moved`],
		['a user', () => `http://tina@localhost:${elsewhere.port}/moved`],
		['a user at the same origin', () => suite.service.url.replace('//', '//tina:s3cret@') + path],
		['a script', () => 'javascript:alert(1)'],
		['a file', () => 'file:///etc/passwd'],
		['another protocol', () => `ftp://localhost:${elsewhere.port}/moved`],
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
		lead(`http://localhost:${elsewhere.port}/moved`, { status });
		expect((await run()).error).toBeDefined();
		expect(arrived).toEqual([]);
	});
});

test.each([401, 403, 404, 500])(
	'an error %i that names a location is not called a redirect',
	async (status) => {
		const fault = { status, headers: { location: '/signin' }, body: { message: 'Not for you' } };
		suite.service.fail({ match: 'GET /envelope', ...fault, times: 9 });
		const { error } = await suite.run(getMany, tenants(1));
		expect(error?.message).toBe('Not for you');
	},
);

test('where a redirect leads to a Documenso elsewhere, the error says so, and not that the token is wrong', async () => {
	const there = suite.service.url.replace('127.0.0.1', 'localhost');
	const location = `${there}/api/v2/envelope`;
	suite.service.fail({ match: 'GET /envelope', status: 308, headers: { location }, body: '' });
	const { error } = await suite.run(getMany, tenants(1));
	expect(suite.service.calls.map(({ status }) => status)).toEqual([308, 401]);
	expect(error?.message).toBe(`Documenso redirected the request to ${there}`);
	expect(error?.description).toContain('enter it as the base URL in the credential');
	expect(error?.description).not.toContain('API token was pasted');
});

let answer: (response: ServerResponse) => void;

/** Another program at Documenso's address. */
const other = useServer(createServer((_, response) => answer(response)));

const urlOfOther = () => `http://127.0.0.1:${other.port}`;

async function saidOf(baseUrl: string, apiToken = DEMO_TOKEN) {
	const { status, message } = await testCredential({
		...credentialFor(suite.service),
		baseUrl,
		apiToken,
	});
	expect(status).toBe('Error');
	expect(message).not.toContain(apiToken.trim() || DEMO_TOKEN);
	return message;
}

async function saidOfOther(status: number, body: string, headers: Record<string, string> = {}) {
	answer = (response) => response.writeHead(status, headers).end(body);
	return await saidOf(urlOfOther());
}

const HTML = { 'content-type': 'text/html' };

const JSON_TYPE = { 'content-type': 'application/json' };

describe('the test of a credential', () => {
	test.each([NODE_TYPE, TRIGGER_TYPE, POLLING_TYPE])(
		'succeeds in %s, whichever n8n asks',
		async (type) => {
			expect(await testCredential(credentialFor(suite.service), type)).toMatchObject({
				status: 'OK',
			});
		},
	);

	test('is not in the credential, because n8n would not ask the nodes then', () => {
		expect(new DocumensoApi()).not.toHaveProperty('test');
	});

	test.each(['/', '/api/v2', '/api/v2-beta/', ' '])(
		'takes a base URL that ends with %j, as the nodes do',
		async (end) => {
			const credential = { ...credentialFor(suite.service), baseUrl: suite.service.url + end };
			expect(await testCredential(credential)).toMatchObject({ status: 'OK' });
		},
	);

	test('says of a wrong token where to get another', async () => {
		expect(await saidOf(suite.service.url, 'api_of_nobody')).toMatch(
			/^Documenso does not accept the API token\. Check that the whole token was pasted.*Team Settings > API Tokens/,
		);
	});

	test('says of an expired token to create another', async () => {
		const body = { message: 'Expired token', code: 'X', data: { code: 'EXPIRED_CODE' } };
		suite.service.fail({ match: 'GET /envelope', status: 400, body });
		expect(await saidOf(suite.service.url)).toMatch(/^Expired token\. Create a new API token/);
	});

	test('asks for a token before it sends anything', async () => {
		const before = suite.service.calls.length;
		expect(await saidOf(suite.service.url, ' ')).toMatch(/^'API Token' is empty\. Create one/);
		expect(suite.service.calls).toHaveLength(before);
	});

	test.each([
		['app.documenso.com', 'does not begin with https:// or http://'],
		['ftp://documenso', 'does not begin with https:// or http://'],
		['https://', 'is not a URL'],
		['https://app.documenso.com?x=1', 'is not a URL'],
	])('says of %j what is wrong with it, with an example', async (baseUrl, fault) => {
		expect(await saidOf(baseUrl)).toBe(
			`The base URL in the credential ${fault}. Enter the address at which you open Documenso, without a user, a password or the path of a page: for example https://app.documenso.com.`,
		);
	});

	test('says that the base URL is empty', async () => {
		expect(await saidOf(' ')).toMatch(
			/^The base URL in the credential is empty\. Enter the address/,
		);
	});

	test('shows no password in the base URL, and sends nothing', async () => {
		const said = await saidOf('https://tina:s3cret@sign.example.com');
		expect(said).toMatch(/^The base URL in the credential has a user or password in it\./);
		expect(said).not.toContain('s3cret');
	});

	test('says that nothing answers at an address', async () => {
		const closed = createServer();
		const port = await listen(closed);
		await new Promise((resolve) => closed.close(resolve));
		expect(await saidOf(`http://127.0.0.1:${port}`)).toMatch(
			/^The connection to Documenso at 127\.0\.0\.1:\d+ failed\. Nothing answers at this address: .*ECONNREFUSED/,
		);
	});

	test('says that there is no server of a name', async () => {
		expect(await saidOf('https://documenso.invalid')).toMatch(
			/^The connection to Documenso at documenso\.invalid failed\. (There is no server of this name|Check the credential)/,
		);
	});

	test('says when the connection breaks off', async () => {
		answer = (response) => response.destroy();
		expect(await saidOf(urlOfOther())).toMatch(
			/^The connection to Documenso at .* failed\. Check the credential's base URL/,
		);
	});

	test.each([
		['a page', 200, '<!DOCTYPE html><title>Home</title>', HTML],
		['a page that is missing', 404, '<!DOCTYPE html><title>Not found</title>', HTML],
		['a page that forbids something', 403, '<html>Forbidden</html>', HTML],
		['the login page of a proxy', 401, '<html>Sign in</html>', HTML],
		['another program’s JSON', 200, '{"status":"ok"}', JSON_TYPE],
		['another program’s list', 200, '{"data":[]}', JSON_TYPE],
		['another program’s error', 404, '{"message":"Not Found","code":"NOT_FOUND"}', JSON_TYPE],
		['nothing at all', 204, '', {}],
	])('knows that %s is not Documenso', async (_, status, body, headers) => {
		expect(await saidOfOther(status, body, headers)).toMatch(
			/^The base URL in the credential does not lead to Documenso's API\. Check the base URL: it is the address at which you open Documenso/,
		);
	});

	test.each([301, 302, 303, 307, 308])(
		'does not follow a redirect (%d), and says where it leads',
		async (status) => {
			const location = `${suite.service.url}/api/v2/envelope`;
			const before = suite.service.calls.length;
			expect(await saidOfOther(status, '', { location })).toMatch(
				`Documenso redirected the request to ${location}. If that is your Documenso's address, enter it as the base URL in the credential`,
			);
			expect(suite.service.calls).toHaveLength(before);
		},
	);

	test('shows no token that a redirect repeats', async () => {
		const said = await saidOfOther(302, '', {
			location: `https://login.example.com/?t=${DEMO_TOKEN}`,
		});
		expect(said).toContain('https://login.example.com/.');
		expect(said).not.toContain(DEMO_TOKEN);
	});

	test.each([
		[429, 'monthly quota of the Documenso plan is used up'],
		[500, 'try again later'],
		[503, 'works again'],
	])('says of a %d what to do', async (status, advice) => {
		suite.service.fail({ match: 'GET /envelope', status, body: { message: 'No' } });
		expect(await saidOf(suite.service.url)).toContain(advice);
	});
});

describe('other nodes with the credential', () => {
	const other = useElsewhere('localhost');

	type Helper = (this: unknown, credential: string, options: object) => Promise<unknown>;

	const follows = { followRedirect: true, followAllRedirects: true };

	const ofOlder = { ...follows, resolveWithFullResponse: true, simple: false };

	const ofNewer = { returnFullResponse: true, ignoreHttpStatusErrors: true };

	describe.each([
		['as n8n’s HTTP Request node sends it', 'requestWithAuthentication', 'uri', ofOlder],
		['as other nodes send it', 'httpRequestWithAuthentication', 'url', ofNewer],
	])('a request with the credential, %s,', (_, helper, address, options) => {
		async function send(to: string) {
			const context = loadOptionsContext(credentialFor(suite.service), {});
			const helpers = context.helpers as unknown as Record<string, Helper>;
			return await helpers[helper]?.call(context, 'documensoApi', { [address]: to, ...options });
		}

		test('reaches Documenso', async () => {
			expect(await send(`${suite.service.url}/api/v2/envelope`)).toMatchObject({ statusCode: 200 });
			expect(suite.service.calls[0]?.headers.authorization).toBe(DEMO_TOKEN);
		});

		test('sends nothing to another address, and says why', async () => {
			const { message } = await errorOf(async () => await send(other.url));
			expect(message).toBe(
				`The Documenso credential sends its API token only to ${suite.service.url}, the base URL. Change the URL of the request, or use another credential.`,
			);
			expect(message).not.toContain(DEMO_TOKEN);
			expect(other.arrived).toEqual([]);
		});

		test.each([301, 302, 303, 307, 308])('follows no redirect (%d)', async (status) => {
			suite.service.fail({ status, headers: { location: other.url }, body: '' });
			const answer = await send(`${suite.service.url}/api/v2/envelope`);
			expect(answer).toMatchObject({ statusCode: status, headers: { location: other.url } });
			expect(other.arrived).toEqual([]);
		});
	});
});

describe('the token', () => {
	test('is sent as it is, with a content type and a body on every change', async () => {
		const { error } = await suite.upload();
		expect(error).toBeUndefined();
		await suite.outputOf(step('document.cancel', { documentId: suite.documents()[0]?.id }));
		for (const { method, headers, body } of suite.service.calls) {
			expect(headers.authorization).toBe(DEMO_TOKEN);
			if (method === 'GET') continue;
			expect(headers['content-type']).toMatch(
				/^(application\/json|multipart\/form-data; boundary=)/,
			);
			expect(body).toBeDefined();
		}
	});

	test.each([
		['is wrong', { apiToken: 'api_some_other_secret' }, '401'],
		['meets no service', { baseUrl: 'http://127.0.0.1:1' }, null],
	])('is not in the error when it %s', async (_, changes, httpCode) => {
		const credential = credentialFor(suite.service, changes);
		const cancel = documenso(step('document.cancel', { documentId: ID }));
		const { data } = await execute(credential, [cancel], [{ json: {} }]);
		const { error } = data.resultData;
		expect(error).toMatchObject({ httpCode });
		const everything =
			JSON.stringify(data) + JSON.stringify(error, Object.getOwnPropertyNames(error ?? {}));
		expect(everything).not.toContain(credential.apiToken);
	});

	test.each([
		'',
		'app.documenso.com',
		'ftp://app.documenso.com',
		'https://',
		'https://a b.co',
		'https://x.co?y=1',
		'http://[',
		'http://localhost:99999',
	])('is not sent anywhere while the base URL is %j', async (baseUrl) => {
		const { error } = await suite.run(getMany, undefined, { credential: { baseUrl } });
		expect(error?.message).toMatch(
			/^The base URL in the credential (is empty|is not a URL|does not begin with)/,
		);
	});

	test('works below a sub-path too', async () => {
		const below = await startEmulator({ basePath: '/sign' });
		try {
			const credential = credentialFor(below, { baseUrl: `${below.url}/api/v2/` });
			const { error } = await runNode(credential, getMany);
			expect(error).toBeUndefined();
			expect(lines(below)).toEqual(['GET /envelope']);
		} finally {
			await below.close();
		}
	});
});

describe('the base URL', () => {
	const ELSEWHERE = "The base URL in the credential does not lead to Documenso's API";
	const MAY_BE_DONE = /may (have|all)|all the same|took effect|look in|look for|look at/i;

	const html = (status: number): Fault => ({
		status,
		headers: { 'content-type': 'text/html' },
		body: '<!DOCTYPE html><html><title>Not found</title></html>',
	});

	const changes: Record<string, IDataObject> = {
		'Document: Create': { ...createAndSend, operation: 'create' },
		'Document: Create and Send': createAndSend,
		'Document: Send': step('document.send', { documentId: ID }),
		'Document: Cancel': step('document.cancel', { documentId: ID }),
		'Template: Create Document': { ...fillFromRow, columns: mapped(tina) },
		'Recipient: Add': step('recipient.add', { envelopeId: ID }, { email: 'anna@example.com' }),
		'Folder: Create': step('folder.create', {}, { name: 'Deals' }),
	};
	const createFolder = changes['Folder: Create'] ?? {};

	const reads: Record<string, IDataObject> = {
		'Document: Get': step('document.get', { documentId: ID }),
		'Document: Get Many': step('document.getAll'),
	};

	const withFile = async () => [await itemWithPdf()];

	describe('A base URL that does not lead to Documenso', () => {
		// As if n8n had just started: where Documenso has answered before, the base URL is right.
		beforeEach(() => {
			services.clear();
		});

		test.each([...Object.entries(changes), ...Object.entries(reads)])(
			'%s says base URL first, and not that something may have been done',
			async (_, parameters) => {
				for (const status of [200, 403, 404]) {
					await suite.service.reset();
					services.clear();
					suite.service.fail({ ...html(status), times: 99 });
					const { error } = await suite.run(parameters, await withFile());
					expect(error).toMatchObject({ message: ELSEWHERE, httpCode: String(status) });
					expect(error?.description).toMatch(/^Check the base URL/);
					// A proxy may answer like this while Documenso creates the document.
					const isCreation =
						parameters.resource === 'document' || parameters.operation === 'createDocument';
					if (!isCreation) expect(error?.description).not.toMatch(MAY_BE_DONE);
				}
			},
		);

		test.each(Object.entries(changes).filter(([name]) => name.includes('Create')))(
			'%s can be tried again once the base URL is right',
			async (_, parameters) => {
				// The change, and a look whether Documenso is there.
				suite.service.fail({ ...html(404), times: 2 });
				const { error } = await suite.run(parameters, await withFile(), { maxTries: 3 });
				expect(error).toBeUndefined();
			},
		);

		test('a 404 without a page is none of Documenso’s either', async () => {
			suite.service.fail({ status: 404, body: '404 page not found\n', times: 99 });
			const { error } = await suite.run(createFolder);
			expect(error?.message).toBe(ELSEWHERE);
			expect(error?.description).not.toMatch(MAY_BE_DONE);
		});

		test('a redirect to another address says where to, and not that something may have been done', async () => {
			const headers = { location: 'https://sign.example.com/api/v2/folder/create' };
			suite.service.fail({ status: 308, headers, body: '' });
			const { error } = await suite.run(createFolder);
			expect(error?.message).toBe(`Documenso redirected the request to ${headers.location}`);
			expect(error?.description).toMatch(
				/^If that is your Documenso's address, enter it as the base URL/,
			);
			expect(error?.description).not.toMatch(MAY_BE_DONE);
		});

		test('the address of a page of Documenso’s is none of its API', async () => {
			const baseUrl = `${suite.service.url}/t/demo/documents`;
			const { error } = await suite.run(createFolder, undefined, { credential: { baseUrl } });
			expect(error?.message).toBe(ELSEWHERE);
			expect(error?.description).not.toMatch(MAY_BE_DONE);
		});

		test.each([
			['a page with which a proxy gives up', html(502)],
			['a page that came after a time-out', html(408)],
			['half an answer', { status: 200, body: '{"id":"folder_' }],
		])('%s still says that something may have been done', async (_, fault) => {
			suite.service.fail(fault);
			const { error } = await suite.run(createFolder);
			expect(error?.message).not.toBe(ELSEWHERE);
			expect(error?.description).toMatch(/may have done it nevertheless/);
		});

		test.each([
			['a page', html(403)],
			['a page with 200', html(200)],
			['a 404 without a body', { status: 404, body: '' }],
		])(
			'where %s answered for Documenso, nothing that is added is added twice',
			async (_, fault) => {
				const { id } = await suite.document();
				services.clear();
				suite.service.fail({
					match: 'POST /envelope/recipient/create-many',
					...fault,
					takesEffect: true,
				});
				const add = step('recipient.add', { envelopeId: id }, { email: 'a@example.com' });
				const { error } = await suite.run(add, undefined, { maxTries: 3 });
				expect(error?.message).toContain('An earlier try failed, and is not retried');
				expect(error?.message).not.toContain(ELSEWHERE);
				const { recipients = [] } = suite.service.store.envelopes.get(id) ?? {};
				expect(recipients.filter(({ email }) => email === add.email)).toHaveLength(1);
			},
		);

		test('whether Documenso is there is asked when the request has ended, also with one request at a time', async () => {
			suite.service.fail({ match: 'POST /folder/create', ...html(200) });
			const { error } = await suite.run({ ...createFolder, options: { maxInFlight: 1 } });
			expect(error?.description).toMatch(/may have done it nevertheless/);
			expect(lines(suite.service)).toEqual(['POST /folder/create', 'GET /envelope']);
		});

		test.each<[string, Fault]>([
			['too many requests', { status: 429, body: { error: 'Too many requests.' } }],
			['that this is not allowed', refusal('No', 403)],
		])('it is there, too, if it says %s', async (_, answer) => {
			suite.service.fail({ match: 'POST /folder/create', ...html(403), takesEffect: true });
			suite.service.fail({ match: 'GET /envelope', ...answer });
			const { error } = await suite.run(createFolder, undefined, { maxTries: 2 });
			expect(error?.message).toContain('An earlier try failed, and is not retried');
			expect(suite.service.store.folders.size).toBe(1);
		});

		test('whether it is there is asked once for all items, and another API is not taken for it', async () => {
			suite.service.fail({ match: 'POST /folder/create', ...html(404), times: 99 });
			suite.service.fail({ match: 'GET /envelope', status: 200, body: { ok: true }, times: 99 });
			const items = Array.from({ length: 10 }, () => ({ json: {} }));
			const made = await suite.run(createFolder, items, { onError: 'continueRegularOutput' });
			expect(made.items.map(({ json }) => json.error)).toEqual(Array(10).fill(ELSEWHERE));
			expect(suite.calls('GET /envelope')).toHaveLength(1);
		});

		test('a document is still looked for, and not made twice, where a page answered for Documenso', async () => {
			suite.service.fail({ match: 'POST /envelope/use', ...html(403), takesEffect: true });
			const { error } = await suite.run(changes['Template: Create Document'] ?? {});
			expect(error).toBeUndefined();
			expect(suite.service.store.documents).toHaveLength(1);
		});

		test('a file that a proxy finds too large is still called so', async () => {
			suite.service.fail({ match: 'POST /envelope/create', ...html(413) });
			const { error } = await suite.run(changes['Document: Create'] ?? {}, await withFile());
			expect(error?.description).toContain('larger than this Documenso accepts');
		});
	});

	test('a PDF with an owner password is refused, like every password and restriction', async () => {
		const appError = { code: 'INVALID_DOCUMENT_FILE', message: 'The document is encrypted' };
		const data = { code: appError.code, httpStatus: 400, path: 'envelope.create', appError };
		const body = { message: appError.message, code: 'INTERNAL_SERVER_ERROR', data };
		suite.service.fail({ match: 'POST /envelope/create', status: 400, body });
		const { error } = await suite.run(changes['Document: Create'] ?? {}, await withFile());
		expect(error?.message).toBe('The document is encrypted');
		expect(error?.description).toMatch(/no password or restriction/);
		expect(error?.description).toMatch(/owner password/);
	});
});
