import { DEMO_TEAM, DEMO_TOKEN, DEMO_USER, startEmulator } from '../../emulator';
import { WEBHOOK_EVENTS } from '../../emulator/webhooks/events';
import {
	type Answer,
	call,
	createDocument,
	read,
	sendDocument,
	useEmulator,
	submit,
	pageAt,
} from './api';
import { useReceiver } from './receiver';

const otherTeam = { id: 2, url: 'other', name: 'Other Team' };
const tokens = [
	{ token: DEMO_TOKEN, user: DEMO_USER, team: DEMO_TEAM },
	{ token: 'api_member', user: DEMO_USER, team: DEMO_TEAM, role: 'MEMBER' as const },
	{ token: 'api_other', user: DEMO_USER, team: otherTeam },
	{ token: 'api_expired', user: DEMO_USER, team: DEMO_TEAM, expired: true },
];

const receiver = useReceiver();
const service = useEmulator({ tokens });

async function zapier(
	action: string,
	body?: unknown,
	token: string | null = DEMO_TOKEN,
	{ method = 'POST', target = service } = {},
): Promise<Answer> {
	const response = await fetch(`${target.url}/api/v1/zapier/${action}`, {
		method,
		headers: token === null ? {} : { authorization: token },
		body: body === undefined ? null : JSON.stringify(body),
	});
	return await read(response);
}

async function subscribe(eventTrigger = 'DOCUMENT_CREATED', token = DEMO_TOKEN): Promise<Answer> {
	return await zapier('subscribe', { webhookUrl: receiver.url, eventTrigger }, token);
}

describe('subscribing', () => {
	test('answers the whole webhook, which has one event and never a secret', async () => {
		const { status, body, headers } = await subscribe();
		expect(status).toBe(200);
		expect(body).toEqual({
			id: expect.stringMatching(/^c[a-z0-9]{24}$/) as string,
			webhookUrl: receiver.url,
			eventTriggers: ['DOCUMENT_CREATED'],
			secret: null,
			enabled: true,
			createdAt: expect.any(String) as string,
			updatedAt: body.createdAt,
			userId: DEMO_USER.id,
			teamId: DEMO_TEAM.id,
		});
		expect(headers.get('content-type')).toBe('application/json');
	});

	test('brings that event only, with an empty secret', async () => {
		await subscribe('DOCUMENT_CANCELLED');
		const envelopeId = await createDocument(service);
		await call(service, 'POST /envelope/delete', { envelopeId });
		await service.settled();
		expect(receiver.events).toEqual(['DOCUMENT_CANCELLED']);
		expect(receiver.received[0]?.headers['x-documenso-secret']).toBe('');
	});

	test('twice delivers twice', async () => {
		const ids = [(await subscribe()).body.id, (await subscribe()).body.id];
		await createDocument(service);
		await service.settled();
		expect(new Set(ids).size).toBe(2);
		expect(receiver.events).toEqual(['DOCUMENT_CREATED', 'DOCUMENT_CREATED']);
	});

	test('is about the documents of the own team', async () => {
		await subscribe('DOCUMENT_CREATED', 'api_other');
		await createDocument(service);
		await service.settled();
		expect(receiver.events).toEqual([]);
	});

	test('works for any of the 14 events, with any method, Bearer or not', async () => {
		for (const event of WEBHOOK_EVENTS) expect((await subscribe(event)).status).toBe(200);
		const body = { webhookUrl: receiver.url, eventTrigger: 'DOCUMENT_SENT' };
		for (const method of ['PUT', 'PATCH', 'DELETE']) {
			const { status } = await zapier('subscribe', body, `Bearer ${DEMO_TOKEN}`, { method });
			expect(status).toBe(200);
		}
	});

	test.each([[null], ['api_wrong'], ['api_expired'], ['api_member']])(
		'is refused with 401 to %s',
		async (token) => {
			const body = { webhookUrl: receiver.url, eventTrigger: 'DOCUMENT_SENT' };
			const answer = await zapier('subscribe', body, token);
			expect(answer.status).toBe(401);
			const denied = 'You do not have permission to manage webhooks for this team';
			const message = token === 'api_member' ? denied : (expect.any(String) as string);
			expect(answer.body).toEqual({ message });
			expect(service.webhooks.list()).toEqual([]);
		},
	);

	test.each([
		['an unknown event', { webhookUrl: 'https://example.com', eventTrigger: 'DOCUMENT_LOST' }],
		['an event in lower case', { webhookUrl: 'https://a.example', eventTrigger: 'document.sent' }],
		['no URL', { eventTrigger: 'DOCUMENT_SENT' }],
		['nothing', undefined],
	])('to %s is 500 without a reason', async (_, body) => {
		const answer = await zapier('subscribe', body);
		expect(answer.status).toBe(500);
		expect(answer.body).toEqual({ message: 'Internal Server Error' });
	});
});

describe('unsubscribing', () => {
	test('answers the deleted webhook and ends its deliveries', async () => {
		const { body } = await subscribe();
		const answer = await zapier('unsubscribe', { webhookId: body.id });
		expect([answer.status, answer.body]).toEqual([200, body]);
		await createDocument(service);
		await service.settled();
		expect(receiver.events).toEqual([]);
	});

	test('is 500 for an id that is unknown, deleted, of another team, or not the member’s to delete', async () => {
		const webhookId = (await subscribe()).body.id;
		expect((await zapier('unsubscribe', { webhookId: 'cnone' })).status).toBe(500);
		expect((await zapier('unsubscribe', { webhookId }, 'api_other')).status).toBe(500);
		expect((await zapier('unsubscribe', { webhookId }, 'api_member')).status).toBe(500);
		expect(service.webhooks.list()).toMatchObject([{ id: webhookId }]);
		await zapier('unsubscribe', { webhookId });
		const { status, body } = await zapier('unsubscribe', { webhookId });
		expect([status, body]).toEqual([500, { message: 'Internal Server Error' }]);
	});

	test('without a good token is 401', async () => {
		const webhookId = (await subscribe()).body.id;
		expect((await zapier('unsubscribe', { webhookId }, 'api_wrong')).status).toBe(401);
		expect((await zapier('unsubscribe', { webhookId }, null)).status).toBe(401);
	});
});

test('a sample event is made of the newest document, once there is a subscription', async () => {
	await createDocument(service, { title: 'Old' });
	await createDocument(service, { title: 'New' });
	expect(await zapier('list-documents', {})).toMatchObject({ status: 200, body: [] });
	await subscribe('DOCUMENT_SENT');
	const { body } = await zapier('list-documents', undefined, DEMO_TOKEN, { method: 'GET' });
	expect(body).toMatchObject([
		{
			event: 'DOCUMENT_SENT',
			webhookEndpoint: receiver.url,
			payload: { id: 2, title: 'New', status: 'DRAFT', Recipient: [{ documentId: 2 }] },
		},
	]);
	expect(JSON.stringify(body)).not.toContain('envelope_item');
	expect((await zapier('list-documents', {}, 'api_wrong')).status).toBe(401);
});

describe('a private address', () => {
	test('is refused on demand, even before the token is looked at', async () => {
		const strict = await startEmulator({ refusePrivateUrls: true });
		const ask = async (webhookUrl: string): Promise<number> => {
			const body = { webhookUrl, eventTrigger: 'DOCUMENT_SENT' };
			return (await zapier('subscribe', body, 'api_wrong', { target: strict })).status;
		};
		const private_ = [
			'http://localhost:5678/hook',
			'http://127.1/hook',
			'http://10.1.2.3/hook',
			'http://172.20.0.2/hook',
			'http://192.168.1.1/hook',
			'http://169.254.169.254/',
			'http://[::1]/hook',
			'http://[fd00::1]/hook',
			'http://[::ffff:10.0.0.1]/hook',
		];
		const statuses = await Promise.all(private_.map(ask));
		const others = await Promise.all(['https://example.com', 'http://172.32.0.1', '?'].map(ask));
		await strict.close();
		expect(statuses).toEqual(private_.map(() => 400));
		expect(others).toEqual([401, 401, 401]);
	});

	test('that was entered elsewhere is then not delivered to', async () => {
		const strict = await startEmulator({ refusePrivateUrls: true });
		strict.webhooks.add({ url: receiver.url });
		await createDocument(strict);
		await strict.settled();
		const statuses = strict.deliveries.map(({ status }) => status);
		await strict.close();
		expect(statuses).toEqual([0, 0, 0, 0]);
		expect(receiver.received).toEqual([]);
	});
});

describe('API v1', () => {
	test('has a separate rate limit', async () => {
		const rateLimit = { limit: 1, windowMs: 3_600_000 };
		const limited = await startEmulator({ rateLimit });
		expect((await zapier('list-documents', {}, DEMO_TOKEN, { target: limited })).status).toBe(200);
		expect((await call(limited, 'GET /envelope')).status).toBe(200);
		const { status, headers } = await zapier('list-documents', {}, DEMO_TOKEN, {
			target: limited,
		});
		await limited.close();
		expect(status).toBe(429);
		expect(headers.has('retry-after')).toBe(true);
	});

	test('is recorded with its version, and faults can hit it', async () => {
		service.fail({ match: 'POST /api/v1/zapier/subscribe', status: 503 });
		const body = { webhookUrl: receiver.url, eventTrigger: 'DOCUMENT_SENT' };
		expect((await subscribe('DOCUMENT_SENT')).status).toBe(503);
		expect((await subscribe('DOCUMENT_SENT')).status).toBe(200);
		expect(service.calls).toMatchObject([
			{ method: 'POST', path: '/api/v1/zapier/subscribe', body, status: 503 },
			{ method: 'POST', path: '/api/v1/zapier/subscribe', body, status: 200 },
		]);
	});

	test('lies below the base path, and of the rest of it nothing is there', async () => {
		const moved = await startEmulator({ basePath: '/sign-app' });
		const headers = { authorization: DEMO_TOKEN };
		const list = await fetch(`${moved.url}/api/v1/zapier/list-documents/`, { headers });
		const { path } = moved.calls[0] ?? {};
		const rest = await fetch(`${moved.url}/api/v1/documents`, { headers });
		await moved.close();
		expect([list.status, rest.status]).toEqual([200, 501]);
		expect(path).toBe('/api/v1/zapier/list-documents/');
	});
});

describe('the page of webhooks', () => {
	const path = '/t/demo/settings/webhooks';
	const chosen: Array<[string, string]> = [
		['events', 'DOCUMENT_SENT'],
		['events', 'DOCUMENT_COMPLETED'],
	];

	async function register(url: string, secret = ''): Promise<string> {
		const { status, location } = await submit(service, path, [
			['url', url],
			['secret', secret],
			...chosen,
		]);
		expect([status, location]).toEqual([303, path]);
		return await pageAt(service, path);
	}

	test('is linked from the list of documents', async () => {
		expect(await pageAt(service, '/')).toContain(`href="${service.url}${path}"`);
		expect(await pageAt(service, path)).toContain('No webhooks yet.');
	});

	test('registers a webhook, which gets the chosen events with its secret', async () => {
		const page = await register(receiver.url, 'from the form');
		expect(page).toContain(receiver.url);
		expect(page).toContain('document.sent, document.completed');
		// Nor is the secret shown again.
		expect(page).not.toContain('from the form');

		await sendDocument(service);
		await service.settled();
		expect(receiver.received.map(({ body }) => body.event)).toEqual(['DOCUMENT_SENT']);
		expect(receiver.received[0]?.headers['x-documenso-secret']).toBe('from the form');
	});

	test('deletes the webhook whose button was clicked, and no other', async () => {
		await register('http://127.0.0.1:9/first');
		const page = await register('http://127.0.0.1:9/second');
		const [action = ''] = /(?<=action=")[^"]*\/delete(?=")/.exec(page) ?? [];
		expect(await submit(service, action, {})).toMatchObject({ status: 303 });
		expect(service.webhooks.list().map(({ url }) => url)).toEqual(['http://127.0.0.1:9/second']);
		expect(await submit(service, action, {})).toMatchObject({ status: 404 });
	});

	test.each<[string, Array<[string, string]>, string]>([
		['no URL', [...chosen], 'Enter the whole URL'],
		['a URL that is no web address', [['url', 'javascript:alert(1)'], ...chosen], 'Enter a URL'],
		['no event', [['url', 'http://127.0.0.1:9/']], 'Choose at least one event'],
		[
			'an unknown event',
			[
				['url', 'http://127.0.0.1:9/'],
				['events', 'NONE'],
			],
			'NONE',
		],
	])('refuses %s, with the reason', async (_what, fields, reason) => {
		const { status, page } = await submit(service, path, fields);
		expect(status).toBe(400);
		expect(page).toContain(reason);
		expect(service.webhooks.list()).toEqual([]);
	});

	test('keeps what was entered in a refused form, as text', async () => {
		const { page } = await submit(service, path, [
			['url', '"><script>alert(1)</script>'],
			['secret', '"><img src=x>'],
			['events', 'DOCUMENT_SENT'],
		]);
		expect(page).toContain('value="&quot;&gt;&lt;script&gt;');
		expect(page).toContain('value="&quot;&gt;&lt;img src=x&gt;"');
		expect(page).toMatch(/value="DOCUMENT_SENT"\s+checked/);
		expect(page).not.toContain('<script>');
		expect(page).not.toContain('<img');
	});

	test('shows registered URLs as text, and any name of a team', async () => {
		service.webhooks.add({ url: 'http://127.0.0.1:9/"><img src=x>' });
		const page = await pageAt(service, '/t/%22%3E%3Cimg%3E/settings/webhooks');
		expect(page).toContain('all events');
		expect(page).not.toContain('<img');
	});
});
