import { startEmulator, type Emulator } from '../../emulator';
import { pdf } from '../support/pdf';
import { call, createDocument, form, signer } from './api';

let service: Emulator;
let content: Buffer;

beforeAll(async () => {
	service = await startEmulator({ sealDelayMs: 0 });
	content = await pdf();
});
afterAll(async () => await service.close());
beforeEach(async () => await service.reset());

async function createTemplate(): Promise<{ id: string; recipientId: number }> {
	const payload = { type: 'TEMPLATE', title: 'NDA', recipients: [signer] };
	const uploads = [{ filename: 'nda.pdf', content }];
	const { body } = await call(service, 'POST /envelope/create', form(payload, uploads));
	const id = String(body.id);
	return { id, recipientId: service.store.envelopes.get(id)?.recipients[0]?.id ?? 0 };
}

const upload = (filename: string) => ({ filename, content, name: 'file' });

describe('deprecated template endpoints', () => {
	it('answer a template by number, with its file in base64', async () => {
		const { id } = await createTemplate();

		const { body } = await call(service, 'GET /template/1');

		expect(body).toMatchObject({ id: 1, envelopeId: id, title: 'NDA', type: 'PRIVATE' });
		expect(body.templateDocumentData).toMatchObject({ data: content.toString('base64') });
		expect(body.templateMeta).not.toHaveProperty('envelopeExpirationPeriod');
	});

	it('list templates only', async () => {
		await createDocument(service);
		await createTemplate();

		const { body } = await call(service, 'GET /template?type=PRIVATE');
		const none = await call(service, 'GET /template?type=PUBLIC');

		expect(body).toMatchObject({ count: 1, data: [{ id: 1, templateDocumentDataId: '' }] });
		expect(none.body.count).toBe(0);
	});

	it('make a document from a template and answer it with a number', async () => {
		const { recipientId } = await createTemplate();

		const { body } = await call(service, 'POST /template/use', {
			templateId: 1,
			recipients: [{ id: recipientId, email: 'bert@example.com', name: 'Bert' }],
			distributeDocument: true,
		});

		expect(body).toMatchObject({ id: 1, templateId: 1, status: 'PENDING', source: 'TEMPLATE' });
		expect(body.recipients).toEqual([
			expect.objectContaining({ email: 'bert@example.com', sendStatus: 'SENT', documentId: 1 }),
		]);
		expect(JSON.stringify(body)).not.toContain('signingUrl');
	});

	it('create, rename, copy and delete a template', async () => {
		const payload = { title: 'Old', type: 'PUBLIC' };
		const created = await call(
			service,
			'POST /template/create',
			form(payload, [upload('old.pdf')]),
		);
		const data = { title: 'Older', type: 'PRIVATE' };
		const updated = await call(service, 'POST /template/update', { templateId: 1, data });
		const copy = await call(service, 'POST /template/duplicate', { templateId: 1 });
		const deleted = await call(service, 'POST /template/delete', { templateId: 1 });
		const missing = await call(service, 'GET /template/1');

		expect(created.body.id).toBe(1);
		expect(created.body.envelopeId).toMatch(/^envelope_/);
		expect(updated.body).toMatchObject({ id: 1, title: 'Older', type: 'PRIVATE' });
		expect(copy.body).toMatchObject({ id: 2, title: 'Older (copy)' });
		expect(deleted.body).toEqual({ success: true });
		expect([missing.status, missing.body.message]).toEqual([404, 'Template not found']);
	});
});

describe('deprecated document endpoints', () => {
	const field = { type: 'SIGNATURE', pageNumber: 1, pageX: 10, pageY: 10, width: 20, height: 5 };
	const payload = { title: 'Old', recipients: [{ ...signer, fields: [field] }] };

	async function createOld(): Promise<string> {
		const body = form(payload, [upload('old.pdf')]);
		const created = await call(service, 'POST /document/create', body);
		return String(created.body.envelopeId);
	}

	it('create a document of version 1, whose fields keep no settings', async () => {
		const id = await createOld();

		const { body } = await call(service, 'GET /document/1');

		expect(body).toMatchObject({ id: 1, envelopeId: id, internalVersion: 1 });
		expect(body.fields).toEqual([
			expect.objectContaining({ positionX: '10', page: 1, fieldMeta: null }),
		]);
		expect(body.documentMeta).toMatchObject({ password: null, documentId: 1 });
	});

	it('need the file', async () => {
		const { status } = await call(service, 'POST /document/create', form(payload, []));

		expect(status).toBe(400);
	});

	it('send a document and answer it without its relations', async () => {
		await createOld();

		const { body } = await call(service, 'POST /document/distribute', { documentId: 1 });
		const again = await call(service, 'POST /document/redistribute', {
			documentId: 1,
			recipients: [1],
		});

		expect(body).toMatchObject({ id: 1, status: 'PENDING', documentDataId: '' });
		expect(body).not.toHaveProperty('recipients');
		expect(again.body).toEqual({ success: true });
	});

	it('list, get many, rename, copy and delete', async () => {
		await createOld();
		await createTemplate();
		const renamed = await call(service, 'POST /document/update', {
			documentId: 1,
			data: { title: 'Older' },
		});
		const copy = await call(service, 'POST /document/duplicate', { documentId: 1 });
		const list = await call(service, 'GET /document?perPage=5');
		const many = await call(service, 'POST /document/get-many', { documentIds: [1, 77] });
		const deleted = await call(service, 'POST /document/delete', { documentId: 1 });

		expect(renamed.body).toMatchObject({ title: 'Older', internalVersion: 1 });
		expect(copy.body.id).toMatch(/^envelope_/);
		expect(copy.body.documentId).toBe(2);
		expect(list.body).toMatchObject({ count: 2, data: [{ id: 2 }, { id: 1 }] });
		expect(many.body.data).toHaveLength(1);
		expect(deleted.body).toEqual({ success: true });
		expect(service.store.documents).toHaveLength(1);
	});

	it('download the signed file whatever version is asked for', async () => {
		await createOld();

		const { headers, bytes } = await call(service, 'GET /document/1/download?version=original');
		const beta = await call(service, 'GET /document/1/download-beta');

		expect(headers.get('content-disposition')).toBe('attachment; filename="old_signed.pdf"');
		expect(bytes.equals(content)).toBe(true);
		expect(beta.status).toBe(400);
	});

	it('are strict about numbers', async () => {
		const nan = await call(service, 'GET /document/abc');
		const missing = await call(service, 'GET /document/999');

		expect([nan.status, missing.status]).toEqual([400, 404]);
	});
});
