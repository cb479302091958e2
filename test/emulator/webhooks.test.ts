import { startEmulator, type Emulator } from '../../emulator';
import { WEBHOOK_EVENTS } from '../../emulator/webhooks/events';
import { call, createDocument, sendDocument, signer } from './api';
import { Receiver } from './receiver';

const START = new Date('2026-01-01T00:00:00Z');

let service: Emulator;
let receiver: Receiver;
let clock: Date;

beforeEach(async () => {
	receiver = await new Receiver().start();
	clock = START;
	service = await startEmulator({ sealDelayMs: 5, webhookTimeoutMs: 1000, clock: () => clock });
	service.webhooks.add({ url: receiver.url, secret: 'whsec_test' });
});
afterEach(async () => {
	await service.close();
	await receiver.close();
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

	test('leaves the visitor NOT_OPENED, but its log begins with them', async () => {
		const id = await service.useDirectLink(await link([signer]), visitor);
		const document = service.store.envelopes.get(id);
		expect(document?.recipients[0]?.readStatus).toBe('NOT_OPENED');
		const { email } = visitor;
		expect(document?.auditLog.slice(0, 2)).toMatchObject([
			{ type: 'DOCUMENT_CREATED', email, data: { source: { directRecipientEmail: email } } },
			{ type: 'DOCUMENT_OPENED', email, userId: null },
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

test('an event of any kind has the same keys', async () => {
	const id = await createDocument(service);
	for (const event of WEBHOOK_EVENTS) await service.deliver(event, id);
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

test('any of the 14 events can be forced', async () => {
	const id = await createDocument(service);
	await service.settled();
	receiver.received.length = 0;
	for (const event of WEBHOOK_EVENTS) await service.deliver(event, id);
	expect(receiver.events).toEqual([...WEBHOOK_EVENTS]);
	expect(WEBHOOK_EVENTS).toHaveLength(14);
});

function lastBody(): Receiver['received'][number]['body'] {
	const last = receiver.received.at(-1);
	if (!last) throw new Error('Nothing was delivered');
	return last.body;
}
