import { startEmulator, type Emulator } from '../../emulator';
import { call, createDocument, sendDocument, signer } from './api';

let service: Emulator;

beforeAll(async () => (service = await startEmulator({ sealDelayMs: 0 })));
afterAll(async () => await service.close());
beforeEach(async () => await service.reset());

interface Entry {
	type: string;
	name: string | null;
	email: string | null;
	userId: number | null;
	data: Record<string, unknown>;
}

async function logOf(id: string, query = 'orderByDirection=asc'): Promise<Entry[]> {
	const { body } = await call(service, `GET /envelope/${id}/audit-log?${query}`);
	return body.data as Entry[];
}

describe('the audit log', () => {
	it('has an entry for each change of a setting, a recipient and a field', async () => {
		const id = await createDocument(service, { externalId: 'a' });
		await call(service, 'POST /envelope/update', {
			envelopeId: id,
			data: { title: 'New', externalId: null, visibility: 'ADMIN' },
		});
		const recipientId = service.store.envelopes.get(id)?.recipients[0]?.id;
		await call(service, 'POST /envelope/recipient/update-many', {
			envelopeId: id,
			data: [{ id: recipientId, name: 'Renamed' }],
		});
		const fieldId = service.store.envelopes.get(id)?.fields[0]?.id;
		const data = [{ id: fieldId, type: 'SIGNATURE', width: 33 }];
		await call(service, 'POST /envelope/field/update-many', { envelopeId: id, data });
		await call(service, 'POST /envelope/field/delete', { fieldId });

		const entries = await logOf(id);

		expect(entries.slice(1).map(({ type, data: about }) => [type, about])).toEqual([
			['DOCUMENT_EXTERNAL_ID_UPDATED', { from: 'a', to: '' }],
			['DOCUMENT_TITLE_UPDATED', { from: 'Contract', to: 'New' }],
			['DOCUMENT_VISIBILITY_UPDATED', { from: 'EVERYONE', to: 'ADMIN' }],
			[
				'RECIPIENT_UPDATED',
				expect.objectContaining({
					changes: [{ type: 'NAME', from: signer.name, to: 'Renamed' }],
				}),
			],
			['FIELD_UPDATED', expect.objectContaining({ fieldRecipientId: recipientId })],
			['FIELD_DELETED', expect.objectContaining({ fieldRecipientId: recipientId })],
		]);
	});

	it('is paged, the newest first, 50 to a page', async () => {
		const { id } = await sendDocument(service);

		const { body } = await call(service, `GET /envelope/${id}/audit-log?perPage=1&page=2`);
		const whole = await call(service, `GET /envelope/${id}/audit-log`);

		expect(body).toMatchObject({ count: 4, currentPage: 2, perPage: 1, totalPages: 4 });
		expect(body.data).toMatchObject([{ type: 'DOCUMENT_FIELDS_AUTO_INSERTED' }]);
		expect(whole.body.perPage).toBe(50);
	});
});

it('notes an automatic reminder as sent by nobody', async () => {
	const { id } = await sendDocument(service);

	service.remind(id);

	expect((await logOf(id)).at(-1)).toMatchObject({
		...{ type: 'EMAIL_SENT', name: null, email: null, userId: null },
		data: { recipientEmail: signer.email, emailType: 'REMINDER', isResending: false },
	});
});

describe('the certificate', () => {
	it('exists once a document is finished', async () => {
		const { id, tokens } = await sendDocument(service);
		const early = await call(service, `GET /envelope/${id}/certificate/download`);
		await service.reject(tokens[0] ?? '', 'No');
		await service.settled();

		const { status, headers, bytes } = await call(
			service,
			`GET /envelope/${id}/certificate/download`,
		);

		expect([early.status, early.body]).toEqual([
			500,
			{ error: 'Something went wrong', code: 'DOCUMENT_NOT_COMPLETE' },
		]);
		expect(status).toBe(200);
		expect(headers.get('content-disposition')).toBe(
			'attachment; filename="Contract_certificate.pdf"',
		);
		expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
	});
});

it('and the certificate are named after the title without its ending', async () => {
	const { id, tokens } = await sendDocument(service, { title: 'Lease 12.PDF' });
	await service.sign(tokens[0] ?? '');
	await service.settled();
	const nameOf = async (path: string) =>
		(await call(service, `GET /envelope/${id}/${path}/download`)).headers.get(
			'content-disposition',
		);

	expect(await nameOf('certificate')).toBe('attachment; filename="Lease 12_certificate.pdf"');
	expect(await nameOf('audit-log')).toBe('attachment; filename="Lease 12_audit-log.pdf"');
});
