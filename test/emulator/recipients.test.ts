import { startEmulator, type Emulator } from '../../emulator';
import { call, createDocument, sendDocument, signatureField, signer } from './api';

const viewer = { email: 'viewer@example.com', name: 'Vera Viewer', role: 'VIEWER' };

let service: Emulator;

beforeAll(async () => {
	service = await startEmulator({ sealDelayMs: 300 });
});
afterAll(async () => await service.close());
beforeEach(async () => await service.reset());

async function post(action: string, body: object) {
	return await call(service, `POST /envelope/recipient/${action}`, body);
}

function recipientsOf(envelopeId: string) {
	return service.store.envelopes.get(envelopeId)?.recipients ?? [];
}

describe('create-many', () => {
	test('keeps how the recipient has to identify, but no action auth without the plan', async () => {
		const envelopeId = await createDocument(service);
		const known = { ...viewer, accessAuth: ['ACCOUNT'] };
		await post('create-many', { envelopeId, data: [known] });
		expect(recipientsOf(envelopeId)[1]?.authOptions?.accessAuth).toEqual(['ACCOUNT']);
		const refused = await post('create-many', {
			envelopeId,
			data: [{ ...viewer, actionAuth: ['PASSKEY'] }],
		});
		expect(refused.status).toBe(401);
	});
});

describe('update-many', () => {
	test('keeps the auth that is left out', async () => {
		const recipients = [{ ...signer, accessAuth: ['ACCOUNT'] }];
		const envelopeId = await createDocument(service, { recipients });
		await post('update-many', { envelopeId, data: [{ id: 1, name: 'Sal' }] });
		expect(recipientsOf(envelopeId)[0]?.authOptions).toEqual({
			accessAuth: ['ACCOUNT'],
			actionAuth: [],
		});
	});

	test('to CC or VIEWER takes the fields away', async () => {
		const envelopeId = await createDocument(service);
		const { body } = await post('update-many', { envelopeId, data: [{ id: 1, role: 'CC' }] });
		expect(body.data).toMatchObject([{ signingStatus: 'SIGNED', sendStatus: 'SENT' }]);
		expect(service.store.envelopes.get(envelopeId)?.fields).toEqual([]);
	});

	test('changes nobody when one of them is unknown', async () => {
		const envelopeId = await createDocument(service);
		const data = [{ id: 1, name: 'Sal' }, { id: 99 }];
		const { status, body } = await post('update-many', { envelopeId, data });
		expect([status, body.message]).toEqual([404, 'Recipient with id 99 not found']);
		expect(recipientsOf(envelopeId)[0]?.name).toBe(signer.name);
	});

	test('and delete refuse a recipient with a filled field', async () => {
		const preset = { ...signatureField, type: 'TEXT', fieldMeta: { type: 'text', text: 'x' } };
		const recipients = [{ ...signer, fields: [signatureField, preset] }];
		const { id: envelopeId } = await sendDocument(service, { recipients });
		const updated = await post('update-many', { envelopeId, data: [{ id: 1 }] });
		expect(updated.body.data).toMatchObject({ code: 'INVALID_REQUEST', httpStatus: 400 });
		expect((await post('delete', { recipientId: 1 })).status).toBe(400);
	});
});

describe('delete', () => {
	test('takes the fields along, once', async () => {
		const envelopeId = await createDocument(service);
		expect((await post('delete', { recipientId: 1 })).body).toEqual({ success: true });
		expect(service.store.envelopes.get(envelopeId)).toMatchObject({ recipients: [], fields: [] });
		const again = await post('delete', { recipientId: 1 });
		expect([again.status, again.body.message]).toEqual([404, 'Document not found']);
	});
});

describe('reject', () => {
	const reason = 'Declined by phone';

	test('wants a reason, a waiting recipient of that document, and time left', async () => {
		const { id: envelopeId, tokens } = await sendDocument(service, {
			recipients: [signer, signer],
		});
		const other = await createDocument(service);
		await service.sign(tokens[0] ?? '');
		service.expire(2);
		const answers = [
			await post('1/reject', { envelopeId, reason: '' }),
			await post('1/reject', { envelopeId: other, reason }),
			await post('1/reject', { envelopeId, reason }),
			await post('2/reject', { envelopeId, reason }),
		];
		const codes = answers.map(({ body }) => (body.data as { code: string }).code);
		expect(codes).toEqual(['BAD_REQUEST', 'NOT_FOUND', 'INVALID_REQUEST', 'RECIPIENT_EXPIRED']);
	});

	test('is done in the name of a team member only', async () => {
		const { id: envelopeId } = await sendDocument(service);
		const stranger = { envelopeId, reason, actAsEmail: 'stranger@example.com' };
		expect((await post('1/reject', stranger)).status).toBe(401);
		const member = { ...stranger, actAsEmail: 'owner@example.com' };
		expect((await post('1/reject', member)).status).toBe(200);
	});
});
