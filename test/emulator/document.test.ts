import { startEmulator, type Emulator } from '../../emulator';
import { DEMO_TEAM, DEMO_TOKEN, DEMO_USER } from '../../emulator/options';
import { call, createDocument, sendDocument, signatureField, signer } from './api';

let service: Emulator;

beforeAll(async () => {
	service = await startEmulator({ sealDelayMs: 5 });
});
afterAll(async () => await service.close());
beforeEach(async () => await service.reset());

async function post(action: string, body: object) {
	return await call(service, `POST /envelope/${action}`, body);
}

test('a new document has the default recipients of the team, too', async () => {
	const boss = { email: 'boss@example.com', name: '', role: 'CC' as const };
	const team = { ...DEMO_TEAM, defaultRecipients: [boss] };
	const tokens = [{ token: DEMO_TOKEN, user: DEMO_USER, team }];
	const ofTeam = await startEmulator({ tokens });
	const id = await createDocument(ofTeam, { recipients: [signer] });
	const { body } = await call(ofTeam, `GET /envelope/${id}`);
	await ofTeam.close();
	expect(body.recipients).toMatchObject([{ email: signer.email }, { email: boss.email }]);
});

describe('distribute', () => {
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
});

describe('update', () => {
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

	test.each(['AES', 'QES'] as const)(
		'is refused for a document with %s signatures as soon as it is sent, and says its status',
		async (signatureLevel) => {
			const signing = await startEmulator({ sealDelayMs: 5, signatureLevel });
			const asked = { recipients: [signer] };
			const envelopeId = await createDocument(signing, asked);
			const update = async (id: string, externalId: string) =>
				await call(signing, 'POST /envelope/update', { envelopeId: id, data: { externalId } });
			const codeOf = async (id: string) => {
				const { status, body } = await update(id, 'RA-2');
				return [status, (body.data as { code: string }).code];
			};
			expect((await update(envelopeId, 'RA-1')).status).toBe(200);
			await call(signing, 'POST /envelope/distribute', { envelopeId });
			expect(await codeOf(envelopeId)).toEqual([400, 'ENVELOPE_TSP_LOCKED']);
			const [recipient] = signing.store.envelopes.get(envelopeId)?.recipients ?? [];
			await signing.sign(recipient?.token ?? '');
			await signing.settled();
			expect(await codeOf(envelopeId)).toEqual([400, 'ENVELOPE_COMPLETED']);
			const rejected = await sendDocument(signing, asked);
			await signing.reject(rejected.tokens[0] ?? '', 'No');
			await signing.settled();
			expect(await codeOf(rejected.id)).toEqual([400, 'ENVELOPE_REJECTED']);
			const cancelled = await sendDocument(signing, asked);
			await call(signing, 'POST /envelope/cancel', { envelopeId: cancelled.id });
			expect(await codeOf(cancelled.id)).toEqual([400, 'ENVELOPE_CANCELLED']);
			expect(signing.store.envelopes.get(envelopeId)?.externalId).toBe('RA-1');
			await signing.close();
		},
	);
});
