import { setTimeout as sleep } from 'node:timers/promises';

import { DEMO_TOKEN, startEmulator, type Emulator, type WebhookEvent } from '../../emulator';
import { WEBHOOK_EVENTS } from '../../emulator/webhooks/events';
import { call, createDocument, sendDocument } from './api';
import { Receiver } from './receiver';

let service: Emulator;
let receiver: Receiver;

beforeEach(async () => {
	receiver = await new Receiver().start();
	service = await startEmulator({ sealDelayMs: 5, webhookTimeoutMs: 1000 });
	service.webhooks.add({ url: receiver.url, secret: 'whsec_test' });
});
afterEach(async () => {
	await service.close();
	await receiver.close();
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
