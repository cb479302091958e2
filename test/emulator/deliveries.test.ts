import { setTimeout as sleep } from 'node:timers/promises';
import { DEMO_TOKEN, type Emulator, startEmulator, type WebhookEvent } from '../../emulator';
import { WEBHOOK_EVENTS } from '../../emulator/webhooks/events';
import { call, createDocument, sendDocument, signer, useEmulator } from './api';
import { Receiver, useReceiver } from './receiver';

const START = new Date('2026-01-01T00:00:00Z');
let clock = START;
const receiver = useReceiver();
const service = useEmulator({ sealDelayMs: 5, webhookTimeoutMs: 1000, clock: () => clock });
beforeEach(() => {
	clock = START;
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

test('an endpoint gets only the events it wants', async () => {
	service.webhooks.clear();
	service.webhooks.add({ url: receiver.url, events: ['DOCUMENT_SENT'] });
	await sendDocument(service);
	await service.settled();
	expect(receiver.events).toEqual(['DOCUMENT_SENT']);
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
	const { id: envelopeId } = await sendDocument(service, { meta: { distributionMethod: 'NONE' } });
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
	await call(service, 'POST /envelope/recipient/create-many', { envelopeId: added, data: [late] });
	const recipients = [signer, { ...signer, email: 'second@example.com' }];
	const order = { signingOrder: 'SEQUENTIAL' };
	const { id: sequential } = await sendDocument(service, { recipients, meta: order });
	await service.settled();
	receiver.received.length = 0;
	for (const id of [draft, unmailed, added, sequential]) service.remind(id);
	await service.settled();
	expect(receiver.received.map(({ body }) => body.payload.envelopeId)).toEqual([added, sequential]);
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

describe('any event', () => {
	test('can be delivered about any document, as often as asked for', async () => {
		const id = await createDocument(service);
		await service.settled();
		receiver.received.length = 0;
		await service.deliver('DOCUMENT_COMPLETED', id, 3);
		expect(receiver.events).toEqual(Array(3).fill('DOCUMENT_COMPLETED'));
		const [first, second, third] = receiver.received.map(({ body }) => body.payload);
		expect([second, third]).toEqual([first, first]);
	});

	test('is about a document that exists', async () => {
		await expect(service.deliver('DOCUMENT_SENT', 'envelope_none')).rejects.toThrow('No envelope');
	});
});

describe('deliveries kept back', () => {
	test('go out in order once resumed; until then nothing waits for them', async () => {
		service.webhooks.pause();
		await sendDocument(service);
		await service.settled();
		expect(receiver.events).toEqual([]);
		await service.webhooks.resume();
		expect(receiver.events).toEqual(['DOCUMENT_CREATED', 'DOCUMENT_SENT']);
	});

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
		return [...receiver.received].sort((a, b) => dates(a) - dates(b)).map(({ body }) => body.event);
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
