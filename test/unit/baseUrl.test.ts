import { apiRoot, hasUser, siteRoot } from '../../nodes/shared/api/baseUrl';
import { HttpClient } from '../../nodes/shared/api/client';
import { errorOf } from '../support/errors';

const roots = [
	['https://app.documenso.com', 'https://app.documenso.com/api/v2'],
	['https://app.documenso.com/', 'https://app.documenso.com/api/v2'],
	['https://app.documenso.com/api/v2', 'https://app.documenso.com/api/v2'],
	['https://app.documenso.com/api/v2/', 'https://app.documenso.com/api/v2'],
	['https://app.documenso.com/api/v2-beta', 'https://app.documenso.com/api/v2'],
	[' http://localhost:3000// ', 'http://localhost:3000/api/v2'],
	['https://example.com/sign', 'https://example.com/sign/api/v2'],
	['https://example.com/sign/api/v2/', 'https://example.com/sign/api/v2'],
	['https://example.com/api/v2/sign', 'https://example.com/api/v2/sign/api/v2'],
] as const;

test.each(roots)('the base URL %j leads to %s', (typed, root) => {
	expect(apiRoot(typed)).toBe(root);
});

test('links for people leave the path of the API out', () => {
	expect(siteRoot('https://example.com/sign/api/v2/')).toBe('https://example.com/sign');
});

describe('a user or password in the base URL is refused', () => {
	const given = [
		'https://tina:s3cret@sign.example.com',
		' https://tina@sign.example.com/api/v2',
		'HTTP://:s3cret@localhost:3000',
		'https:////tina:s3cret@sign.example.com',
		'https:/\\tina:s3cret@sign.example.com',
		'https://sign.example.com@example.com',
		'https://tina:s3@cret@sign.example.com',
	];

	test.each(given)('as in %j', async (baseUrl) => {
		const context = { getCredentials: async () => await Promise.resolve({ baseUrl }) };
		const error = await errorOf(async () => await HttpClient.of(context as never));
		expect(error.message).toBe('The base URL in the credential has a user or password in it');
		expect(error.message + JSON.stringify(error)).not.toMatch(/tina|s3|cret/);
	});

	test.each([
		'tina:s3cret@sign.example.com',
		'https://tina:s3cret@sign example.com',
		'https://tina:s3cret',
		'https://tina:s3cret%40sign.example.com',
		'https://tina:s3cret＠sign.example.com',
		'https://sign.example.com?password=s3cret',
		'api_s3cret',
	])('nor shown, where it is no URL at all: %j', async (baseUrl) => {
		const context = { getCredentials: async () => await Promise.resolve({ baseUrl }) };
		const error = await errorOf(async () => await HttpClient.of(context as never));
		expect(error.message).toMatch(/^The base URL in the credential /);
		expect(error.message + JSON.stringify(error)).not.toMatch(/tina|s3cret/);
	});

	test.each(['https://example.com/@team', 'https://example.com/sign?x=@', 'https://example.com'])(
		'but an @ elsewhere is none: %j',
		(baseUrl) => {
			expect(hasUser(baseUrl)).toBe(false);
		},
	);
});
