import { startEmulator, type Emulator } from '../../emulator';
import { call, createDocument } from './api';

const visitor = { email: 'direct.link@documenso.com', name: 'Direct link recipient' };

let service: Emulator;
let envelopeId: string;

beforeAll(async () => {
	service = await startEmulator();
});
afterAll(async () => await service.close());
beforeEach(async () => {
	await service.reset();
	envelopeId = await createDocument(service, { type: 'TEMPLATE' });
});

async function post(action: string, body: object = {}) {
	return await call(service, `POST /template/direct/${action}`, { templateId: 1, ...body });
}

async function template() {
	return (await call(service, `GET /envelope/${envelopeId}`)).body;
}

test('a link adds a recipient for the visitor, and shows in the template', async () => {
	const { status, body } = await post('create');
	expect(status).toBe(200);
	expect(body).toMatchObject({
		enabled: true,
		directTemplateRecipientId: 2,
		envelopeId,
		templateId: 1,
		createdAt: expect.any(String) as string,
	});
	const { directLink, recipients } = await template();
	const { id, token } = body;
	expect(directLink).toEqual({ id, token, enabled: true, directTemplateRecipientId: 2 });
	expect(recipients).toMatchObject([{ id: 1 }, { id: 2, ...visitor, authOptions: null }]);
});

test('or makes a given recipient the visitor', async () => {
	await post('create', { directRecipientId: 1 });
	expect((await template()).recipients).toMatchObject([{ id: 1, ...visitor }]);
	await service.reset();
	envelopeId = await createDocument(service, { type: 'TEMPLATE' });
	expect((await post('create', { directRecipientId: 99 })).status).toBe(404);
});

test('there is one link to a template', async () => {
	await post('create');
	const { status, body } = await post('create');
	expect([status, body.message]).toEqual([400, 'Direct template already exists']);
	expect(body.data).toMatchObject({ code: 'ALREADY_EXISTS' });
});

test('without it the visitor is a placeholder again; deleting works twice', async () => {
	await post('create');
	for (let round = 1; round <= 2; round += 1) {
		expect((await post('delete')).body).toEqual({ success: true });
	}
	const { directLink, recipients } = await template();
	expect(directLink).toBeNull();
	const placeholder = { email: 'recipient.1@documenso.com', name: 'Recipient 1' };
	expect(recipients).toMatchObject([{ id: 1 }, { id: 2, ...placeholder }]);
	expect((await post('toggle', { enabled: true })).status).toBe(404);
});

test('a link whose recipient was deleted can be neither deleted nor replaced', async () => {
	await post('create', { directRecipientId: 1 });
	await call(service, 'POST /envelope/recipient/delete', { recipientId: 1 });
	const { status, body } = await post('delete');
	expect([status, body.message]).toEqual([
		500,
		expect.stringContaining('No record was found for an update.'),
	]);
	expect((await post('create')).body.message).toBe('Direct template already exists');
});

test('an unknown template is 404', async () => {
	const { status, body } = await post('create', { templateId: 99 });
	expect([status, body.message]).toEqual([404, 'Template not found']);
});
