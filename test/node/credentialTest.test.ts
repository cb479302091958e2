import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { DocumensoApi } from '../../credentials/DocumensoApi.credentials';
import { DEMO_TOKEN } from '../../emulator';
import { NODE_TYPE, POLLING_TYPE, testCredential, TRIGGER_TYPE } from '../support/n8n';
import { credentialFor } from '../support/service';
import { useService } from '../support/suite';

const suite = useService({ seed: 'demo' });

/** Another program at Documenso's address. */
let other: Server;
let answer: (response: ServerResponse) => void;
beforeAll(async () => {
	other = createServer((_, response) => answer(response));
	await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
	other.closeAllConnections();
	other.close();
});

const urlOfOther = () => `http://127.0.0.1:${(other.address() as AddressInfo).port}`;

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
		await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
		const { port } = closed.address() as AddressInfo;
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
