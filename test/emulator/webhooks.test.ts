import { startEmulator, type Emulator } from '../../emulator';
import { WEBHOOK_EVENTS } from '../../emulator/webhooks/payload';
import { call, createDocument, sendDocument, signer } from './api';
import { Receiver } from './receiver';

let service: Emulator;
let receiver: Receiver;

beforeEach(async () => {
	receiver = await new Receiver().start();
	service = await startEmulator({ sealDelayMs: 5, webhookTimeoutMs: 200 });
	service.webhooks.add({ url: receiver.url, secret: 'whsec_test' });
});
afterEach(async () => {
	await service.close();
	await receiver.close();
});

test('a document tells its whole life in order', async () => {
	const { id, tokens } = await sendDocument(service);
	await fetch(`${service.url}/sign/${tokens[0]}`);
	await fetch(`${service.url}/sign/${tokens[0]}`);
	await service.sign(String(tokens[0]));
	await service.settled();
	expect(receiver.events).toEqual([
		'DOCUMENT_CREATED',
		'DOCUMENT_SENT',
		'DOCUMENT_OPENED',
		'DOCUMENT_RECIPIENT_COMPLETED',
		'DOCUMENT_SIGNED',
		'DOCUMENT_COMPLETED',
	]);
	const statuses = receiver.received.map(({ body }) => body.payload.status);
	expect(statuses.slice(-2)).toEqual(['PENDING', 'COMPLETED']);
	expect(receiver.received.every(({ body }) => body.payload.envelopeId === id)).toBe(true);
});

test('a delivery carries the secret in clear and the recipients twice', async () => {
	await createDocument(service, { meta: { timezone: 'Europe/Madrid' } });
	await service.settled();
	const [{ headers, body } = { headers: {}, body: undefined }] = receiver.received;
	expect(headers).toMatchObject({
		'content-type': 'application/json',
		'x-documenso-secret': 'whsec_test',
		'user-agent': 'node',
	});
	expect(Object.keys(body ?? {})).toEqual(['event', 'payload', 'createdAt', 'webhookEndpoint']);
	expect(body?.payload).toMatchObject({
		id: 1,
		templateId: null,
		documentMeta: { timezone: 'Etc/UTC', dateFormat: 'yyyy-MM-dd hh:mm a' },
		recipients: [{ documentId: 1, templateId: null, sendStatus: 'NOT_SENT' }],
	});
	expect(body?.payload.Recipient).toEqual(body?.payload.recipients);
	expect(body?.payload).not.toHaveProperty('fields');
});

test('a failing endpoint is tried four times, each with a date of its own', async () => {
	receiver.status = 500;
	await createDocument(service);
	await service.settled();
	expect(service.deliveries.map(({ attempt, status }) => [attempt, status])).toEqual([
		[1, 500],
		[2, 500],
		[3, 500],
		[4, 500],
	]);
	const [first, second] = receiver.received;
	expect(second?.body.payload).toEqual(first?.body.payload);
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

test('nothing is reminded when nothing is mailed', async () => {
	const { id: envelopeId } = await sendDocument(service, { meta: { distributionMethod: 'NONE' } });
	await call(service, 'POST /envelope/redistribute', { envelopeId, recipients: [1] });
	await service.settled();
	expect(receiver.events).toEqual(['DOCUMENT_CREATED', 'DOCUMENT_SENT']);
});

test('a rejection is told once sealed, with its status', async () => {
	const { tokens } = await sendDocument(service, { recipients: [signer] });
	await service.reject(String(tokens[0]), 'No');
	await service.settled();
	expect(receiver.events.at(-1)).toBe('DOCUMENT_REJECTED');
	expect(receiver.received.at(-1)?.body.payload).toMatchObject({
		status: 'REJECTED',
		recipients: [{ signingStatus: 'REJECTED', rejectionReason: 'No' }],
	});
});

test('a document in which nobody has to act is completed without being sent', async () => {
	await sendDocument(service, { recipients: [{ ...signer, fields: [], role: 'CC' }] });
	await service.settled();
	expect(receiver.events).toEqual(['DOCUMENT_CREATED', 'DOCUMENT_COMPLETED']);
});

test('a template tells that it was made, changed, used and deleted', async () => {
	const envelopeId = await createDocument(service, { type: 'TEMPLATE' });
	await call(service, 'POST /envelope/update', { envelopeId, data: { title: 'New' } });
	await call(service, 'POST /envelope/use', { payload: { envelopeId } });
	await call(service, 'POST /envelope/delete', { envelopeId });
	await service.settled();
	expect(receiver.events).toEqual([
		'TEMPLATE_CREATED',
		'TEMPLATE_UPDATED',
		'TEMPLATE_USED',
		'DOCUMENT_CREATED',
		'TEMPLATE_DELETED',
	]);
	expect(receiver.received[2]?.body.payload).toMatchObject({ source: 'TEMPLATE', templateId: 1 });
	expect(receiver.received[4]?.body.payload).toMatchObject({
		recipients: [{ documentId: null, templateId: 1 }],
	});
});

test('any of the 14 events can be forced', async () => {
	const id = await createDocument(service);
	await service.settled();
	receiver.received.length = 0;
	for (const event of WEBHOOK_EVENTS) await service.deliver(event, id);
	expect(receiver.events).toEqual([...WEBHOOK_EVENTS]);
	expect(WEBHOOK_EVENTS).toHaveLength(14);
});
