import { Documenso } from '@documenso/sdk-typescript';
import { DEMO_TOKEN } from '../../emulator';
import { pdf } from '../support/pdf';
import { useEmulator } from './api';

const service = useEmulator({ sealDelayMs: 0 });
let sdk: Documenso;

beforeAll(() => {
	sdk = new Documenso({ apiKey: DEMO_TOKEN, serverURL: `${service.url}/api/v2` });
});

async function file(fileName: string) {
	return { fileName, content: new Blob([await pdf()], { type: 'application/pdf' }) };
}

const place = { page: 1, positionX: 10, positionY: 20, width: 30, height: 5 };

async function create(type: 'DOCUMENT' | 'TEMPLATE', title: string): Promise<string> {
	const files = [await file('contract.pdf')];
	const recipients = [{ email: 'sally@example.com', name: 'Sally', role: 'SIGNER' as const }];
	const { id } = await sdk.envelopes.create({ payload: { type, title, recipients }, files });
	return id;
}

async function addSignature(envelopeId: string): Promise<number> {
	const { recipients } = await sdk.envelopes.get({ envelopeId });
	const recipientId = recipients[0]?.id ?? 0;
	const field = { type: 'SIGNATURE' as const, recipientId, ...place };
	const { data } = await sdk.envelopes.fields.createMany({ envelopeId, data: [field] });
	return data[0]?.id ?? 0;
}

// The SDK checks every answer against the service's own schemas and throws when it does not fit.
describe('the official SDK', () => {
	it('takes a document from its creation to its cancellation', async () => {
		const envelopeId = await create('DOCUMENT', 'By SDK');
		const fieldId = await addSignature(envelopeId);
		const field = await sdk.envelopes.fields.get({ fieldId });
		const sent = await sdk.envelopes.distribute({ envelopeId });
		const pending = await sdk.envelopes.get({ envelopeId });
		const [recipient] = pending.recipients;
		await sdk.envelopes.redistribute({ envelopeId, recipients: [recipient?.id ?? 0] });
		await sdk.envelope.envelopeCancel({ envelopeId });
		const cancelled = await sdk.envelopes.get({ envelopeId });

		expect(field.type).toBe('SIGNATURE');
		expect(sent.recipients[0]?.signingUrl).toContain(`${service.url}/sign/`);
		expect([pending.status, cancelled.status]).toEqual(['PENDING', 'CANCELLED']);
	});

	it('reads a finished document, the list and the audit log', async () => {
		const envelopeId = await create('DOCUMENT', 'Signed by SDK');
		await addSignature(envelopeId);
		const { recipients } = await sdk.envelopes.distribute({ envelopeId });
		await service.sign(recipients[0]?.token ?? '');
		await service.settled();

		const list = await sdk.envelope.envelopeFind({ query: 'Signed by', status: 'COMPLETED' });
		const many = await sdk.envelope.envelopeGetMany({
			ids: { type: 'envelopeId', ids: [envelopeId] },
		});
		const log = await sdk.envelope.envelopeAuditLogFind({ envelopeId, orderByDirection: 'asc' });

		expect(list.data.map(({ id }) => id)).toEqual([envelopeId]);
		expect(many.data[0]?.completedAt).not.toBeNull();
		expect(log.data.map(({ type }) => type)).toEqual([
			'DOCUMENT_CREATED',
			'FIELD_CREATED',
			'DOCUMENT_SENT',
			'DOCUMENT_FIELDS_AUTO_INSERTED',
			'EMAIL_SENT',
			'DOCUMENT_FIELD_INSERTED',
			'DOCUMENT_RECIPIENT_COMPLETED',
			'DOCUMENT_COMPLETED',
			'EMAIL_SENT',
			'EMAIL_SENT',
		]);
	});

	it('changes a draft: recipients, fields, items, settings, a copy', async () => {
		const envelopeId = await create('DOCUMENT', 'Draft');
		await addSignature(envelopeId);
		const added = await sdk.envelopes.recipients.createMany({
			envelopeId,
			data: [{ email: 'anna@example.com', name: 'Anna', role: 'VIEWER' }],
		});
		const recipientId = added.data[0]?.id ?? 0;
		await sdk.envelopes.recipients.updateMany({
			envelopeId,
			data: [{ id: recipientId, name: 'Anna B.' }],
		});
		const viewer = await sdk.envelopes.recipients.get({ recipientId });
		await sdk.envelopes.recipients.delete({ recipientId });
		const items = await sdk.envelopes.items.createMany({
			payload: { envelopeId },
			files: [await file('annex.pdf')],
		});
		await sdk.envelopes.items.delete({ envelopeId, envelopeItemId: items.data[0]?.id ?? '' });
		const updated = await sdk.envelopes.update({ envelopeId, data: { title: 'Renamed' } });
		const copy = await sdk.envelopes.duplicate({ envelopeId });
		await sdk.envelopes.delete({ envelopeId });

		expect(viewer.name).toBe('Anna B.');
		expect(items.data[0]?.title).toBe('annex.pdf');
		expect(updated.title).toBe('Renamed');
		expect((await sdk.envelopes.get({ envelopeId: copy.id })).title).toBe('Renamed (copy)');
	});

	it('uses a template', async () => {
		const envelopeId = await create('TEMPLATE', 'SDK template');
		await addSignature(envelopeId);
		const template = await sdk.envelopes.get({ envelopeId });
		const recipients = [{ id: template.recipients[0]?.id ?? 0, email: 'bert@example.com' }];

		const used = await sdk.envelopes.use({
			payload: { envelopeId, recipients, distributeDocument: true },
		});

		expect(used.recipients[0]?.email).toBe('bert@example.com');
	});

	it('works with folders and attachments', async () => {
		const folder = await sdk.folders.create({ name: 'Deals', type: 'DOCUMENT' });
		await sdk.folders.update({ folderId: folder.id, data: { name: 'Old deals' } });
		const folders = await sdk.folders.find({});
		await sdk.folders.delete({ folderId: folder.id });
		const envelopeId = await create('DOCUMENT', 'With links');
		const { attachments } = sdk.envelopes;
		const link = { label: 'Policy', data: 'https://example.com/policy' };
		const { id } = await attachments.create({ envelopeId, data: link });
		await attachments.update({ id, data: { ...link, label: 'New policy' } });
		const list = await attachments.find({ envelopeId });
		await attachments.delete({ id });

		expect(folders.data[0]?.name).toBe('Old deals');
		expect(list.data).toEqual([
			{ id, type: 'link', label: 'New policy', data: 'https://example.com/policy' },
		]);
	});

	it('makes and checks embedding tokens', async () => {
		const { token } = await sdk.embedding.embeddingPresignCreateEmbeddingPresignToken({});
		const verified = await sdk.embedding.embeddingPresignVerifyEmbeddingPresignToken({ token });

		expect(verified.success).toBe(true);
	});

	it('tells an error with its status', async () => {
		await expect(sdk.envelopes.get({ envelopeId: 'envelope_missing' })).rejects.toMatchObject({
			statusCode: 404,
		});
	});
});

/* eslint-disable @typescript-eslint/no-deprecated -- what these tests are about goes on 2027-03-01 */
describe('the official SDK on deprecated endpoints', () => {
	it('works with templates', async () => {
		const payload = { title: 'SDK template' };
		const { envelopeId } = await sdk.templates.create({ payload, file: await file('old.pdf') });
		const recipient = { email: 'sally@example.com', name: 'Sally', role: 'SIGNER' as const };
		await sdk.envelopes.recipients.createMany({ envelopeId, data: [recipient] });
		const list = await sdk.templates.find({});
		const templateId = list.data[0]?.id ?? 0;
		const template = await sdk.templates.get({ templateId });
		const recipients = [{ id: template.recipients[0]?.id ?? 0, email: 'bert@example.com' }];
		const used = await sdk.templates.use({ templateId, recipients });
		const renamed = await sdk.templates.update({ templateId, data: { title: 'Renamed' } });
		const copy = await sdk.templates.duplicate({ templateId });
		await sdk.templates.delete({ templateId: copy.id });

		expect(template.envelopeId).toBe(envelopeId);
		expect(used.recipients[0]?.email).toBe('bert@example.com');
		expect(renamed.title).toBe('Renamed');
	});

	it('works with documents', async () => {
		const recipients = [
			{
				email: 'sally@example.com',
				name: 'Sally',
				role: 'SIGNER' as const,
				fields: [
					{
						type: 'SIGNATURE' as const,
						pageNumber: 1,
						pageX: 10,
						pageY: 10,
						width: 20,
						height: 5,
					},
				],
			},
		];
		const payload = { title: 'Old document', recipients };
		const { id: documentId } = await sdk.documents.create({
			payload,
			file: await file('old.pdf'),
		});
		await sdk.documents.update({ documentId, data: { title: 'Old, renamed' } });
		const sent = await sdk.documents.distribute({ documentId });
		const read = await sdk.documents.get({ documentId });
		const list = await sdk.documents.find({ query: 'Old, renamed' });
		const many = await sdk.document.documentGetMany({ documentIds: [documentId] });
		const copy = await sdk.documents.duplicate({ documentId });
		await sdk.documents.delete({ documentId });

		expect([sent.status, read.internalVersion]).toEqual(['PENDING', 1]);
		expect(list.data[0]?.title).toBe('Old, renamed');
		expect(many.data).toHaveLength(1);
		expect(copy.documentId).toBeGreaterThan(documentId);
	});

	it('makes direct links', async () => {
		const payload = { title: 'For anybody' };
		const { id: templateId } = await sdk.templates.create({ payload, file: await file('a.pdf') });
		const link = await sdk.templates.directLink.create({ templateId });
		await sdk.templates.directLink.toggle({ templateId, enabled: false });
		const { directLink } = await sdk.templates.get({ templateId });
		await sdk.templates.directLink.delete({ templateId });

		expect(directLink).toMatchObject({ token: link.token, enabled: false });
	});
});
