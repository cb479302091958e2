import { startEmulator, type Emulator } from '../../emulator';
import { pdf } from '../support/pdf';
import { call, createDocument, form, sendDocument, signer } from './api';

let service: Emulator;

beforeAll(async () => {
	service = await startEmulator();
});
afterAll(async () => await service.close());
beforeEach(async () => await service.reset());

async function post(action: string, body: object) {
	return await call(service, `POST /envelope/item/${action}`, body);
}

async function add(envelopeId: string, text: string, ...filenames: string[]) {
	const content = await pdf(text);
	const uploads = filenames.map((filename) => ({ filename, content, type: 'text/plain' }));
	return await post('create-many', form({ envelopeId }, uploads));
}

function envelopeOf(envelopeId: string) {
	const envelope = service.store.envelopes.get(envelopeId);
	if (!envelope) throw new Error(`No envelope ${envelopeId}`);
	return envelope;
}

test('files are added behind the others, whatever type they claim to be', async () => {
	const envelopeId = await createDocument(service);
	const { status, body } = await add(envelopeId, 'Annex', 'annex.pdf', 'more.pdf');
	expect(status).toBe(200);
	expect(body.data).toEqual(
		[2, 3].map((order) => ({
			id: expect.stringMatching(/^envelope_item_/) as string,
			title: order === 2 ? 'annex.pdf' : 'more.pdf',
			envelopeId,
			order,
			documentDataId: expect.any(String) as string,
		})),
	);
});

test('their placeholders become fields of who signs first, second and so on', async () => {
	const recipients = [2, 1].map((signingOrder) => ({ ...signer, signingOrder, fields: [] }));
	const envelopeId = await createDocument(service, { recipients });
	await add(envelopeId, '{{name, r1}}', 'annex.pdf');
	const { fields, items, recipients: created } = envelopeOf(envelopeId);
	const field = { type: 'NAME', recipientId: created[1]?.id, envelopeItemId: items[1]?.id };
	expect(fields).toMatchObject([field]);
});

test('without recipients their placeholders invent none', async () => {
	const envelopeId = await createDocument(service, { recipients: [] });
	expect((await add(envelopeId, '{{name, r1}}', 'annex.pdf')).status).toBe(200);
	expect(envelopeOf(envelopeId)).toMatchObject({ recipients: [], fields: [] });
});

test('an envelope has five files at most', async () => {
	const envelopeId = await createDocument(service);
	const { status, body } = await add(envelopeId, 'x', '2', '3', '4', '5', '6');
	expect(status).toBe(400);
	expect(body.data).toMatchObject({ code: 'ENVELOPE_ITEM_LIMIT_EXCEEDED' });
	expect(envelopeOf(envelopeId).items).toHaveLength(1);
});

test('they are renamed and put in another order', async () => {
	const envelopeId = await createDocument(service);
	await add(envelopeId, 'Annex', 'annex.pdf');
	const [first, second] = envelopeOf(envelopeId).items.map(({ id }) => id);
	const data = [
		{ envelopeItemId: second, title: 'Annex 1', order: 1 },
		{ envelopeItemId: first, order: 2 },
	];
	const { body } = await post('update-many', { envelopeId, data });
	expect(body.data).toEqual([
		{ id: second, order: 1, title: 'Annex 1', envelopeId },
		{ id: first, order: 2, title: 'contract.pdf', envelopeId },
	]);
	const { body: envelope } = await call(service, `GET /envelope/${envelopeId}`);
	expect(envelope.envelopeItems).toMatchObject([{ id: second }, { id: first }]);
	const foreign = [{ envelopeItemId: 'envelope_item_x', title: 'X' }];
	const refused = await post('update-many', { envelopeId, data: foreign });
	expect([refused.status, refused.body.message]).toEqual([
		400,
		'One or more envelope items to update do not exist',
	]);
});

test('a removed file takes its fields along; removing it again is 500', async () => {
	const envelopeId = await createDocument(service);
	const envelopeItemId = envelopeOf(envelopeId).items[0]?.id;
	const { body } = await post('delete', { envelopeId, envelopeItemId });
	expect(body).toEqual({ success: true });
	expect(envelopeOf(envelopeId)).toMatchObject({ items: [], fields: [] });
	expect((await post('delete', { envelopeId, envelopeItemId })).status).toBe(500);
});

test("a file of another document is not removed: 500 with the database's words", async () => {
	const envelopeId = await createDocument(service);
	const other = envelopeOf(await createDocument(service));
	const envelopeItemId = other.items[0]?.id;
	const { status, body } = await post('delete', { envelopeId, envelopeItemId });
	expect([status, body.code]).toEqual([500, 'INTERNAL_SERVER_ERROR']);
	expect(body.message).toContain('Invalid `prisma.envelopeItem.delete()` invocation');
	expect(other.items).toHaveLength(1);
});

test('a sent document takes a new title for its file, and nothing else', async () => {
	const { id: envelopeId } = await sendDocument(service);
	const envelopeItemId = envelopeOf(envelopeId).items[0]?.id;
	const refused = [
		await add(envelopeId, 'Annex', 'annex.pdf'),
		await post('update-many', { envelopeId, data: [{ envelopeItemId, order: 2 }] }),
		await post('delete', { envelopeId, envelopeItemId }),
	];
	expect(refused.map(({ status, body }) => [status, body.message])).toEqual([
		[400, 'Envelope item is not editable'],
		[400, 'Envelope item order is not editable'],
		[400, 'Envelope item is not editable'],
	]);
	const asItIs = { envelopeId, data: [{ envelopeItemId, order: 1 }] };
	expect((await post('update-many', asItIs)).status).toBe(200);
	const titled = [{ envelopeItemId, title: 'Signed soon' }];
	expect((await post('update-many', { envelopeId, data: titled })).status).toBe(200);
	await call(service, 'POST /envelope/cancel', { envelopeId });
	const late = await post('update-many', { envelopeId, data: titled });
	expect([late.status, late.body.message]).toEqual([400, 'Envelope item title is not editable']);
});
