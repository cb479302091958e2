import { startEmulator, type Emulator } from '../../emulator';
import { call, createDocument, sendDocument, signer } from './api';

const cc = { email: 'cc@example.com', name: 'Carl Copy', role: 'CC', accessAuth: ['ACCOUNT'] };

let service: Emulator;

beforeAll(async () => {
	service = await startEmulator({ sealDelayMs: 5 });
});
afterAll(async () => await service.close());
beforeEach(async () => await service.reset());

async function duplicate(envelopeId: string, options: object = {}) {
	const { body } = await call(service, 'POST /envelope/duplicate', { envelopeId, ...options });
	return (await call(service, `GET /envelope/${String(body.id)}`)).body;
}

test('a copy is a draft of the original file with nobody asked yet', async () => {
	const { id, tokens } = await sendDocument(service, {
		recipients: [signer, cc],
		meta: { subject: 'Hello' },
		externalId: 'row-1',
		attachments: [{ label: 'Policy', data: 'https://example.com' }],
	});
	await service.sign(tokens[0] ?? '');
	await service.settled();
	const copy = await duplicate(id);
	const waiting = { signingStatus: 'NOT_SIGNED', sendStatus: 'NOT_SENT', authOptions: null };
	expect(copy).toMatchObject({
		title: 'Contract (copy)',
		status: 'DRAFT',
		externalId: null,
		documentMeta: { subject: 'Hello' },
		recipients: [
			{ email: signer.email, ...waiting },
			{ email: cc.email, role: 'CC', ...waiting },
		],
		fields: [{ type: 'SIGNATURE', inserted: false, customText: '' }],
	});
	const [original, copied] = [id, String(copy.id)].map((key) => service.store.envelopes.get(key));
	expect(copied?.items[0]?.signed).toBe(original?.items[0]?.original);
	expect(copied?.fields[0]?.envelopeItemId).toBe(copied?.items[0]?.id);
	expect(copied?.attachments).toEqual([]);
	expect(copied?.documentMeta.id).not.toBe(original?.documentMeta.id);
});

test('recipients and fields can stay behind; fields never come alone', async () => {
	const id = await createDocument(service);
	const bare = await duplicate(id, { includeRecipients: false });
	expect(bare).toMatchObject({ recipients: [], fields: [] });
	const unfielded = await duplicate(id, { includeFields: false });
	expect(unfielded).toMatchObject({ recipients: [{ email: signer.email }], fields: [] });
});

test('a document announces its copy, a template does not', async () => {
	const document = await createDocument(service);
	const template = await createDocument(service, { type: 'TEMPLATE' });
	service.webhooks.add({ url: 'http://127.0.0.1:9/' });
	const { id } = await duplicate(document);
	const copied = await duplicate(template);
	expect(copied).toMatchObject({ type: 'TEMPLATE', secondaryId: 'template_2' });
	await service.settled();
	const firsts = service.deliveries.filter(({ attempt }) => attempt === 1);
	const events = firsts.map(({ event, body }) => [event, body.payload.envelopeId]);
	expect(events).toEqual([['DOCUMENT_CREATED', id]]);
});
