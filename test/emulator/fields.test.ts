import { startEmulator, type Emulator } from '../../emulator';
import { pdf } from '../support/pdf';
import { call, createDocument, form, sendDocument, signatureField, signer } from './api';

let service: Emulator;

beforeAll(async () => {
	service = await startEmulator({ sealDelayMs: 5 });
});
afterAll(async () => await service.close());
beforeEach(async () => await service.reset());

async function post(action: string, body: object) {
	return await call(service, `POST /envelope/field/${action}`, body);
}

async function createFields(envelopeId: string, ...data: object[]) {
	return await post('create-many', {
		envelopeId,
		data: data.map((field) => ({ type: 'NAME', recipientId: 1, ...field })),
	});
}

function envelopeOf(envelopeId: string) {
	const envelope = service.store.envelopes.get(envelopeId);
	if (!envelope) throw new Error(`No envelope ${envelopeId}`);
	return envelope;
}

describe('create-many by coordinates', () => {
	test('answers sizes as text, default settings, and the first item by default', async () => {
		const envelopeId = await createDocument(service);
		const { status, body } = await createFields(envelopeId, signatureField, {
			...signatureField,
			type: 'DATE',
		});
		expect(status).toBe(200);
		const place = { page: 1, positionX: '10', positionY: '20', width: '30', height: '5' };
		expect(body.data).toMatchObject([
			{ envelopeId, type: 'SIGNATURE', ...place, customText: '', inserted: false },
			{ type: 'DATE', fieldMeta: { type: 'date', fontSize: 12 }, documentId: 1, templateId: null },
		]);
		const [item] = envelopeOf(envelopeId).items;
		expect(body.data).toHaveProperty([0, 'envelopeItemId'], item?.id);
	});

	test('refuses an unknown recipient or item, and one who takes no fields', async () => {
		const envelopeId = await createDocument(service, {
			recipients: [signer, { ...signer, role: 'VIEWER', fields: [] }],
		});
		const answers = [
			await createFields(envelopeId, { ...signatureField, recipientId: 99 }),
			await createFields(envelopeId, { ...signatureField, envelopeItemId: 'envelope_item_x' }),
			await createFields(envelopeId, { ...signatureField, recipientId: 2 }),
		];
		expect(answers[0]?.body.message).toBe('Recipient 99 not found');
		for (const { status, body } of answers) {
			expect([status, (body.data as { code: string }).code]).toEqual([400, 'INVALID_REQUEST']);
		}
		expect(envelopeOf(envelopeId).fields).toHaveLength(1);
	});

	test('refuses who has signed', async () => {
		const recipients = [signer, { ...signer, email: 'two@example.com' }];
		const { id, tokens } = await sendDocument(service, { recipients });
		await service.sign(tokens[0] ?? '');
		expect((await createFields(id, signatureField)).status).toBe(400);
		expect((await createFields(id, { ...signatureField, recipientId: 2 })).status).toBe(200);
	});
});

describe('create-many by text', () => {
	async function upload(...texts: string[]): Promise<string> {
		const payload = { type: 'DOCUMENT', title: 'Texts', recipients: [{ ...signer, fields: [] }] };
		const uploads = [{ filename: 'a.pdf', content: await pdf(...texts) }];
		const { body } = await call(service, 'POST /envelope/create', form(payload, uploads));
		return String(body.id);
	}

	test('finds it once, or everywhere with matchAll', async () => {
		const envelopeId = await upload('Sign: [[SIG]]', 'And [[SIG]] here, (a+b)');
		const once = await createFields(envelopeId, { placeholder: '[[SIG]]' });
		expect(once.body.data).toMatchObject([{ page: 1 }]);
		const all = await createFields(envelopeId, { placeholder: '[[SIG]]', matchAll: true });
		expect(all.body.data).toMatchObject([{ page: 1 }, { page: 2 }]);
		const literal = await createFields(envelopeId, { placeholder: '(a+b)' });
		expect(literal.body.data).toMatchObject([{ page: 2 }]);
	});

	test('puts the field where the text is, by default in its size', async () => {
		const envelopeId = await upload('[[SIG]]');
		const { body } = await createFields(
			envelopeId,
			{ placeholder: '[[SIG]]' },
			{ placeholder: '[[SIG]]', width: 40, height: 8 },
		);
		const [given, sized] = body.data as Array<Record<string, string>>;
		// Helvetica of 12 points at x 60 on a page of 595 x 842.
		expect(Number(given?.positionX)).toBeCloseTo((60 / 595) * 100, 6);
		expect(Number(given?.height)).toBeCloseTo((12 / 842) * 100, 6);
		expect(sized).toMatchObject({ positionX: given?.positionX, width: '40', height: '8' });
	});

	test('covers the text in the file, which becomes another one', async () => {
		const envelopeId = await upload('[[SIG]]');
		const [item] = envelopeOf(envelopeId).items;
		const before = { ...item };
		await createFields(envelopeId, { placeholder: '[[SIG]]' });
		expect(item?.original.sha256).not.toBe(before.original?.sha256);
		expect(item?.documentDataId).not.toBe(before.documentDataId);
	});

	test('adds nothing when one text is missing', async () => {
		const envelopeId = await upload('[[SIG]]');
		const [item] = envelopeOf(envelopeId).items;
		const before = item?.original;
		const { status, body } = await createFields(
			envelopeId,
			{ placeholder: '[[SIG]]' },
			{ placeholder: '{{nope}}' },
		);
		expect([status, body.message]).toEqual([400, 'Placeholder "{{nope}}" not found in PDF']);
		expect(envelopeOf(envelopeId).fields).toEqual([]);
		expect(item?.original).toBe(before);
	});

	test('gives way to coordinates', async () => {
		const envelopeId = await upload('[[SIG]]');
		const { body } = await createFields(envelopeId, { ...signatureField, placeholder: '[[SIG]]' });
		expect(body.data).toMatchObject([{ positionX: '10' }]);
	});
});

describe('update-many', () => {
	test('wants the type, and resets the settings that are left out', async () => {
		const text = { ...signatureField, type: 'TEXT', fieldMeta: { type: 'text', label: 'City' } };
		const envelopeId = await createDocument(service, {
			recipients: [{ ...signer, fields: [text] }],
		});
		const untyped = await post('update-many', { envelopeId, data: [{ id: 1, width: 9 }] });
		expect(untyped.body.issues).toMatchObject([{ path: ['data', 0, 'type'] }]);
		await post('update-many', { envelopeId, data: [{ id: 1, type: 'TEXT' }] });
		expect(envelopeOf(envelopeId).fields[0]?.fieldMeta).toMatchObject({ label: '', fontSize: 12 });
	});
});
