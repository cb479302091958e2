import { get, type IncomingMessage } from 'node:http';
import { DEMO_TEAM, DEMO_TOKEN, DEMO_USER, startEmulator, type Emulator } from '../../emulator';
import { call, createDocument, read } from './api';

const expired = { token: 'api_expired', user: DEMO_USER, team: DEMO_TEAM, expired: true };
const known = { token: DEMO_TOKEN, user: DEMO_USER, team: DEMO_TEAM };

let service: Emulator;

beforeAll(async () => {
	service = await startEmulator({ tokens: [known, expired] });
});
afterAll(async () => await service.close());
beforeEach(async () => await service.reset());

describe('the token', () => {
	test('works with and without Bearer, but not with bearer', async () => {
		expect((await call(service, 'GET /envelope')).status).toBe(200);
		const bearer = await call(service, 'GET /envelope', undefined, `Bearer ${DEMO_TOKEN}`);
		expect(bearer.status).toBe(200);
		const lower = await call(service, 'GET /envelope', undefined, `bearer ${DEMO_TOKEN}`);
		expect(lower.status).toBe(401);
	});

	test('is refused when there are two', async () => {
		const { port } = new URL(service.url);
		const path = '/api/v2/envelope';
		const headers = ['host', 'localhost', 'authorization', DEMO_TOKEN, 'authorization', DEMO_TOKEN];
		const answer = await new Promise<IncomingMessage>((resolve) => {
			get({ port, path, headers }, resolve);
		});
		answer.resume();
		expect(answer.statusCode).toBe(401);
	});

	test('is asked for before the input is looked at', async () => {
		const { status } = await call(service, 'POST /envelope/update', {}, null);
		expect(status).toBe(401);
	});
});

describe('routes', () => {
	test('that only the local Documenso lacks are 501 and named', async () => {
		const { status, body } = await call(service, 'GET /openapi.json');
		expect(status).toBe(501);
		expect(body.message).toContain('GET /openapi.json');
	});

	test('ignore case and a slash at the end, and exist below /api/v2-beta', async () => {
		const headers = { authorization: DEMO_TOKEN };
		for (const path of ['/api/v2/envelope/', '/api/v2/Envelope', '/api/v2-beta/envelope']) {
			expect((await fetch(service.url + path, { headers })).status).toBe(200);
		}
	});

	test.each(['/API/v2/envelope', '/api/V2/envelope', '/api/v2/%65nvelope'])(
		'are not found under another spelling of their prefix or path: %s',
		async (path) => {
			const headers = { authorization: DEMO_TOKEN };
			const { status, body } = await read(await fetch(service.url + path, { headers }));
			expect(status).toBe(404);
			expect(body.data).not.toHaveProperty('path');
		},
	);

	test('of files answer HEAD with their headers, all others with 204', async () => {
		const id = await createDocument(service);
		const [item] = service.store.envelopes.get(id)?.items ?? [];
		const head = async (path: string, headers = { authorization: DEMO_TOKEN }) => {
			const answer = await fetch(`${service.url}/api/v2${path}`, { method: 'HEAD', headers });
			return [answer.status, answer.headers.get('content-disposition')];
		};
		const file = `/envelope/item/${item?.id}/download`;
		expect(await head(file)).toEqual([200, 'attachment; filename="contract_signed.pdf"']);
		expect(await head(file, { authorization: 'nope' })).toEqual([401, null]);
		expect(await head(`/envelope/${id}`, { authorization: 'nope' })).toEqual([204, null]);
	});

	test('live below a base path when there is one', async () => {
		const moved = await startEmulator({ basePath: '/sign-app' });
		const { status } = await call(moved, 'GET /envelope');
		const outside = await fetch(new URL('/api/v2/envelope', moved.url));
		await moved.close();
		expect(moved.url).toMatch(/\/sign-app$/);
		expect([status, outside.status]).toEqual([200, 404]);
	});
});

describe('input', () => {
	test('that does not parse is a PARSE_ERROR', async () => {
		for (const body of ['{nope', '']) {
			const answer = await call(service, 'POST /envelope/update', body);
			expect(answer.status).toBe(400);
			expect(answer.body).toMatchObject({ code: 'PARSE_ERROR', data: { path: 'envelope.update' } });
		}
	});

	test('as plain text or form values is never understood', async () => {
		const url = `${service.url}/api/v2/envelope/delete`;
		const send = async (type: string): Promise<number> => {
			const headers = { authorization: DEMO_TOKEN, 'content-type': type };
			return (await fetch(url, { method: 'POST', headers, body: 'envelopeId=x' })).status;
		};
		expect(await send('text/plain')).toBe(500);
		expect(await send('application/x-www-form-urlencoded')).toBe(400);
	});
});

describe('the rate limit', () => {
	test('is counted down in headers, and spent with Retry-After', async () => {
		const limited = await startEmulator({
			rateLimit: { limit: 2, windowMs: 60_000 },
			clock: () => new Date('2026-01-01T00:00:15Z'),
		});
		const allowed = [];
		for (const _ of [1, 2]) {
			const { status, headers } = await call(limited, 'GET /envelope');
			allowed.push([status, headers.get('x-ratelimit-remaining')]);
		}
		const { status, headers, body } = await call(limited, 'GET /envelope');
		await limited.close();
		expect(allowed).toEqual([
			[200, '1'],
			[200, '0'],
		]);
		expect(status).toBe(429);
		expect(headers.get('retry-after')).toBe('45');
		expect(headers.get('date')).toBe('Thu, 01 Jan 2026 00:00:15 GMT');
		expect(headers.get('x-ratelimit-reset')).toBe(String(Date.UTC(2026, 0, 1, 0, 1) / 1000));
		expect(body).toEqual({ error: 'Too many requests, please try again later.' });
	});
});

test('idle connections are closed after five seconds', async () => {
	const { headers } = await call(service, 'GET /envelope');
	expect(headers.get('keep-alive')).toBe('timeout=5');
});

test('every call is remembered with path, query, body and status', async () => {
	await call(service, 'GET /envelope?page=2');
	await call(service, 'POST /envelope/delete', { envelopeId: 'envelope_none' });
	expect(service.calls).toMatchObject([
		{ method: 'GET', path: '/envelope', query: { page: '2' }, status: 200 },
		{ path: '/envelope/delete', body: { envelopeId: 'envelope_none' }, status: 404 },
	]);
	await service.reset();
	expect(service.calls).toEqual([]);
});

test('an id is taken as it is, however it was written in the path', async () => {
	const response = await fetch(`${service.url}/api/v2/envelope/..%2Fme`, {
		headers: { authorization: DEMO_TOKEN },
	});
	const { status, body } = await read(response);
	expect(status).toBe(400);
	expect(body.message).toBe('Invalid envelope ID');
	expect(service.calls[0]?.path).toBe('/envelope/..%2Fme');
});
