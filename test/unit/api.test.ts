import type { IHttpRequestOptions } from 'n8n-workflow';
import { DocumensoApi } from '../../credentials/DocumensoApi.credentials';
import { apiRoot, hasUser, siteRoot } from '../../nodes/shared/api/baseUrl';
import { HttpClient } from '../../nodes/shared/api/client';
import { mapConcurrently } from '../../nodes/shared/api/concurrency';
import { fileNameOf } from '../../nodes/shared/api/fileName';
import { maskOf } from '../../nodes/shared/api/mask';
import { path } from '../../nodes/shared/api/path';
import { getFrom, kindOf, post } from '../../nodes/shared/api/request';
import { pauseBeforeRetry, retryAfterSeconds } from '../../nodes/shared/api/retry';
import { stemOf } from '../../nodes/shared/envelope/fileNames';
import { errorOf } from '../support/errors';

describe('the base URL', () => {
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
		expect(apiRoot(siteRoot(typed))).toBe(root);
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
});

describe('the credential', () => {
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
			const url = `${apiRoot(siteRoot(baseUrl))}/envelope/envelope_a`;
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
});

describe('a path', () => {
	test('an id stays one segment of the path, whatever it contains', () => {
		expect(path`/envelope/${'../me?x=1#y'}/audit-log`).toBe(
			'/envelope/..%2Fme%3Fx%3D1%23y/audit-log',
		);
	});

	test.each(['', '.', '..', '\ud800'])('%j is no ID: it would be another path, or none', (id) => {
		expect(() => path`/envelope/${id}/audit-log`).toThrow(`${JSON.stringify(id)} is not an ID`);
	});

	test.each(['...', '%2e%2e', ' ..', '..;'])('%j stays where it is put', (id) => {
		const { pathname } = new URL(`https://example.com${path`/envelope/${id}/audit-log`}`);
		expect(pathname.split('/').map(decodeURIComponent)).toEqual(['', 'envelope', id, 'audit-log']);
	});

	test('numbers and several values are put in their places', () => {
		expect(path`/a/${1}/b/${'c d'}`).toBe('/a/1/b/c%20d');
	});
});

describe('a retry', () => {
	const first = { number: 1, waited: 0, outcome: 'refused' } as const;

	describe('after a 429', () => {
		test('any method waits for as long as the service says', () => {
			const attempt = { ...first, status: 429, retryAfter: 7 };
			expect(pauseBeforeRetry({ ...attempt, isRead: false })).toBe(7000);
			expect(pauseBeforeRetry({ ...attempt, isRead: true })).toBe(7000);
		});

		test.each([
			[0, [500, 1000, 2000, 4000]],
			[1, [1000, 1000, 2000, 4000]],
			[7, [7000, 7000, 7000, 7000]],
		])('the pause grows when the service asks for %i s again and again', (retryAfter, pauses) => {
			const attempt = { ...first, status: 429, retryAfter, isRead: false };
			const asked = [1, 2, 3, 4].map((number) => pauseBeforeRetry({ ...attempt, number }));
			expect(asked).toEqual(pauses);
		});

		test('of something else than Documenso, no change is sent again', () => {
			const attempt = { ...first, status: 429, retryAfter: 7, isRead: false };
			expect(pauseBeforeRetry({ ...attempt, outcome: 'unknown' })).toBeUndefined();
		});

		test('waits that add up to more than five minutes are left to the user', () => {
			const attempt = { ...first, number: 2, status: 429, isRead: true, waited: 200_000 };
			expect(pauseBeforeRetry({ ...attempt, retryAfter: 100 })).toBe(100_000);
			expect(pauseBeforeRetry({ ...attempt, retryAfter: 101 })).toBeUndefined();
		});
	});

	describe.each([502, 503, 504, undefined])('after %s', (status) => {
		test('a read is sent again, a little later each time', () => {
			expect(pauseBeforeRetry({ ...first, status, isRead: true })).toBe(500);
			expect(pauseBeforeRetry({ ...first, number: 3, status, isRead: true })).toBe(2000);
		});

		test('a change is not sent again, because it may have taken effect', () => {
			expect(pauseBeforeRetry({ ...first, status, isRead: false })).toBeUndefined();
		});
	});

	test.each([400, 401, 404, 500])('a %s is final', (status) => {
		expect(pauseBeforeRetry({ ...first, status, isRead: true })).toBeUndefined();
	});

	test.each([
		['12', 12],
		['0', 0],
		['-3', 0],
		['Thu, 01 Jan 2026 00:00:30 GMT', 30],
		['Wed, 31 Dec 2025 23:59:00 GMT', 0],
		['soon', undefined],
		['', undefined],
		[undefined, undefined],
	])('Retry-After %j means %j seconds', (header, seconds) => {
		expect(retryAfterSeconds(header, Date.parse('2026-01-01T00:00:00Z'))).toBe(seconds);
	});
});

describe('work at the same time', () => {
	const turn = async () => await new Promise((resolve) => setImmediate(resolve));

	test('results keep the order of the items, whichever ends first', async () => {
		const results = await mapConcurrently(
			[3, 1, 2],
			() => 3,
			async (turns) => {
				for (let passed = 0; passed < turns; passed++) await turn();
				return turns * 10;
			},
		);
		expect(results).toEqual([30, 10, 20]);
	});

	test('no more than the limit are under way at once', async () => {
		let underWay = 0;
		let most = 0;
		await mapConcurrently(
			[...Array(30).keys()],
			() => 4,
			async () => {
				most = Math.max(most, ++underWay);
				await turn();
				underWay--;
			},
		);
		expect(most).toBe(4);
	});

	test('after a failure nothing more is started, and what is under way ends first', async () => {
		const started: number[] = [];
		const ended: number[] = [];
		const error = await errorOf(
			async () =>
				await mapConcurrently(
					[0, 1, 2, 3, 4],
					() => 2,
					async (item) => {
						started.push(item);
						if (item === 0) throw new Error('item 0 fails');
						await turn();
						await turn();
						ended.push(item);
					},
				),
		);
		expect(error.message).toBe('item 0 fails');
		expect(started).toEqual([0, 1]);
		expect(ended).toEqual([1]);
	});

	test('no items need no work', async () => {
		const none = mapConcurrently(
			[],
			() => 4,
			async () => await Promise.reject(new Error()),
		);
		expect(await none).toEqual([]);
	});

	test('when the limit has grown, the end of one item lets several begin', async () => {
		let limit = 1;
		let underWay = 0;
		const seen: number[] = [];
		await mapConcurrently(
			Array(12).keys(),
			() => limit,
			async () => {
				seen.push(++underWay);
				await turn();
				underWay--;
				limit = 3;
			},
		);
		expect(Math.max(...seen)).toBe(3);
		expect(seen[0]).toBe(1);
	});

	test('items are asked for only when their turn comes', async () => {
		let asked = 0;
		const endless = function* () {
			for (;;) yield ++asked;
		};
		const error = await errorOf(
			async () =>
				await mapConcurrently(
					endless(),
					() => 2,
					async (item) => {
						await turn();
						if (item === 5) throw new Error('enough');
					},
				),
		);
		expect(error.message).toBe('enough');
		expect(asked).toBeLessThan(8);
	});
});

describe('the token in messages', () => {
	const html = (text: string) =>
		text
			.replaceAll('&', '&amp;')
			.replaceAll('<', '&lt;')
			.replaceAll('>', '&gt;')
			.replaceAll('"', '&quot;')
			.replaceAll("'", '&#39;');

	const twice = (encode: (text: string) => string) => (text: string) => encode(encode(text));
	const units = (text: string) => Array.from(text, (one) => one.split('')).flat();

	const base64 = (before: string, encoding: BufferEncoding) => (text: string) =>
		Buffer.from(`${before}${text} and more`).toString(encoding);

	const encodings: Record<string, (text: string) => string> = {
		'as it is': (text) => text,
		'in JSON': JSON.stringify,
		'in JSON that is in JSON': twice(JSON.stringify),
		'in JSON, each letter as a number': (text) =>
			units(text)
				.map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
				.join(''),
		'in HTML': html,
		'in HTML that is shown as HTML': twice(html),
		'in HTML, each letter as a number': (text) =>
			Array.from(text, (one) => `&#x${(one.codePointAt(0) ?? 0).toString(16)};`).join(''),
		'in JSON that is in HTML': (text) => html(JSON.stringify(text)),
		'in a URL': encodeURIComponent,
		'in a URL that is in a URL': twice(encodeURIComponent),
		'in JSON that is in a URL': (text) => encodeURIComponent(JSON.stringify(text)),
		'in Base64': base64('', 'base64'),
		'in Base64, behind a letter': base64('a', 'base64'),
		'in Base64, behind two letters': base64('ab', 'base64'),
		'in Base64, behind a word': base64('Bearer ', 'base64url'),
		'in Base64 that is in a URL': (text) => encodeURIComponent(base64('', 'base64')(text)),
	};

	const tokens = ['api_liveannaone00001', 'api_"q\\u<é>&/+ \'x😀==', '~~~???>>>api_ÿÿÿ'];

	const cases = Object.keys(encodings).flatMap((name) =>
		tokens.map((token) => [name, token] as const),
	);

	/** What somebody could still decode of a token that was masked. */
	test.each(cases)('a token is masked %s: %s', (name, token) => {
		const encoded = encodings[name]?.(token) ?? '';
		const masked = maskOf(`Bearer ${token}`)(`You sent ${encoded}, twice: ${encoded}`);
		expect(masked).toMatch(/^You sent .{0,20}\*\*\*.{0,20}, twice: .{0,20}\*\*\*.{0,20}$/s);
	});

	test('what is too short for a token of Documenso is not masked, because words contain it', () => {
		expect(maskOf('e')('The envelope is too large')).toBe('The envelope is too large');
		expect(maskOf('envelop')('The envelope is too large')).toBe('The envelope is too large');
		expect(maskOf('')('The envelope is too large')).toBe('The envelope is too large');
	});

	test('other text stays as it is', () => {
		const text = 'api_liveannaone00002 \\u0061 %61 &amp; YXBpX2xpdmU=';
		expect(maskOf('api_liveannaone00001')(text)).toBe(text);
	});
});

describe('the name of a file', () => {
	test.each([
		['invoice\u202Efdp.exe', 'invoicefdp.exe'],
		['\u2066a\u2069\u200F\u200E\u061Cb', 'ab'],
		['a\r\nContent-Type: text/html\r\n\r\nb', 'aContent-Type: text/htmlb'],
		['a\0\u001B[31m\u007F\u0085\u2028\u2029b', 'a[31mb'],
		['half \uD83C a pair', 'half  a pair'],
	])('a file’s name loses characters that show it as another: %j', (given, name) => {
		expect(fileNameOf(given)).toBe(name);
	});

	test.each([
		'Mietvertrag Müller.pdf',
		'עברית.pdf',
		'契約.pdf',
		'👩\u200D👩\u200D👧.pdf',
		'می\u200Cخواهم.pdf',
	])('names in any script stay as they are: %s', (name) => {
		expect(fileNameOf(name)).toBe(name);
	});

	test.each([
		['../Lease\u202Efdp\n.pdf', '_Leasefdp'],
		['Lease.pdf\u200F', 'Lease'],
		['Lease.docx ', 'Lease'],
		['a:b*c?"d"<e>|f', 'a_b_c__d__e__f'],
		['con', '_con'],
		['Aux .tar', '_Aux .tar'],
		['com¹.lease', '_com¹.lease'],
		['Console', 'Console'],
		['Lease v1.2 …', 'Lease v1.2 …'],
		['Lease . ', 'Lease'],
		['.env', 'env'],
		['Mu\u0308ller', 'Müller'],
		['\u0000', 'document'],
		['👩'.repeat(40), '👩'.repeat(21)],
		[`a${'👩'.repeat(40)}`, `a${'👩'.repeat(21)}`],
	])(
		'what is downloaded is named after the title, as every file system takes it: %j',
		(title, stem) => {
			expect(stemOf(title)).toBe(stem);
		},
	);
});

describe('the kind of a request', () => {
	test.each([
		['/envelope/envelope_abc', '/envelope/envelope_xyz'],
		['/envelope/envelope_abc/audit-log', '/envelope/envelope_xyz/audit-log'],
		['/envelope/item/envelope_item_abc/download', '/envelope/item/envelope_item_xyz/download'],
		['/envelope/recipient/7', '/envelope/recipient/8'],
		['/template/12', '/template/13'],
	])('requests to one endpoint are compared with one another: %s and %s', (one, other) => {
		expect(kindOf(getFrom(one))).toBe(kindOf(getFrom(other)));
	});

	test('an ID of a megabyte costs no more than its length', () => {
		const id = 'x'.repeat(1_000_000);
		expect(kindOf(getFrom(`/envelope/${id}`))).toBe(`GET /envelope/${id}`);
		expect(kindOf(getFrom(`/envelope/${id}7`))).toBe('GET /envelope/*');
	});

	test('requests to different endpoints, or of different methods, are not', () => {
		const kinds = [
			getFrom('/envelope/envelope_abc'),
			getFrom('/envelope/envelope_abc/audit-log'),
			getFrom('/envelope'),
			post('/envelope/use', {}),
			getFrom('/envelope/use'),
		].map(kindOf);
		expect(new Set(kinds).size).toBe(kinds.length);
	});
});
