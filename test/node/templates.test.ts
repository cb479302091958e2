import { PDFDocument } from '@cantoo/pdf-lib';
import type { IDataObject } from 'n8n-workflow';

import type { Envelope } from '../../emulator/entities';
import { EMPLOYMENT_CONTRACT, MUTUAL_NDA, RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { Documenso } from '../../nodes/Documenso/Documenso.node';
import { itemWith, loadOptionsContext } from '../support/n8n';
import { pdf } from '../support/pdf';
import { refusal } from '../support/refusal';
import { credentialFor, lines, sentTo } from '../support/service';
import {
	byId,
	contract,
	fillFromRow,
	mapped,
	row,
	USE,
	useService,
	WITH_LINKS,
} from '../support/suite';

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

describe('Get and Get Many', () => {
	test('Get reads a template with its recipients and fields', async () => {
		const { items } = await suite.run({ ...base, operation: 'get', templateId });
		expect(items[0]?.json).toMatchObject({ id: RENTAL_AGREEMENT.id, type: 'TEMPLATE' });
	});

	test('Get Many lists templates, oldest first when asked for', async () => {
		const { items } = await suite.run({
			...base,
			operation: 'getAll',
			filters: { orderByDirection: 'asc' },
		});
		expect(items.map(({ json }) => json.title)).toEqual([
			RENTAL_AGREEMENT.title,
			MUTUAL_NDA.title,
			EMPLOYMENT_CONTRACT.title,
		]);
	});
});

describe('filling a template in', () => {
	const tenant = { 'Tenant email': 'tina@example.com', 'Tenant name': 'Tina Tenant' };

	const use = { ...base, operation: 'createDocument', templateId, columns: mapped(tenant) };

	const readTemplate = `GET /envelope/${RENTAL_AGREEMENT.id}`;

	const prefill = (values: IDataObject) => ({ columns: mapped({ ...tenant, ...values }) });

	describe('Create Document', () => {
		test('fills the template in and sends the document in one request, after a look for its External ID', async () => {
			const { items, error } = await suite.run({
				...use,
				...prefill({
					Address: '1 Main Street',
					Rent: 1200,
					'Start date': '2026-12-01',
					Payment: 'Card',
				}),
				additionalFields: { title: 'Lease of Tina', externalId: 'row-1', message: 'Hello' },
				...WITH_LINKS,
			});
			expect(error).toBeUndefined();
			const lookUp = ['GET /folder', 'GET /envelope'];
			expect(lines(suite.service)).toEqual([readTemplate, ...lookUp, 'POST /envelope/use']);
			const { fields, tenantId } = RENTAL_AGREEMENT;
			expect(sentTo(suite.service, 'POST /envelope/use')).toEqual({
				envelopeId: RENTAL_AGREEMENT.id,
				externalId: 'row-1',
				distributeDocument: true,
				recipients: [
					{ id: tenantId, email: 'tina@example.com', name: 'Tina Tenant', signingOrder: 1 },
				],
				prefillFields: [
					{ id: fields.address, type: 'text', label: 'Address', value: '1 Main Street' },
					{ id: fields.rent, type: 'number', label: 'Rent', value: '1200' },
					{ id: fields.startDate, type: 'date', value: '2026-12-01T00:00:00' },
					{ id: fields.payment, type: 'dropdown', label: 'Payment', value: 'Card' },
				],
				override: { title: 'Lease of Tina', message: 'Hello' },
			});
			expect(items[0]?.json).toMatchObject({
				id: expect.stringMatching(/^envelope_/) as string,
				externalId: 'row-1',
				recipients: expect.arrayContaining([
					expect.objectContaining({
						email: 'tina@example.com',
						signingUrl: expect.stringContaining('/sign/') as string,
					}),
					expect.objectContaining({ email: 'landlord@example.com' }),
				]) as unknown,
			});
			expect(suite.service.store.documents).toMatchObject([
				{ status: 'PENDING', title: 'Lease of Tina' },
			]);
		});

		test('a switch that an expression turns to text is read as what it says', async () => {
			await suite.run({ ...use, send: '={{ "false" }}' });
			expect(sentTo(suite.service, 'POST /envelope/use').distributeDocument).toBe(false);
			const { error } = await suite.run({ ...use, send: '={{ "perhaps" }}' });
			expect(error?.message).toBe("'Send Now' is neither true nor false [item 0]");
		});
	});

	describe('before anything is created', () => {
		const bad: Array<[string, object, string, RegExp?]> = [
			[
				'a template recipient left with a placeholder',
				{ columns: mapped({}) },
				`'Tenant email' is missing: the template has nobody yet for "Tenant (SIGNER)" [item 0]`,
				/'Allow Placeholder Recipients' under 'Additional Fields' turned on/,
			],
			[
				'an unknown recipient',
				{ columns: mapped({ ...tenant, 'Guarantor email': 'g@example.com' }) },
				"'Guarantor email' is not in the template [item 0]",
				/The template has: "Tenant email", "Tenant name", .*"Anna Landlord email"/,
			],
			[
				'a malformed e-mail',
				{ columns: mapped({ 'Tenant email': 'tina' }) },
				`'Tenant email' is not an email address: "tina" [item 0]`,
			],
			[
				'a signing order that the template would not follow',
				{ columns: mapped({ ...tenant, 'Tenant signing order': 2 }) },
				"'Tenant signing order' has no effect: the template lets everyone sign at once [item 0]",
				/Turn on the signing order of the template/,
			],
			[
				'an unknown label',
				prefill({ Colour: 'red' }),
				"'Colour' is not in the template [item 0]",
				/The template has: .*"Address", "Start date", "Rent", "Payment", .*refresh the columns/,
			],
			['a field that people sign', prefill({ '5': 'x' }), "'5' is not in the template [item 0]"],
			[
				'several bad columns, each of which is named',
				prefill({ Rent: 'abc', Payment: 'Cash', 'Start date': '31.12.2026' }),
				`'Rent' is a number field, but "abc" is text; ` +
					`'Payment' has no option "Cash"; it has: "Bank transfer", "Direct debit", "Card"; ` +
					`'Start date' is a date field, but "31.12.2026" is not a date in the form 2026-12-31 [item 0]`,
			],
			[
				'the same field under two names',
				prefill({ rent: 1, 'RENT ': 2 }),
				"'RENT ' means the same as 'rent (Rent)' [item 0]",
			],
		];

		test.each(bad)('%s is refused', async (_, changes, message, description = /^/) => {
			const { error } = await suite.run({ ...use, ...changes });
			expect(error?.message).toBe(message);
			expect(error?.description ?? '').toMatch(description);
			expect(lines(suite.service)).toEqual([readTemplate]);
		});

		test.each([
			[
				'malformed JSON',
				{ additionalFields: { prefillJson: '{' } },
				/'Additional Fields > Prefill \(JSON\)' is not valid JSON/,
			],
			[
				'an ID that is none',
				{ templateId: { __rl: true, mode: 'id', value: '={{ 42 }}' } },
				/'Template' is "42", but an ID starts with envelope_/,
			],
		])('%s is refused without a single request', async (_, changes, message) => {
			const { error } = await suite.run({ ...use, ...changes });
			expect(error?.message).toMatch(message);
			expect(lines(suite.service)).toEqual([]);
		});
	});

	describe('in the editor', () => {
		const { listSearch } = new Documenso().methods;
		const context = () => loadOptionsContext(credentialFor(suite.service), use);

		test('templates are found by their title', async () => {
			const { results } = await listSearch.searchTemplates.call(context(), 'nda');
			expect(results).toEqual([{ name: 'Mutual NDA', value: MUTUAL_NDA.id }]);
		});

		test('documents are listed with their status, page by page', async () => {
			for (let index = 0; index < 51; index++) {
				await suite.run({ ...use, send: false, additionalFields: { title: `Lease ${index}` } });
			}
			const first = await listSearch.searchDocuments.call(context());
			expect(first.results).toHaveLength(50);
			expect(first.results[0]?.name).toBe('Lease 50 (draft)');
			const second = await listSearch.searchDocuments.call(
				context(),
				undefined,
				first.paginationToken as string,
			);
			expect(second.results.map(({ name }) => name)).toEqual(['Lease 0 (draft)']);
			expect(second.paginationToken).toBeUndefined();
		});
	});
});

describe('Reminders of a document from a template', () => {
	const reminders = {
		...{ sendAfterAmount: 3, sendAfterUnit: 'day' },
		...{ repeatEveryAmount: 0, repeatEveryUnit: 'day' },
	};
	const create = { ...fillFromRow, additionalFields: { reminderSettings: { reminders } } };

	test('are set on the document, because Documenso takes none while it uses a template', async () => {
		const { items, error } = await suite.run(create, [row()]);
		expect(error).toBeUndefined();
		expect(sentTo(suite.service, USE)).not.toHaveProperty('override.reminderSettings');
		expect(sentTo(suite.service, 'POST /envelope/update')).toEqual({
			envelopeId: items[0]?.json.id,
			meta: {
				reminderSettings: {
					sendAfter: { amount: 3, unit: 'day' },
					repeatEvery: { disabled: true },
				},
			},
		});
	});

	test('that cannot be set are told, and the document stays', async () => {
		suite.service.fail({ match: 'POST /envelope/update', ...refusal('No') });
		const { items, error, hints } = await suite.run(create, [row()]);
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
		expect(hints.at(-1)).toMatch(/could not be set.*envelope_\w+: No/);
	});
});

describe('a direct link', () => {
	const ofTemplate = { resource: 'directLink', templateId: byId(RENTAL_AGREEMENT.id) };

	test('Create makes a public link, with the number derived from the template', async () => {
		const recipientId = byId(RENTAL_AGREEMENT.tenantId);
		const [link] = await suite.outputOf({ ...ofTemplate, operation: 'create', recipientId });
		expect(lines(suite.service)).toEqual([
			`GET /envelope/${RENTAL_AGREEMENT.id}`,
			'POST /template/direct/create',
		]);
		expect(sentTo(suite.service, 'POST /template/direct/create')).toEqual({
			templateId: suite.template().legacyId,
			directRecipientId: RENTAL_AGREEMENT.tenantId,
		});
		expect(link).toMatchObject({
			enabled: true,
			url: `${suite.service.url}/d/${link?.token as string}`,
		});
	});

	test.each([
		['enable', true],
		['disable', false],
	])('%s switches the link', async (operation, enabled) => {
		await suite.outputOf({ ...ofTemplate, operation: 'create' });
		const [link] = await suite.outputOf({ ...ofTemplate, operation });
		expect(sentTo(suite.service, 'POST /template/direct/toggle')).toEqual({
			templateId: suite.template().legacyId,
			enabled,
		});
		expect(link).toMatchObject({ enabled, url: expect.stringContaining('/d/') as string });
	});

	test('Delete takes the link away', async () => {
		await suite.outputOf({ ...ofTemplate, operation: 'create' });
		const [deleted] = await suite.outputOf({ ...ofTemplate, operation: 'delete' });
		expect(sentTo(suite.service, 'POST /template/direct/delete')).toEqual({
			templateId: suite.template().legacyId,
		});
		expect(deleted).toEqual({ templateId: RENTAL_AGREEMENT.id, deleted: true });
	});

	test('a document has no direct link', async () => {
		const { id } = await suite.document();
		const { error } = await suite.run({ ...ofTemplate, operation: 'create', templateId: byId(id) });
		expect(error?.message).toBe(`'Template' is the ID of a document: ${id} [item 0]`);
	});

	test('says that the signer whom Documenso adds needs a signature field', async () => {
		const { hints } = await suite.run({ ...ofTemplate, operation: 'create' });
		expect(hints).toEqual([expect.stringContaining('a signer without a signature field')]);
	});

	test('has nothing to say about a recipient of the template', async () => {
		const recipientId = byId(RENTAL_AGREEMENT.tenantId);
		expect((await suite.run({ ...ofTemplate, operation: 'create', recipientId })).hints).toEqual(
			[],
		);
	});
});
