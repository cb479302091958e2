import { setTimeout as sleep } from 'node:timers/promises';
import {
	DEMO_TEAM,
	DEMO_TOKEN,
	DEMO_USER,
	type Emulator,
	startEmulator,
	type WebhookEvent,
} from '../../emulator';
import { WEBHOOK_EVENTS } from '../../emulator/webhooks/events';
import {
	type Answer,
	call,
	createDocument,
	pageAt,
	read,
	sendDocument,
	signer,
	submit,
	useEmulator,
} from './api';
import { Receiver, useReceiver } from './receiver';

const START = new Date('2026-01-01T00:00:00Z');
let clock = START;
const receiver = useReceiver();
const service = useEmulator({ sealDelayMs: 5, webhookTimeoutMs: 1000, clock: () => clock });
beforeEach(() => {
	clock = START;
});

describe('a webhook that gets all events', () => {
	beforeEach(() => {
		service.webhooks.add({ url: receiver.url, secret: 'whsec_test' });
	});

	test('a redirect is a failure, not a way', async () => {
		receiver.status = 302;
		receiver.headers = { location: '/elsewhere' };
		await createDocument(service);
		await service.settled();
		expect(service.deliveries.map(({ status }) => status)).toEqual([302, 302, 302, 302]);
	});

	test('an endpoint that cannot be reached or never answers counts as 0', async () => {
		const gone = await new Receiver().start();
		const { url } = gone;
		await gone.close();
		service.webhooks.clear();
		service.webhooks.add({ url });
		await createDocument(service);
		await service.settled();
		expect(service.deliveries.map(({ status }) => status)).toEqual([0, 0, 0, 0]);
	});

	test('a repeated distribute, a reminder and a deletion are events too', async () => {
		const { id: envelopeId } = await sendDocument(service);
		await call(service, 'POST /envelope/distribute', { envelopeId });
		await call(service, 'POST /envelope/redistribute', { envelopeId, recipients: [99] });
		service.expire(1);
		await call(service, 'POST /envelope/delete', { envelopeId });
		await service.settled();
		expect(receiver.events.slice(1)).toEqual([
			'DOCUMENT_SENT',
			'DOCUMENT_SENT',
			'DOCUMENT_REMINDER_SENT',
			'RECIPIENT_EXPIRED',
			'DOCUMENT_CANCELLED',
		]);
		expect(receiver.received.at(-1)?.body.payload.status).toBe('PENDING');
	});

	test('a manual reminder shows the document from before it', async () => {
		const { id: envelopeId } = await sendDocument(service);
		const before = service.store.envelopes.get(envelopeId)?.recipients[0]?.expiresAt;
		clock = new Date('2026-02-01T00:00:00Z');
		await call(service, 'POST /envelope/redistribute', { envelopeId, recipients: [1] });
		await service.settled();
		const { event, payload } = lastBody();
		expect(event).toBe('DOCUMENT_REMINDER_SENT');
		expect(payload).toMatchObject({
			updatedAt: START.toISOString(),
			recipients: [{ expiresAt: before?.toISOString() }],
		});
		expect(service.store.envelopes.get(envelopeId)?.recipients[0]?.expiresAt).not.toEqual(before);
	});

	test('a manual reminder without email is no event, but renews the deadline', async () => {
		const { id: envelopeId } = await sendDocument(service, {
			meta: { distributionMethod: 'NONE' },
		});
		await service.settled();
		const { length } = receiver.events;
		const before = service.store.envelopes.get(envelopeId)?.recipients[0]?.expiresAt;
		clock = new Date('2026-02-01T00:00:00Z');
		await call(service, 'POST /envelope/redistribute', { envelopeId, recipients: [1] });
		await service.settled();
		expect(receiver.events).toHaveLength(length);
		expect(service.store.envelopes.get(envelopeId)?.recipients[0]?.expiresAt).not.toEqual(before);
	});

	test('automatic reminders are one event for each recipient who has to act', async () => {
		const recipients = [
			signer,
			{ ...signer, email: 'second@example.com' },
			{ ...signer, email: 'late@example.com' },
			{ ...signer, email: 'cc@example.com', role: 'CC', fields: [] },
		];
		const { id } = await sendDocument(service, { recipients });
		service.expire(3);
		await service.settled();
		receiver.received.length = 0;
		service.remind(id);
		await service.settled();
		expect(receiver.events).toEqual(['DOCUMENT_REMINDER_SENT', 'DOCUMENT_REMINDER_SENT']);
		expect(lastBody().payload.status).toBe('PENDING');
	});

	test('nobody is reminded of a draft, without mail, before he was asked, or before his turn', async () => {
		const draft = await createDocument(service);
		const meta = { distributionMethod: 'NONE' };
		const { id: unmailed, tokens } = await sendDocument(service, { meta });
		// Whoever has seen the document counts as sent.
		await fetch(`${service.url}/sign/${tokens[0]}`);
		const { id: added } = await sendDocument(service);
		const late = { email: 'late@example.com', name: 'Late', role: 'VIEWER' };
		await call(service, 'POST /envelope/recipient/create-many', {
			envelopeId: added,
			data: [late],
		});
		const recipients = [signer, { ...signer, email: 'second@example.com' }];
		const order = { signingOrder: 'SEQUENTIAL' };
		const { id: sequential } = await sendDocument(service, { recipients, meta: order });
		await service.settled();
		receiver.received.length = 0;
		for (const id of [draft, unmailed, added, sequential]) service.remind(id);
		await service.settled();
		expect(receiver.received.map(({ body }) => body.payload.envelopeId)).toEqual([
			added,
			sequential,
		]);
	});

	test('each recipient who ran out of time is an event, the earlier one not knowing the later', async () => {
		const recipients = [signer, { ...signer, email: 'second@example.com' }];
		await sendDocument(service, { recipients });
		service.expire(1);
		service.expire(2);
		await service.settled();
		const notified = receiver.received
			.slice(-2)
			.map(({ body }) => body.payload.recipients as Array<{ expirationNotifiedAt: unknown }>)
			.map((all) => all.map(({ expirationNotifiedAt }) => expirationNotifiedAt !== null));
		expect(receiver.events.slice(-2)).toEqual(['RECIPIENT_EXPIRED', 'RECIPIENT_EXPIRED']);
		expect(notified).toEqual([
			[true, false],
			[true, true],
		]);
	});

	test('a cancellation has its date of completion, and the date of the change before it', async () => {
		const { id: envelopeId } = await sendDocument(service);
		clock = new Date('2026-02-01T00:00:00Z');
		await call(service, 'POST /envelope/cancel', { envelopeId });
		await service.settled();
		expect(lastBody()).toMatchObject({
			event: 'DOCUMENT_CANCELLED',
			payload: {
				status: 'CANCELLED',
				completedAt: clock.toISOString(),
				updatedAt: START.toISOString(),
			},
		});
		const { body } = await call(service, `GET /envelope/${envelopeId}`);
		expect(body.updatedAt).toBe(clock.toISOString());
	});

	test('every deletion is a cancellation with the last status, a repeated one too', async () => {
		const draft = await createDocument(service);
		const { id: finished, tokens } = await sendDocument(service);
		await service.sign(String(tokens[0]));
		await service.settled();
		receiver.received.length = 0;
		for (const envelopeId of [draft, finished, finished]) {
			await call(service, 'POST /envelope/delete', { envelopeId });
		}
		await service.settled();
		expect(receiver.events).toEqual(Array(3).fill('DOCUMENT_CANCELLED'));
		const [first, second, third] = receiver.received.map(({ body }) => body.payload);
		expect(first).toMatchObject({ status: 'DRAFT', deletedAt: null });
		expect(second).toMatchObject({ status: 'COMPLETED', deletedAt: START.toISOString() });
		expect(third).toEqual(second);
	});

	describe('a direct link', () => {
		const visitor = { email: 'visitor@example.com', name: 'Vera Visitor' };

		async function link(recipients: readonly object[]): Promise<string> {
			await createDocument(service, { type: 'TEMPLATE', recipients });
			const input = { templateId: 1, directRecipientId: 1 };
			const { body } = await call(service, 'POST /template/direct/create', input);
			await service.settled();
			receiver.received.length = 0;
			return String(body.token);
		}

		test('that only the visitor signs tells of his signature and the end', async () => {
			const id = await service.useDirectLink(await link([signer]), visitor);
			await service.settled();
			expect(receiver.events).toEqual(['DOCUMENT_SIGNED', 'DOCUMENT_COMPLETED']);
			expect(receiver.received[0]?.body.payload).toMatchObject({
				envelopeId: id,
				status: 'PENDING',
				source: 'TEMPLATE_DIRECT_LINK',
				templateId: 1,
				recipients: [{ ...visitor, signingStatus: 'SIGNED' }],
			});
		});

		test('leaves the visitor NOT_OPENED, but its log begins with them, without a name', async () => {
			const id = await service.useDirectLink(await link([signer]), visitor);
			const document = service.store.envelopes.get(id);
			expect(document?.recipients[0]?.readStatus).toBe('NOT_OPENED');
			const { email } = visitor;
			const by = { email, name: null, userId: null };
			expect(document?.auditLog.slice(0, 4)).toMatchObject([
				{ type: 'DOCUMENT_CREATED', ...by, data: { source: { directRecipientEmail: email } } },
				{ type: 'DOCUMENT_OPENED', ...by },
				{ type: 'DOCUMENT_FIELD_INSERTED', ...by, data: { recipientName: visitor.name } },
				{ type: 'DOCUMENT_RECIPIENT_COMPLETED', ...by },
			]);
		});

		test('that others sign too is sent to them', async () => {
			const second = { ...signer, email: 'second@example.com' };
			const token = await link([signer, second]);
			const id = await service.useDirectLink(token, visitor);
			await service.settled();
			expect(receiver.events).toEqual(['DOCUMENT_SENT', 'DOCUMENT_SIGNED']);
			expect(lastBody().payload.recipients).toMatchObject([
				{ signingStatus: 'SIGNED' },
				{ email: second.email, signingStatus: 'NOT_SIGNED', sendStatus: 'SENT' },
			]);
			await service.sign(String(service.store.envelopes.get(id)?.recipients[1]?.token));
			await service.settled();
			expect(receiver.events.at(-1)).toBe('DOCUMENT_COMPLETED');
		});

		test('that is switched off or unknown leads nowhere', async () => {
			const token = await link([signer]);
			await call(service, 'POST /template/direct/toggle', { templateId: 1, enabled: false });
			for (const bad of [token, 'nope']) {
				await expect(service.useDirectLink(bad, visitor)).rejects.toThrow('not found');
			}
			expect(service.store.documents).toEqual([]);
		});
	});

	test('a document in which nobody has to act is completed without being sent', async () => {
		await sendDocument(service, { recipients: [{ ...signer, fields: [], role: 'CC' }] });
		await service.settled();
		expect(receiver.events).toEqual(['DOCUMENT_CREATED', 'DOCUMENT_COMPLETED']);
	});

	function lastBody(): Receiver['received'][number]['body'] {
		const last = receiver.received.at(-1);
		if (!last) throw new Error('Nothing was delivered');
		return last.body;
	}

	test('any of the 14 events can be forced, and all have the same keys', async () => {
		const id = await createDocument(service);
		await service.settled();
		receiver.received.length = 0;
		for (const event of WEBHOOK_EVENTS) await service.deliver(event, id);
		expect(receiver.events).toEqual([...WEBHOOK_EVENTS]);
		expect(WEBHOOK_EVENTS).toHaveLength(14);
		const keys = receiver.received.map(({ body }) => Object.keys(body.payload).sort().join(' '));
		expect([...new Set(keys)]).toEqual([
			'Recipient authOptions completedAt createdAt deletedAt documentMeta envelopeId externalId ' +
				'formValues id recipients source status teamId templateId title updatedAt userId visibility',
		]);
		const { recipients, documentMeta } = lastBody().payload;
		expect(Object.keys((recipients as object[])[0] ?? {}).sort()).toEqual([
			'authOptions',
			'documentDeletedAt',
			'documentId',
			'email',
			'envelopeId',
			'expirationNotifiedAt',
			'expiresAt',
			'id',
			'name',
			'readStatus',
			'rejectionReason',
			'role',
			'sendStatus',
			'signedAt',
			'signingOrder',
			'signingStatus',
			'templateId',
			'token',
		]);
		expect(documentMeta).not.toHaveProperty('emailId');
	});

	test('the events of a call are delivered although its client died while it waited', async () => {
		const envelopeId = await createDocument(service);
		await service.settled();
		receiver.received.length = 0;
		service.fail({ match: 'POST /envelope/distribute', delayMs: 300 });
		const call = fetch(`${service.url}/api/v2/envelope/distribute`, {
			method: 'POST',
			headers: { authorization: DEMO_TOKEN, 'content-type': 'application/json' },
			body: JSON.stringify({ envelopeId }),
			signal: AbortSignal.timeout(100),
		});
		await expect(call).rejects.toThrow();
		while (service.store.envelopes.get(envelopeId)?.status !== 'PENDING') await sleep(20);
		await service.settled();
		expect(receiver.events).toContain('DOCUMENT_SENT');
	});

	describe('a test from the dashboard', () => {
		async function sample(event: WebhookEvent): Promise<Record<string, unknown>> {
			receiver.received.length = 0;
			await service.webhooks.test(event);
			return receiver.received[0]?.body.payload ?? {};
		}

		test('reaches every enabled webhook with the event, with its own secret', async () => {
			service.webhooks.add({ url: `${receiver.url}?b`, events: ['DOCUMENT_SENT'], secret: 'b' });
			service.webhooks.add({ url: `${receiver.url}?c`, events: ['DOCUMENT_SIGNED'] });
			service.webhooks.add({ url: `${receiver.url}?d`, enabled: false });
			await service.webhooks.test('DOCUMENT_SENT');
			const secrets = receiver.received.map(({ headers }) => headers['x-documenso-secret']);
			expect(secrets.sort()).toEqual(['b', 'whsec_test']);
		});

		test('is tried four times like any other', async () => {
			receiver.status = 500;
			await service.webhooks.test('DOCUMENT_SENT');
			expect(service.deliveries.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4]);
		});

		test('is about a document that no call can find', async () => {
			const payload = await sample('DOCUMENT_SENT');
			expect(payload).toMatchObject({
				envelopeId: 'env_123',
				teamId: null,
				templateId: null,
				status: 'PENDING',
				documentDataId: expect.any(String) as string,
				documentMeta: { password: null, timezone: 'UTC', dateFormat: 'MM/DD/YYYY' },
				recipients: [{ token: 'SIGNING_TOKEN' }],
				Recipient: [{ token: 'SIGNING_TOKEN' }],
			});
			const { status, body } = await call(service, `GET /envelope/${String(payload.envelopeId)}`);
			expect([status, body.message]).toEqual([400, 'Invalid envelope ID']);
		});

		test('has the keys of a real event and two more', async () => {
			const made = await sample('DOCUMENT_CREATED');
			receiver.received.length = 0;
			await createDocument(service);
			await service.settled();
			const real = receiver.received[0]?.body.payload ?? {};
			const metaKeys = (payload: object & { documentMeta?: unknown }): string[] =>
				Object.keys(payload.documentMeta as object);
			const keys = (of: string[]): string[] => [...of].sort();
			expect(keys(Object.keys(made))).toEqual(keys([...Object.keys(real), 'documentDataId']));
			expect(keys(metaKeys(made))).toEqual(keys([...metaKeys(real), 'password']));
		});

		test('shows statuses that the real event would not have', async () => {
			const statuses = [];
			for (const event of WEBHOOK_EVENTS) statuses.push([event, (await sample(event)).status]);
			expect(Object.fromEntries(statuses)).toMatchObject({
				DOCUMENT_SIGNED: 'COMPLETED',
				DOCUMENT_COMPLETED: 'COMPLETED',
				DOCUMENT_REJECTED: 'PENDING',
				DOCUMENT_CANCELLED: 'PENDING',
			});
			expect(statuses).toHaveLength(14);
		});

		test('about a template counts it as number 10, and its recipients as a document’s', async () => {
			expect(await sample('TEMPLATE_CREATED')).toMatchObject({
				templateId: 10,
				recipients: [{ documentId: 10 }],
			});
		});

		test('names its recipients twice, and not always in the same state', async () => {
			const signed = await sample('DOCUMENT_SIGNED');
			expect(signed.Recipient).not.toEqual(signed.recipients);
			const sent = await sample('DOCUMENT_SENT');
			expect(sent.Recipient).toEqual(sent.recipients);
		});
	});

	describe('a resend', () => {
		test('has the same event and payload, and another date', async () => {
			const clock = ['2026-01-01T00:00:00.000Z'];
			const dated = await startEmulator({ clock: () => new Date(clock.at(-1) ?? '') });
			dated.webhooks.add({ url: receiver.url, secret: 'whsec_dated' });
			await sendDocument(dated);
			await dated.settled();
			clock.push('2026-01-02T00:00:00.000Z');
			await dated.webhooks.resend(({ event }) => event === 'DOCUMENT_CREATED');
			await dated.close();
			const [first, , again] = receiver.received;
			expect(again?.body).toEqual({ ...first?.body, createdAt: '2026-01-02T00:00:00.000Z' });
			expect(again?.headers['x-documenso-secret']).toBe('whsec_dated');
		});

		test('of an index counts from either end, and tells what the document was like then', async () => {
			await sendDocument(service);
			await service.settled();
			await service.webhooks.resend(0);
			await service.webhooks.resend(-2);
			expect(receiver.events.slice(2)).toEqual(['DOCUMENT_CREATED', 'DOCUMENT_SENT']);
			expect(receiver.received[2]?.body.payload.status).toBe('DRAFT');
		});

		test('is a job like the first one: four attempts when they fail', async () => {
			await createDocument(service);
			await service.settled();
			receiver.status = 500;
			await service.webhooks.resend(0);
			expect(service.deliveries.map(({ attempt }) => attempt)).toEqual([1, 1, 2, 3, 4]);
		});

		test('of what was never delivered, or whose webhook is gone, is impossible', async () => {
			await expect(service.webhooks.resend(0)).rejects.toThrow('no such delivery');
			await createDocument(service);
			await service.settled();
			service.webhooks.clear();
			await expect(service.webhooks.resend(0)).rejects.toThrow('no such delivery');
		});
	});

	describe('deliveries kept back', () => {
		test('are forgotten by a reset, also those behind one that was under way', async () => {
			receiver.delayMs = 100;
			service.webhooks.pause();
			await sendDocument(service);
			await service.settled();
			const arrival = receiver.next();
			void service.webhooks.resume();
			await arrival;
			await service.reset();
			service.webhooks.add({ url: receiver.url });
			await new Promise((resolve) => setTimeout(resolve, 150));
			expect(receiver.events).toEqual(['DOCUMENT_CREATED']);
		});
	});

	describe('concurrent deliveries', () => {
		/** Its clock ticks with every look at it, so that the dates tell what was sent first. */
		async function startShuffling(deliverySeed?: number): Promise<Emulator> {
			let tick = 0;
			const clock = (): Date => new Date((tick += 1));
			const options = { deliveries: 'concurrent', deliverySeed, clock, sealDelayMs: 1 } as const;
			const shuffling = await startEmulator(options);
			shuffling.webhooks.add({ url: receiver.url });
			return shuffling;
		}

		function sent(): string[] {
			const dates = ({ body }: (typeof receiver.received)[number]): number =>
				+new Date(body.createdAt);
			return [...receiver.received]
				.sort((a, b) => dates(a) - dates(b))
				.map(({ body }) => body.event);
		}

		async function order(seed: number): Promise<string[]> {
			const shuffling = await startShuffling(seed);
			const id = await createDocument(shuffling);
			await shuffling.settled();
			receiver.received.length = 0;
			await Promise.all(WEBHOOK_EVENTS.map(async (event) => await shuffling.deliver(event, id)));
			await shuffling.close();
			return sent();
		}

		test('come in an order that their seed decides', async () => {
			const [first, again, other] = [await order(7), await order(7), await order(8)];
			expect([...first].sort()).toEqual([...WEBHOOK_EVENTS].sort());
			expect(first).not.toEqual([...WEBHOOK_EVENTS]);
			expect(again).toEqual(first);
			expect(other).not.toEqual(first);
		});

		test('do not wait for each other', async () => {
			receiver.delayMs = 100;
			const id = await createDocument(service);
			await service.settled();
			await service.deliver('DOCUMENT_SENT', id, 3);
			expect(receiver.mostAtOnce).toBe(1);
			const parallel = await startEmulator({ deliveries: 'concurrent' });
			parallel.webhooks.add({ url: receiver.url });
			await parallel.deliver('DOCUMENT_SENT', await createDocument(parallel), 3);
			await parallel.close();
			expect(receiver.mostAtOnce).toBeGreaterThanOrEqual(3);
		});

		test('are retried one attempt after the other', async () => {
			const parallel = await startEmulator({ deliveries: 'concurrent' });
			parallel.webhooks.add({ url: receiver.url });
			receiver.status = 500;
			await createDocument(parallel);
			await parallel.settled();
			const attempts = parallel.deliveries.map(({ attempt }) => attempt);
			await parallel.close();
			expect(attempts).toEqual([1, 2, 3, 4]);
			expect(receiver.mostAtOnce).toBe(1);
		});

		test('let the end of a document come before its middle', async () => {
			const shuffling = await startShuffling();
			shuffling.webhooks.pause();
			const { tokens } = await sendDocument(shuffling);
			await shuffling.sign(String(tokens[0]));
			await shuffling.settled();
			await shuffling.webhooks.resume();
			await shuffling.close();
			expect(sent()).toHaveLength(5);
			expect(sent().at(-1)).not.toBe('DOCUMENT_COMPLETED');
		});

		test('begin the same sequence again after a reset', async () => {
			const shuffling = await startShuffling();
			const orders = [];
			for (const _ of [1, 2]) {
				await shuffling.reset();
				receiver.received.length = 0;
				shuffling.webhooks.add({ url: receiver.url });
				const id = await createDocument(shuffling);
				await Promise.all(WEBHOOK_EVENTS.map(async (event) => await shuffling.deliver(event, id)));
				orders.push(sent());
			}
			await shuffling.close();
			expect(orders[1]).toEqual(orders[0]);
		});
	});
});

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
		await subscribe('DOCUMENT_CREATED', 'api_second_team');
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
		expect((await zapier('unsubscribe', { webhookId }, 'api_second_team')).status).toBe(500);
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
