import { get, type IncomingMessage } from 'node:http';
import { DEMO_TEAM, DEMO_TOKEN, type Emulator, startEmulator } from '../../emulator';
import type { CapacityOptions } from '../../emulator/http/capacity';
import {
	type Answer,
	call,
	create as createContract,
	createDocument,
	envelopeOf,
	getting,
	posting,
	read,
	secondTeam,
	signatureField,
	signer,
	statusAndMessage,
	useEmulator,
} from './api';
import { useReceiver } from './receiver';

const receiver = useReceiver();
const service = useEmulator({ sealDelayMs: 0 });

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

	test.each([
		['envelope/item/envelope_item_x', 'envelope.item.download'],
		['envelope/envelope_none', 'envelope.certificate.downloadPdf', 'certificate/'],
		['envelope/envelope_none', 'envelope.auditLog.downloadPdf', 'audit-log/'],
		['document/1', 'document.download'],
	])('end without a slash: %s has no %s', async (of, path, what = '') => {
		const line = `GET /${of}/${what}download/`;
		const [known, unknown] = [
			await call(service, line),
			await call(service, line, undefined, null),
		];
		expect([known.status, known.body]).toEqual([
			500,
			{
				message: 'NOT_IMPLEMENTED',
				code: 'INTERNAL_SERVER_ERROR',
				data: { code: 'INTERNAL_SERVER_ERROR', httpStatus: 500, path },
			},
		]);
		expect(statusAndMessage(unknown)).toEqual([401, 'Invalid session or API token.']);
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

describe('an id in the path', () => {
	test('is taken as it was written, except for files', async () => {
		const { id, items } = envelopeOf(service, await createDocument(service));
		const written = (text = '') => text.replace('envelope_', 'envelope%5F');
		const answers = [
			`/envelope/${written(id)}`,
			`/envelope/${id.slice(0, -1)}%${id.slice(-1).charCodeAt(0).toString(16)}`,
			'/envelope/recipient/%31',
			`/envelope/item/${written(items[0]?.id)}/download`,
		].map(async (path) => await call(service, `GET ${path}`));
		expect((await Promise.all(answers)).map(statusAndMessage)).toEqual([
			[400, 'Invalid envelope ID'],
			[404, 'Envelope could not be found'],
			[400, 'Input validation failed'],
			[200, undefined],
		]);
		expect(service.calls.map(({ path }) => path)).toContain(`/envelope/${written(id)}`);
	});

	test.each(['/envelope//audit-log', '/envelope/item//download'])(
		'must not be empty: %s',
		async (path) => {
			expect(statusAndMessage(await call(service, `GET ${path}`))).toEqual([404, 'Not found']);
		},
	);
});

test('a download in capitals is only declared', async () => {
	for (const path of ['/envelope/item/x/Download', '/Envelope/item/x/download']) {
		expect(statusAndMessage(await call(service, `GET ${path}`))).toEqual([500, 'NOT_IMPLEMENTED']);
	}
});

test.each([
	['POST /embedding/create-presign-token', {}, 'No API token provided'],
	[
		'GET /envelope/attachment?envelopeId=envelope_ab',
		undefined,
		'You must be authenticated to access this resource',
	],
])('%s without a token is 401 in its own words', async (line, body, message) => {
	expect(statusAndMessage(await call(service, line, body, null))).toEqual([401, message]);
});

describe('a token of another team of the same user', () => {
	const post = posting(service, '/envelope');
	const get = getting(service);

	test('reach the documents of their own user, but neither single recipients nor files', async () => {
		const id = await createDocument(service);
		const itemId = envelopeOf(service, id).items[0]?.id;
		const statusOf = async (answer: Promise<Answer>) => (await answer).status;
		const reached = [
			get(`/envelope/${id}`, 'api_second_team'),
			get(`/envelope/${id}/audit-log`, 'api_second_team'),
			post('update', { envelopeId: id, data: { title: 'Mine' } }, 'api_second_team'),
			post('distribute', { envelopeId: id }, 'api_second_team'),
		];
		expect(await Promise.all(reached.map(statusOf))).toEqual([200, 200, 200, 200]);
		const outOfReach = [
			get('/envelope/recipient/1', 'api_second_team'),
			get('/envelope/field/1', 'api_second_team'),
			get(`/envelope/item/${itemId}/download`, 'api_second_team'),
			post('recipient/delete', { recipientId: 1 }, 'api_second_team'),
		];
		expect(await Promise.all(outOfReach.map(statusOf))).toEqual([404, 404, 404, 404]);
		expect((await get('/envelope', 'api_second_team')).body.data).toEqual([]);
	});

	test('tells its own webhooks what it does, and those of the document what signers do', async () => {
		service.webhooks.add({ url: `${receiver.url}/own`, teamId: DEMO_TEAM.id });
		service.webhooks.add({ url: `${receiver.url}/other`, teamId: secondTeam.id });
		const document = await createDocument(service);
		const template = await createDocument(service, { type: 'TEMPLATE' });
		await post('distribute', { envelopeId: document }, 'api_second_team');
		const { token } = envelopeOf(service, document).recipients[0] ?? {};
		await fetch(`${service.url}/sign/${token}`);
		await post('redistribute', { envelopeId: document, recipients: [1] }, 'api_second_team');
		await post('cancel', { envelopeId: document }, 'api_second_team');
		await post('delete', { envelopeId: document }, 'api_second_team');
		const retitled = { envelopeId: template, data: { title: 'Lease' } };
		await post('update', retitled, 'api_second_team');
		await post('delete', { envelopeId: template }, 'api_second_team');
		await service.settled();
		const eventsAt = (path: string) =>
			service.deliveries.filter(({ url }) => url.endsWith(path)).map(({ event }) => event);
		expect(eventsAt('/own')).toEqual([
			'DOCUMENT_CREATED',
			'TEMPLATE_CREATED',
			'DOCUMENT_OPENED',
			'DOCUMENT_REMINDER_SENT',
		]);
		expect(eventsAt('/other')).toEqual([
			'DOCUMENT_SENT',
			'DOCUMENT_CANCELLED',
			'DOCUMENT_CANCELLED',
			'TEMPLATE_UPDATED',
			'TEMPLATE_DELETED',
		]);
	});
});

describe('a service of few workers', () => {
	let service: Emulator;

	afterEach(async () => await service.close());

	/** Sends five calls at once, and tells after each answer which calls had been answered by then. */
	async function answersOf(capacity: CapacityOptions): Promise<string[][]> {
		service = await startEmulator({ capacity });
		const answers: string[][] = [];
		const send = async (): Promise<void> => {
			await call(service, 'GET /envelope');
			answers.push(service.calls.map(({ status }) => (status === undefined ? 'waits' : 'done')));
		};
		await Promise.all(Array.from({ length: 5 }, send));
		return answers;
	}

	test('a call waits for a free worker', async () => {
		const [first = []] = await answersOf({ workers: 1, workMs: 500 });
		expect(first.at(-1)).toBe('waits');
		expect(service.maxInFlight).toBe(5);
		expect(service.calls.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
	});

	test('no call is worked on while one that came before it waits', async () => {
		const answers = await answersOf({ workers: 2, workMs: 20 });
		// In the alphabet, too, what is done comes before what waits.
		expect(answers).toEqual(answers.map((answer) => [...answer].sort()));
	});

	test('a call over the rate limit is refused without a worker', async () => {
		service = await startEmulator({
			capacity: { workers: 1, workMs: 150 },
			rateLimit: { limit: 1, windowMs: 3_600_000 },
		});
		const [admitted, refused] = [call(service, 'GET /envelope'), call(service, 'GET /envelope')];
		const first = await Promise.race([admitted, refused]);
		expect(first.status).toBe(429);
		expect([(await admitted).status, (await refused).status].sort()).toEqual([200, 429]);
	});
});

describe('a token for embedding', () => {
	const service = useEmulator({ clock: () => now });
	let now = new Date('2026-11-21T03:00:00.000Z');

	beforeEach(() => {
		now = new Date('2026-11-21T03:00:00.000Z');
	});

	async function create(body: object = {}) {
		return (await call(service, 'POST /embedding/create-presign-token', body)).body;
	}

	async function isValid(token: unknown, scope?: string): Promise<unknown> {
		const body = { token, scope };
		const { body: answer } = await call(
			service,
			'POST /embedding/verify-presign-token',
			body,
			null,
		);
		return answer.success;
	}

	test('a presign token is valid for the time it says, to anybody', async () => {
		const { token, expiresAt, expiresIn } = await create({ expiresIn: 30 });
		expect(expiresIn).toBe(30 * 60);
		expect(expiresAt).toBe('2026-11-21T03:30:00.000Z');
		expect(await isValid(token)).toBe(true);
		now = new Date('2026-11-21T03:30:00.000Z');
		expect(await isValid(token)).toBe(false);
	});

	test('it lasts an hour when less than five minutes, or nothing, was asked for', async () => {
		for (const body of [{}, { expiresIn: 4 }, { expiresIn: 0 }]) {
			expect((await create(body)).expiresIn).toBe(3600);
		}
		expect(await create({ expiresIn: 10_081 })).toMatchObject({ code: 'BAD_REQUEST' });
		// Whole seconds of it, rounded down.
		expect((await create({ expiresIn: 10.01 })).expiresIn).toBe(600);
	});

	test('to verify an embed token needs no valid API token, and to create one reads it last', async () => {
		const answers = [
			await call(service, 'POST /embedding/verify-presign-token', { token: 'x' }, 'api_wrong'),
			await call(service, 'POST /embedding/verify-presign-token', {}, 'api_wrong'),
			await call(service, 'POST /embedding/create-presign-token', { expiresIn: 'x' }, 'api_wrong'),
			await call(service, 'POST /embedding/create-presign-token', {}, 'api_wrong'),
		];
		expect(answers.map(({ status }) => status)).toEqual([200, 400, 400, 401]);
		expect(answers[0]?.body).toEqual({ success: false });
	});

	test('blanks and padding behind it do not matter', async () => {
		const { token } = await create();
		const valid = [await isValid(`${String(token)} `), await isValid(`${String(token)}=`)];
		expect(valid).toEqual([true, true]);
	});

	test('what the service has not signed is not valid', async () => {
		const { token } = await create();
		const [header = '', , signature = ''] = String(token).split('.');
		const claims = Buffer.from(JSON.stringify({ aud: '1', sub: '1', iat: 1, exp: 9e9 }));
		const changed = `${header}.${claims.toString('base64url')}.${signature}`;
		for (const forged of ['x', 'a.b.c', changed, `${String(token)}.x`]) {
			expect(await isValid(forged)).toBe(false);
		}
	});
});

const post = posting(service, '');

test('a scope is compared only if the token and the request name one', async () => {
	const { body } = await post('embedding/create-presign-token', { scope: 'one' });
	const verify = async (scope?: string) =>
		(await post('embedding/verify-presign-token', { token: body.token, scope })).body.success;
	expect([await verify(), await verify('one'), await verify('other')]).toEqual([true, true, false]);
});

test('a type of a folder is text, and a limit of characters is called a value', async () => {
	const folder = await post('folder/create', { name: 'Contracts', type: 5 });
	expect(folder.body.issues).toMatchObject([
		{ code: 'invalid_type', message: "Expected 'DOCUMENT' | 'TEMPLATE', received number" },
	]);
	const fieldMeta = { type: 'text', characterLimit: 'ten' };
	const limited = { ...signatureField, type: 'TEXT', fieldMeta };
	const recipients = [{ ...signer, fields: [limited] }];
	const refused = await createContract(service, { recipients });
	expect(refused.body.issues).toMatchObject([{ message: 'Value must be a number' }]);
});

test('the deprecated switch for inserting fields is converted', async () => {
	await createDocument(service, { type: 'TEMPLATE' });
	const data = { useLegacyFieldInsertion: 'x' };
	const { status, body } = await post('template/update', { templateId: 1, data });
	expect([status, body.useLegacyFieldInsertion]).toEqual([200, true]);
});

test('a download checks its query before the token', async () => {
	const path = '/envelope/item/envelope_item_x/download?version=x';
	expect((await call(service, `GET ${path}`, undefined, 'api_wrong')).status).toBe(400);
});
