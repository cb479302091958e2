import { DEMO_TEAM, DEMO_TOKEN, DEMO_USER, startEmulator, type Emulator } from '../../emulator';
import { call, createDocument, sendDocument, signatureField, signer, statusOf } from './api';

const OTHER_TOKEN = 'api_other';
const other = {
	token: OTHER_TOKEN,
	user: { id: 2, name: 'Other', email: 'other@example.com' },
	team: { id: 2, url: 'other', name: 'Other' },
};
const cc = { email: 'cc@example.com', name: 'Carl Copy', role: 'CC' };

let service: Emulator;

beforeAll(async () => {
	const tokens = [{ token: DEMO_TOKEN, user: DEMO_USER, team: DEMO_TEAM }, other];
	service = await startEmulator({ tokens, sealDelayMs: 5 });
});
afterAll(async () => await service.close());
beforeEach(async () => await service.reset());

async function post(action: string, body: object, token?: string) {
	return await call(service, `POST /envelope/${action}`, body, token);
}

describe('distribute', () => {
	test('answers every recipient with a signing link, and again when repeated', async () => {
		const envelopeId = await createDocument(service, { recipients: [signer, cc] });
		const first = await post('distribute', { envelopeId });
		expect(first.body).toMatchObject({ success: true, id: envelopeId });
		expect(first.body.recipients).toHaveLength(2);
		const [{ token, signingUrl }] = first.body.recipients as [Record<string, string>];
		expect(signingUrl).toBe(`${service.url}/sign/${token}`);
		expect(await statusOf(service, envelopeId)).toBe('PENDING');
		const second = await post('distribute', { envelopeId });
		expect(second.body).toEqual(first.body);
	});

	test('wants a signature field for every signer, and says who lacks one', async () => {
		const envelopeId = await createDocument(service, { recipients: [{ ...signer, fields: [] }] });
		const { status, body } = await post('distribute', { envelopeId });
		expect(status).toBe(400);
		expect(body.data).toMatchObject({ code: 'MISSING_SIGNATURE_FIELD' });
		expect(body.message).toContain('Sally Signer (signer@example.com, id: 1)');
	});

	test('answers 500 to what it cannot send at all', async () => {
		const template = await createDocument(service, { type: 'TEMPLATE' });
		const nobody = await createDocument(service, { recipients: [] });
		const reasons = [];
		for (const envelopeId of ['envelope_unknown', template, nobody]) {
			const { status, body } = await post('distribute', { envelopeId });
			expect(status).toBe(500);
			expect(body.data).toMatchObject({ code: 'INTERNAL_SERVER_ERROR' });
			reasons.push(body.message);
		}
		expect(reasons).toEqual([
			'Document not found',
			'Document not found',
			'Document has no recipients',
		]);
	});

	test('keeps its meta even when it fails', async () => {
		const envelopeId = await createDocument(service, { recipients: [] });
		await post('distribute', { envelopeId, meta: { subject: 'Hello' } });
		const { body } = await call(service, `GET /envelope/${envelopeId}`);
		expect(body.documentMeta).toMatchObject({ subject: 'Hello' });
	});

	test('fills in what is preset, and the e-mail', async () => {
		const fields = [
			signatureField,
			{ ...signatureField, type: 'EMAIL' },
			{ ...signatureField, type: 'TEXT', fieldMeta: { type: 'text', text: 'Berlin' } },
			{ ...signatureField, type: 'DATE' },
		];
		const { id } = await sendDocument(service, { recipients: [{ ...signer, fields }] });
		expect(service.store.envelopes.get(id)?.fields).toMatchObject([
			{ type: 'SIGNATURE', inserted: false },
			{ type: 'EMAIL', inserted: true, customText: 'signer@example.com' },
			{ type: 'TEXT', inserted: true, customText: 'Berlin' },
			{ type: 'DATE', inserted: false },
		]);
	});

	test('completes a document in which nobody has anything to do', async () => {
		const { id } = await sendDocument(service, { recipients: [cc] });
		await service.settled();
		expect(await statusOf(service, id)).toBe('COMPLETED');
	});

	test('marks recipients as sent, but nobody when nothing is mailed', async () => {
		const mailed = await sendDocument(service);
		const quiet = await sendDocument(service, { meta: { distributionMethod: 'NONE' } });
		const sent = [mailed, quiet].map(({ id }) => service.store.envelopes.get(id)?.recipients[0]);
		expect(sent.map((recipient) => recipient?.sendStatus)).toEqual(['SENT', 'NOT_SENT']);
	});
});

describe('cancel', () => {
	test('works once, from PENDING only', async () => {
		const { id: envelopeId } = await sendDocument(service);
		expect((await post('cancel', { envelopeId })).body).toEqual({ success: true });
		const again = await post('cancel', { envelopeId });
		expect(again.status).toBe(400);
		expect(again.body.message).toBe('Only pending documents can be cancelled');
		const resent = await post('distribute', { envelopeId });
		expect(resent.body.message).toBe('Can not send completed document');
		expect((await post('cancel', { envelopeId: 'envelope_unknown' })).status).toBe(404);
	});
});

describe('delete', () => {
	test('removes what is not finished', async () => {
		const { id: envelopeId } = await sendDocument(service);
		expect((await post('delete', { envelopeId })).body).toEqual({ success: true });
		expect((await call(service, `GET /envelope/${envelopeId}`)).status).toBe(404);
		expect((await post('delete', { envelopeId })).status).toBe(404);
	});

	test('only hides what is finished', async () => {
		const { id: envelopeId } = await sendDocument(service);
		await post('cancel', { envelopeId });
		await post('delete', { envelopeId });
		const { status, body } = await call(service, `GET /envelope/${envelopeId}`);
		expect([status, typeof body.deletedAt]).toEqual([200, 'string']);
		expect((await call(service, 'GET /envelope')).body.count).toBe(0);
		expect((await post('delete', { envelopeId })).status).toBe(200);
	});

	test('of another team is 401, where others answer 404 or 500', async () => {
		const envelopeId = await createDocument(service);
		const statuses = [];
		for (const action of ['delete', 'update', 'cancel', 'distribute']) {
			statuses.push((await post(action, { envelopeId }, OTHER_TOKEN)).status);
		}
		expect(statuses).toEqual([401, 404, 404, 500]);
	});
});

describe('update', () => {
	test('answers the scalars only', async () => {
		const envelopeId = await createDocument(service, { externalId: 'row-1' });
		const data = { title: 'New title', externalId: null };
		const { body } = await post('update', { envelopeId, data });
		expect(body).toMatchObject({ title: 'New title', externalId: null });
		expect(body).not.toHaveProperty('documentMeta');
		expect(body).not.toHaveProperty('recipients');
	});

	test('refuses a new title once finished, but not other things', async () => {
		const { id: envelopeId } = await sendDocument(service);
		await post('cancel', { envelopeId });
		const title = await post('update', { envelopeId, data: { title: 'Late' } });
		expect(title.status).toBe(400);
		const externalId = await post('update', { envelopeId, data: { externalId: 'late' } });
		expect(externalId.status).toBe(200);
	});

	test('reads any text as true, and resets broken e-mail settings to all', async () => {
		const before = { typedSignatureEnabled: false, emailSettings: { documentPending: false } };
		const envelopeId = await createDocument(service, { meta: before });
		const emailSettings = { recipientSigned: false, documentDeleted: 'no' };
		const meta = { typedSignatureEnabled: 'false', emailSettings };
		expect((await post('update', { envelopeId, meta })).status).toBe(200);
		expect(service.store.envelopes.get(envelopeId)?.documentMeta).toMatchObject({
			typedSignatureEnabled: true,
			emailSettings: { recipientSigned: true, documentPending: true },
		});
	});
});

describe('redistribute', () => {
	test('takes unknown recipients, but no drafts', async () => {
		const draft = await createDocument(service);
		const refused = await post('redistribute', { envelopeId: draft, recipients: [1] });
		expect([refused.status, refused.body.message]).toEqual([500, 'Can not send draft document']);
		const { id: envelopeId } = await sendDocument(service);
		const { status, body } = await post('redistribute', { envelopeId, recipients: [99] });
		expect([status, body.success]).toEqual([200, true]);
	});
});

test('get-many leaves out what it does not find, and takes 20 at most', async () => {
	const id = await createDocument(service);
	const getMany = async (ids: object) => await post('get-many', { ids });
	const found = await getMany({ type: 'envelopeId', ids: [id, 'envelope_unknown'] });
	expect(found.body.data).toMatchObject([{ id, fields: [{ type: 'SIGNATURE' }] }]);
	const legacy = await getMany({ type: 'documentId', ids: [1] });
	expect(legacy.body.data).toMatchObject([{ id }]);
	const malformed = await getMany({ type: 'envelopeId', ids: [id, '17'] });
	expect(malformed.body.data).toMatchObject({ code: 'INVALID_BODY' });
	const tooMany = await getMany({ type: 'envelopeId', ids: Array(21).fill(id) });
	expect(tooMany.body.issues).toMatchObject([{ code: 'too_big', path: ['ids', 'ids'] }]);
});
