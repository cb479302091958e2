import { startEmulator, type Emulator } from '../../emulator';
import { call, createDocument, form, sendDocument } from './api';

const policy = { label: 'Policy', data: 'https://example.com/policy' };

let service: Emulator;

beforeAll(async () => {
	service = await startEmulator({ sealDelayMs: 5 });
});
afterAll(async () => await service.close());
beforeEach(async () => await service.reset());

async function post(action: string, body: object) {
	return await call(service, `POST /envelope/attachment/${action}`, body);
}

async function list(envelopeId: string, query = '', token?: string | null) {
	const line = `GET /envelope/attachment?envelopeId=${envelopeId}${query}`;
	return await call(service, line, undefined, token);
}

test('they come with a new document, and from its template too', async () => {
	const template = await createDocument(service, { type: 'TEMPLATE', attachments: [policy] });
	const more = { label: 'Terms', data: 'https://example.com/terms' };
	const payload = { envelopeId: template, attachments: [more] };
	const { body } = await call(service, 'POST /envelope/use', form(payload, []));
	expect((await list(String(body.id))).body.data).toMatchObject([policy, more]);
});

test('a recipient reads those of his document without an API token', async () => {
	const { id, tokens } = await sendDocument(service, { attachments: [policy] });
	const other = await createDocument(service);
	expect((await list(id, `&token=${tokens[0]}`, null)).body.data).toMatchObject([policy]);
	expect((await list(other, `&token=${tokens[0]}`, null)).status).toBe(404);
	expect((await list(id, '', null)).status).toBe(401);
	expect((await list('envelope_unknown')).status).toBe(404);
});

test('those of a finished document stay as they are', async () => {
	const { id: envelopeId, tokens } = await sendDocument(service, { attachments: [policy] });
	await service.sign(tokens[0] ?? '');
	await service.settled();
	const [attachment] = (await list(envelopeId)).body.data as Array<{ id: string }>;
	const refused = [
		await post('create', { envelopeId, data: policy }),
		await post('update', { id: attachment?.id, data: policy }),
		await post('delete', { id: attachment?.id }),
	];
	for (const { body } of refused) {
		expect(body.data).toMatchObject({ code: 'INVALID_REQUEST', httpStatus: 400 });
	}
});
