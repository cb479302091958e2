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

it('needs the file to create a document', async () => {
	const body = form({ title: 'Old', recipients: [] }, []);

	expect((await call(service, 'POST /document/create', body)).status).toBe(400);
});
