import type { IHttpRequestOptions } from 'n8n-workflow';

import { DocumensoApi } from '../../credentials/DocumensoApi.credentials';
import { apiRoot } from '../../nodes/shared/api/baseUrl';
import { errorOf } from '../support/errors';

const APP = 'https://app.documenso.com';

/** The request as n8n sends it. Its shape differs: n8n's older helper takes `uri`, and URLs as objects. */
async function authenticated(request: object, baseUrl: unknown = APP) {
	const { authenticate } = new DocumensoApi();
	if (typeof authenticate !== 'function') throw new Error('There is an expression');
	const credential = { baseUrl, apiToken: 'api_of_a_team' } as never;
	return await authenticate(credential, request as IHttpRequestOptions);
}

async function refusalOf(request: object, baseUrl?: unknown) {
	return (await errorOf(async () => await authenticated(request, baseUrl))).message;
}

test('the credential puts the token into the request without an expression, which n8n cannot evaluate everywhere', async () => {
	const request = { url: APP, headers: { Accept: 'application/json' } };
	expect(await authenticated(request)).toMatchObject({
		...request,
		headers: { Accept: 'application/json', Authorization: 'api_of_a_team' },
	});
	expect(request.headers).toEqual({ Accept: 'application/json' });
});

test('a request with the token follows no redirect, with either of n8n’s helpers', async () => {
	const request = { url: APP, followRedirect: true, followAllRedirects: true };
	expect(await authenticated(request)).toMatchObject({
		disableFollowRedirect: true,
		followRedirect: false,
		followAllRedirects: false,
	});
});

describe('the token is sent to the origin of the base URL', () => {
	test.each([
		APP,
		`${APP}/`,
		`${APP}/api/v2`,
		` ${APP}/api/v2-beta/ `,
		'https://example.com/sign',
		'HTTPS://Sign.Example.COM/Sub/',
		'https://sign.example.com:443',
		'http://sign.example.com:80/sub',
		'http://localhost:3000//',
		'http://[::1]:3000',
		'https://[2001:DB8:0::1]/sign',
		'https://müller.example',
		'https://sign.example.com.',
	])('by the nodes, where it is %j', async (baseUrl) => {
		const url = `${apiRoot(baseUrl)}/envelope/envelope_a`;
		expect(await authenticated({ url }, baseUrl)).toMatchObject({
			url,
			headers: { Authorization: 'api_of_a_team' },
		});
	});

	test.each([
		['uri', { uri: `${APP}/api/v2/envelope` }],
		['another path', { url: `${APP}/anything?page=2` }],
		['a URL as an object', { uri: new URL(APP) }],
		['capitals, and the port of https', { uri: 'HTTPS://APP.Documenso.com:443/api/v2' }],
		['a path and a base', { url: '/api/v2/envelope', baseURL: APP }],
		['an empty path and a base', { url: '', baseURL: `${APP}/api/v2` }],
		['a base alone', { baseURL: APP }],
		['an address that needs no base', { url: `${APP}/api`, baseURL: APP }],
	])('with %s', async (_, request) => {
		expect((await authenticated(request)).headers?.Authorization).toBe('api_of_a_team');
	});
});

describe('the token is sent nowhere else', () => {
	test.each([
		['another host', { url: 'https://example.com/api/v2' }],
		['another host by uri', { uri: 'https://example.com/api/v2' }],
		['another host as an object', { uri: new URL('https://example.com') }],
		['another host by one of the two', { url: APP, uri: 'https://example.com' }],
		['another host by the other of the two', { url: 'https://example.com', uri: APP }],
		['a sub-domain', { url: 'https://eu.app.documenso.com' }],
		['the domain above', { url: 'https://documenso.com' }],
		['a host that begins like it', { url: `${APP}.example.com` }],
		['a host behind what looks like it', { url: `${APP}@example.com/` }],
		['another port', { url: `${APP}:8443` }],
		['plain http', { url: 'http://app.documenso.com' }],
		['another base', { url: '/api/v2', baseURL: 'https://example.com' }],
		['another base that is not needed', { url: APP, baseURL: 'https://example.com' }],
		['its base left behind', { url: 'https://example.com', baseURL: APP }],
		['its base left behind without a scheme', { url: '//example.com', baseURL: APP }],
		['its base left behind with backslashes', { url: '\\\\example.com', baseURL: APP }],
		['its base left behind after a blank', { url: ' https://example.com', baseURL: APP }],
		['a base that is no address', { url: 'example.com', baseURL: 'https:' }],
		['a path without a base', { url: '/api/v2/envelope' }],
		['no address', { url: 'http://' }],
		['an empty one', { url: '' }],
		['none at all', {}],
	])('%s', async (_, request) => {
		expect(await refusalOf(request)).toBe(
			`The Documenso credential sends its API token only to ${APP}, the base URL. Change the URL of the request, or use another credential.`,
		);
	});

	test.each([
		['through a proxy of the request', { proxy: 'http://127.0.0.1:8080' }],
		['to what a host behind the same address is called', { headers: { HOST: 'example.com' } }],
	])('%s', async (_, detour) => {
		expect(await refusalOf({ url: APP, ...detour })).toMatch(
			/straight to the base URL\. Remove the proxy and the header Host/,
		);
	});

	test.each([undefined, '', 'documenso', 'https://tina:s3cret@app.documenso.com'])(
		'where the base URL is %j',
		async (baseUrl) => {
			expect(await refusalOf({ url: APP }, baseUrl ?? null)).toMatch(
				/^The base URL in the credential /,
			);
		},
	);
});
