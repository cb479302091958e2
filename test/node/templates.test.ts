import { PDFDocument } from '@cantoo/pdf-lib';

import type { Envelope } from '../../emulator/entities';
import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { itemWith } from '../support/n8n';
import { pdf } from '../support/pdf';
import { lines, sentTo } from '../support/service';
import { byId, contract, mapped, useService } from '../support/suite';

const suite = useService({ seed: 'demo' });
const base = { resource: 'template' };
const templateId = byId(RENTAL_AGREEMENT.id);

/** How many pages each of a document's files has. */
async function pagesOf({ items }: Envelope): Promise<number[]> {
	const counts = items.map(async ({ original }) =>
		(await PDFDocument.load(await original.read())).getPageCount(),
	);
	return await Promise.all(counts);
}

test('Create makes a template without a generated External ID, because its documents would inherit that', async () => {
	const item = await itemWith({ data: { content: await pdf() } });
	const [made] = await suite.outputOf({ ...base, operation: 'create', ...contract }, [item]);
	expect(sentTo(suite.service, 'POST /envelope/create')).toMatchObject({
		type: 'TEMPLATE',
		title: 'Lease',
		recipients: [{ email: 'tenant@example.com', fields: [{ type: 'SIGNATURE' }] }],
	});
	expect(sentTo(suite.service, 'POST /envelope/create')).not.toHaveProperty('externalId');
	expect(made).toEqual({ id: expect.stringMatching(/^envelope_/) as string });
	expect(suite.service.store.envelopes.get(made?.id as string)?.type).toBe('TEMPLATE');
});

test('Update changes title and type', async () => {
	const updateFields = { title: 'Lease', templateType: 'PUBLIC' };
	const [updated] = await suite.outputOf({
		...base,
		operation: 'update',
		templateId,
		updateFields,
	});
	expect(sentTo(suite.service, 'POST /envelope/update')).toEqual({
		envelopeId: RENTAL_AGREEMENT.id,
		data: { title: 'Lease', templateType: 'PUBLIC' },
		meta: {},
	});
	expect(updated).toMatchObject({ id: RENTAL_AGREEMENT.id, title: 'Lease' });
});

test('Duplicate makes a copy with recipients and fields', async () => {
	const [copy] = await suite.outputOf({ ...base, operation: 'duplicate', templateId });
	expect(sentTo(suite.service, 'POST /envelope/duplicate')).toEqual({
		envelopeId: RENTAL_AGREEMENT.id,
		includeRecipients: true,
		includeFields: true,
	});
	const copied = suite.service.store.envelopes.get(copy?.id as string);
	expect(copied?.fields).toHaveLength(suite.template().fields.length);
});

test('Delete removes a template', async () => {
	const [deleted] = await suite.outputOf({ ...base, operation: 'delete', templateId });
	expect(sentTo(suite.service, 'POST /envelope/delete')).toEqual({
		envelopeId: RENTAL_AGREEMENT.id,
	});
	expect(deleted).toEqual({ id: RENTAL_AGREEMENT.id, deleted: true });
});

test('Delete refuses a document in place of a template, and a template in place of a document', async () => {
	const { id } = await suite.document();
	const ofDocument = { ...base, operation: 'delete', templateId: byId(id) };
	expect((await suite.run(ofDocument)).error?.message).toBe(
		`'Template' is the ID of a document: ${id} [item 0]`,
	);
	const ofTemplate = { resource: 'document', operation: 'delete', documentId: templateId };
	expect((await suite.run(ofTemplate)).error?.message).toContain('is the ID of a template');
	expect(lines(suite.service)).not.toContain('POST /envelope/delete');
});

describe('Create Document', () => {
	const use = {
		...base,
		operation: 'createDocument',
		templateId,
		columns: mapped({ 'Tenant email': 'tina@example.com' }),
	};

	/** A second file of the template's. */
	function addAnnex() {
		const { items } = suite.template();
		const [first] = items;
		if (!first) throw new Error('The template has lost its file');
		const annex = { ...first, id: 'envelope_item_annexannexannexx', title: 'Annex.pdf', order: 2 };
		items.push(annex);
		return annex;
	}

	test('puts other PDFs in the places of the template’s', async () => {
		const content = await pdf('Another lease', 'Page 2');
		const item = await itemWith({ lease: { content, name: 'lease.pdf' } });
		const replacedFiles = {
			file: [{ envelopeItemId: RENTAL_AGREEMENT.itemId, property: 'lease' }],
		};
		await suite.outputOf({ ...use, additionalFields: { replacedFiles } }, [item]);
		expect(sentTo(suite.service, 'POST /envelope/use').customDocumentData).toEqual([
			{ identifier: 'replacement-1.pdf', envelopeItemId: RENTAL_AGREEMENT.itemId },
		]);
		const { body } = suite.service.calls.at(-1) ?? {};
		expect((body as { files: unknown[] }).files).toMatchObject([
			{ filename: 'replacement-1.pdf', bytes: content.length },
		]);
	});

	test('two replacements with one name each replace their own file', async () => {
		const item = await itemWith({
			a: { content: await pdf('Lease', 'Page 2'), name: 'same.pdf' },
			b: { content: await pdf('Annex'), name: 'same.pdf' },
		});
		const annex = addAnnex();
		const file1 = { envelopeItemId: 'rental agreement', property: 'a' };
		const file2 = { envelopeItemId: 'Annex.PDF', property: 'b' };
		await suite.outputOf(
			{ ...use, additionalFields: { replacedFiles: { file: [file1, file2] } } },
			[item],
		);
		expect(sentTo(suite.service, 'POST /envelope/use').customDocumentData).toEqual([
			{ identifier: 'replacement-1.pdf', envelopeItemId: RENTAL_AGREEMENT.itemId },
			{ identifier: 'replacement-2.pdf', envelopeItemId: annex.id },
		]);
		const [document] = suite.service.store.documents;
		expect(document && (await pagesOf(document))).toEqual([2, 1]);
	});

	test.each([
		[
			['Other.pdf'],
			`'Replace Template Files' has "Other.pdf", which is not a file of the template`,
		],
		[
			['Rental agreement', 'Rental agreement.pdf'],
			`'Replace Template Files' has two rows for "Rental agreement.pdf"`,
		],
	])('refuses to replace %j', async (names, message) => {
		const item = await itemWith({ a: { content: await pdf() } });
		const rows = names.map((envelopeItemId) => ({ envelopeItemId, property: 'a' }));
		const { error } = await suite.run(
			{ ...use, additionalFields: { replacedFiles: { file: rows } } },
			[item],
		);
		expect(error?.message).toBe(`${message} [item 0]`);
		expect(suite.service.store.documents).toHaveLength(0);
	});

	test('a file name that the template has twice is refused', async () => {
		addAnnex().title = 'Rental agreement.pdf';
		const item = await itemWith({ a: { content: await pdf() } });
		const replacedFiles = { file: [{ envelopeItemId: 'Rental agreement.pdf', property: 'a' }] };
		const { error } = await suite.run({ ...use, additionalFields: { replacedFiles } }, [item]);
		expect(error?.message).toContain('is the name of several files');
	});

	test('a file with quotes in its name replaces the template’s', async () => {
		const content = await pdf('New', 'Page 2');
		const item = await itemWith({ a: { content, name: 'Lease "new".pdf' } });
		const replacedFiles = { file: [{ envelopeItemId: RENTAL_AGREEMENT.itemId, property: 'a' }] };
		await suite.outputOf({ ...use, additionalFields: { replacedFiles } }, [item]);
		const [document] = suite.service.store.documents;
		expect(document && (await pagesOf(document))).toEqual([2]);
	});

	test('each row may bring PDFs of its own', async () => {
		const items = [
			await itemWith({ data: { content: await pdf('For Ada', 'Page 2') } }),
			await itemWith({ data: { content: await pdf('For Bob', 'Page 2', 'Page 3') } }),
		];
		const replacedFiles = { file: [{ envelopeItemId: 'Rental agreement.pdf', property: 'data' }] };
		await suite.outputOf({ ...use, additionalFields: { replacedFiles } }, items);
		const pages = suite.service.store.documents.map(async (document) => await pagesOf(document));
		expect((await Promise.all(pages)).sort()).toEqual([[2], [3]]);
	});

	test('a replacement that is not a PDF is refused before any request', async () => {
		const item = await itemWith({ a: { content: Buffer.from('no') } });
		const replacedFiles = { file: [{ envelopeItemId: RENTAL_AGREEMENT.itemId, property: 'a' }] };
		const { error } = await suite.run({ ...use, additionalFields: { replacedFiles } }, [item]);
		expect(error?.message).toContain("'a' is not a PDF");
		expect(lines(suite.service)).toEqual([]);
	});

	test('passes on every override, attachments and form values', async () => {
		const additionalFields = {
			attachments: { attachment: [{ label: 'Rules', data: 'https://example.com/rules' }] },
			emailsOff: ['recipientSigned'],
			envelopeExpirationPeriod: { period: { expiresAmount: 0, expiresUnit: 'day' } },
			folderId: '',
			formValues: '={{ ({ Rooms: 3 }) }}',
			language: 'fr',
			redirectUrl: 'https://example.com/thanks',
			signatureTypes: ['drawSignatureEnabled'],
		};
		await suite.outputOf({
			...use,
			additionalFields: { ...additionalFields, distributionMethod: 'NONE' },
		});
		expect(sentTo(suite.service, 'POST /envelope/use')).toMatchObject({
			attachments: [{ label: 'Rules' }],
			formValues: { Rooms: 3 },
			override: {
				distributionMethod: 'NONE',
				emailSettings: { recipientSigned: false, documentCompleted: true },
				envelopeExpirationPeriod: { disabled: true },
				language: 'fr',
				redirectUrl: 'https://example.com/thanks',
				drawSignatureEnabled: true,
				typedSignatureEnabled: false,
			},
		});
	});

	test('sends Documenso no options that only the node has', async () => {
		const own = { allowPlaceholders: true, ifExternalIdExists: 'fail', ifSendingFails: 'delete' };
		const additionalFields = { ...own, externalId: 'A', message: 'Hello' };
		await suite.outputOf({ ...use, additionalFields });
		const { override } = sentTo(suite.service, 'POST /envelope/use');
		expect(override).toEqual({ message: 'Hello' });
	});
});
