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

async function createTemplate(): Promise<string> {
	const payload = { type: 'TEMPLATE', title: 'NDA', recipients: [signer] };
	const uploads = [{ filename: 'nda.pdf', content }];
	const { body } = await call(service, 'POST /envelope/create', form(payload, uploads));
	return String(body.id);
}

describe('deprecated template endpoints', () => {
	it('answer a template by number, with its file in base64', async () => {
		const id = await createTemplate();

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
});

describe('deprecated creations', () => {
	const upload = (filename: string) => ({ filename, content, name: 'file' });

	it('name the file after the document, which the old signing page shows', async () => {
		const body = form({ title: 'Old', recipients: [] }, [upload('a.pdf')]);
		const { envelopeId } = (await call(service, 'POST /document/create', body)).body;

		expect(service.store.envelopes.get(String(envelopeId))).toMatchObject({
			internalVersion: 1,
			items: [{ title: 'Old' }],
		});
	});

	it('refuse two files', async () => {
		const body = form({ title: 'Old', recipients: [] }, [upload('a.pdf'), upload('b.pdf')]);
		const answer = await call(service, 'POST /document/create', body);

		expect(answer.status).toBe(400);
		expect(answer.body.issues).toMatchObject([
			{ message: 'Input not instance of File', path: ['file'] },
		]);
	});

	it('keep the public texts of a template, and its documents are old, too', async () => {
		const texts = { publicTitle: 'For all', publicDescription: 'Sign here' };
		const body = form({ title: 'Old', ...texts }, [upload('a.pdf')]);
		const { envelopeId, id } = (await call(service, 'POST /template/create', body)).body;
		const used = { templateId: id, recipients: [] };
		const document = (await call(service, 'POST /template/use', used)).body;

		expect(service.store.envelopes.get(String(envelopeId))).toMatchObject(texts);
		expect(document).toMatchObject({ internalVersion: 1 });
	});
});

it('needs an ID to get many documents, and downloads whatever the version', async () => {
	const none = await call(service, 'POST /document/get-many', { documentIds: [] });
	await createDocument(service);
	const file = await call(service, 'GET /document/1/download?version=unknown');

	expect([none.status, file.status]).toEqual([400, 200]);
});

it('needs the file to create a document', async () => {
	const body = form({ title: 'Old', recipients: [] }, []);

	expect((await call(service, 'POST /document/create', body)).status).toBe(400);
});
