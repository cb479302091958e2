/* eslint-disable @typescript-eslint/no-deprecated -- what this file tests goes on 2027-03-01 */
import { Documenso } from '@documenso/sdk-typescript';
import { DEMO_TOKEN, startEmulator, type Emulator } from '../../emulator';
import { pdf } from '../support/pdf';

let service: Emulator;
let sdk: Documenso;

beforeAll(async () => {
	service = await startEmulator({ sealDelayMs: 0 });
	sdk = new Documenso({ apiKey: DEMO_TOKEN, serverURL: `${service.url}/api/v2` });
});

afterAll(async () => await service.close());

async function file(fileName: string) {
	return { fileName, content: new Blob([await pdf()], { type: 'application/pdf' }) };
}

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
