import { createHash } from 'node:crypto';
import { PDFDocument } from '@cantoo/pdf-lib';
import { startEmulator, type Emulator } from '../../emulator';
import { pdf } from '../support/pdf';
import { call, form, signer } from './api';

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

describe('a file is refused', () => {
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
});
