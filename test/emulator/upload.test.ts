import { createHash } from 'node:crypto';
import { PDFDocument } from '@cantoo/pdf-lib';
import { startEmulator, type Emulator } from '../../emulator';
import { pdf } from '../support/pdf';
import { call, createDocument, form, signatureField, signer } from './api';

let service: Emulator;
const payload = { type: 'DOCUMENT', title: 'Contract' };

beforeAll(async () => {
	service = await startEmulator({ maxFileBytes: 200_000 });
});
afterAll(async () => await service.close());
beforeEach(async () => await service.reset());

async function create(given: unknown, ...uploads: Parameters<typeof form>[1]) {
	return await call(service, 'POST /envelope/create', form(given, uploads));
}

test('a document keeps the bytes, the name and the order of its files', async () => {
	const [first, second] = [await pdf('one'), await pdf('two')];
	const { status, body } = await create(
		payload,
		{ filename: 'a.pdf', content: first },
		{ filename: '2026/契約.pdf', content: second, name: 'files[]' },
	);
	expect(status).toBe(200);
	const { body: envelope } = await call(service, `GET /envelope/${String(body.id)}`);
	expect(envelope.envelopeItems).toMatchObject([
		{ title: 'a.pdf', order: 1 },
		{ title: '2026/契約.pdf', order: 2 },
	]);
	expect(service.calls[0]?.body).toMatchObject({
		payload,
		files: [
			{ filename: 'a.pdf', type: 'application/pdf', bytes: first.length },
			{ name: 'files[]', sha256: createHash('sha256').update(second).digest('hex') },
		],
	});
});

test('JSON is taken instead of a form when there is no file', async () => {
	const { status, body } = await call(service, 'POST /envelope/create', { payload });
	expect(status).toBe(200);
	expect(service.store.envelopes.get(String(body.id))?.items).toEqual([]);
});

test('a field needs a file: without one, or with a wrong identifier, it is 404', async () => {
	const none = await create({ ...payload, recipients: [signer] });
	expect(none.status).toBe(404);
	expect(none.body.message).toBe('Document data not found');
	const fields = [{ ...signatureField, identifier: 'other.pdf' }];
	const wrong = await create(
		{ ...payload, recipients: [{ ...signer, fields }] },
		{ filename: 'a.pdf', content: await pdf() },
	);
	expect(wrong.status).toBe(404);
});

describe('a file is refused', () => {
	test('by the type of its part, whatever its bytes', async () => {
		const type = 'application/octet-stream';
		const { status, body } = await create(payload, {
			filename: 'a.pdf',
			content: await pdf(),
			type,
		});
		expect(status).toBe(400);
		expect(body).toMatchObject({
			message: 'Unsupported file type: application/octet-stream',
			data: { code: 'UNSUPPORTED_FILE_TYPE' },
		});
	});

	test('when it is no PDF, or an encrypted one', async () => {
		const text = await create(payload, { filename: 'a.pdf', content: Buffer.from('hello') });
		expect(text.status).toBe(400);
		expect(text.body.data).toMatchObject({ code: 'INVALID_DOCUMENT_FILE' });
		const locked = await PDFDocument.create();
		locked.addPage();
		locked.encrypt({ userPassword: 'secret', ownerPassword: 'secret' });
		const encrypted = await create(payload, { filename: 'a.pdf', content: await locked.save() });
		expect(encrypted.body.data).toMatchObject({ code: 'INVALID_DOCUMENT_FILE' });
	});

	test('when it is empty', async () => {
		const { status, body } = await create(payload, { filename: 'a.pdf', content: Buffer.of() });
		expect(status).toBe(400);
		expect(body.issues).toMatchObject([
			{ message: 'Input not instance of File', path: ['files', 0] },
		]);
	});

	test('when it is too large, with its true size on record', async () => {
		const content = Buffer.alloc(300_000);
		const { status, body } = await create(payload, { filename: 'a.pdf', content });
		expect(status).toBe(400);
		expect(body.code).toBe('BAD_REQUEST');
		expect(service.calls[0]?.body).toMatchObject({ files: [{ bytes: 300_000 }] });
	});

	test('when it is the sixth', async () => {
		const content = await pdf();
		const six = ['a', 'b', 'c', 'd', 'e', 'f'].map((filename) => ({ filename, content }));
		const { status, body } = await create(payload, ...six);
		expect(status).toBe(400);
		expect(body.data).toMatchObject({ code: 'ENVELOPE_ITEM_LIMIT_EXCEEDED' });
	});
});

describe('the payload', () => {
	test('must be a plain part: as a file all its keys are missing', async () => {
		const data = new FormData();
		data.append('payload', new Blob([JSON.stringify(payload)]), 'payload.json');
		const { status, body } = await call(service, 'POST /envelope/create', data);
		expect(status).toBe(400);
		expect(body.issues).toMatchObject([
			{ path: ['payload', 'title'], message: 'Required' },
			{ path: ['payload', 'type'], message: 'Required' },
		]);
	});

	test('must be JSON, with its real types', async () => {
		const broken = await create('{nope');
		expect(broken.body.issues).toMatchObject([
			{ path: ['payload'], message: 'Expected object, received string' },
		]);
		const recipients = [{ ...signer, fields: [], signingOrder: '1' }];
		const coerced = await create({ ...payload, recipients });
		expect(coerced.body.issues).toMatchObject([{ message: 'Expected number, received string' }]);
	});

	test('has its e-mails checked and its unknown keys dropped', async () => {
		const recipients = [{ ...signer, fields: [], email: 'nobody' }];
		const { body } = await create({ ...payload, recipients });
		expect(body.issues).toMatchObject([
			{
				validation: 'regex',
				message: 'Invalid email',
				path: ['payload', 'recipients', 0, 'email'],
			},
		]);
		expect((await create({ ...payload, nonsense: 1 })).status).toBe(200);
	});
});

test('a CC counts as sent and signed from the start', async () => {
	const id = await createDocument(service, {
		recipients: [{ email: 'cc@example.com', name: 'C', role: 'CC' }],
	});
	const { body } = await call(service, `GET /envelope/${id}`);
	expect(body.recipients).toMatchObject([{ signingStatus: 'SIGNED', sendStatus: 'SENT' }]);
});
