import { PDFDocument } from '@cantoo/pdf-lib';
import type { IDataObject } from 'n8n-workflow';

import type { Envelope } from '../../emulator/entities';
import { EMPLOYMENT_CONTRACT, MUTUAL_NDA, RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { resources } from '../../nodes/Documenso/resources';
import { itemWith } from '../support/n8n';
import { pdf } from '../support/pdf';
import { refusal } from '../support/refusal';
import { lines, sentTo } from '../support/service';
import {
	contract,
	fillFromRow,
	itemWithPdf,
	mapped,
	row,
	step,
	tina,
	USE,
	useService,
	WITH_LINKS,
} from '../support/suite';

const suite = useService({ seed: 'demo' });

const onTemplate = (operation: string, changes: IDataObject = {}) =>
	step(`template.${operation}`, { templateId: RENTAL_AGREEMENT.id }, changes);

const use = onTemplate('createDocument', { columns: mapped(tina) });

/** How many pages each of a document's files has. */
async function pagesOf({ items }: Envelope): Promise<number[]> {
	const counts = items.map(async ({ original }) =>
		(await PDFDocument.load(await original.read())).getPageCount(),
	);
	return await Promise.all(counts);
}

test('Create makes a template without a generated External ID, because its documents would inherit that', async () => {
	const create = step('template.create', {}, contract);
	const [made] = await suite.outputOf(create, [await itemWithPdf()]);
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
	const [updated] = await suite.outputOf(onTemplate('update', { updateFields }));
	expect(sentTo(suite.service, 'POST /envelope/update')).toEqual({
		envelopeId: RENTAL_AGREEMENT.id,
		data: updateFields,
		meta: {},
	});
	expect(updated).toMatchObject({ id: RENTAL_AGREEMENT.id, title: 'Lease' });
});

test('Duplicate makes a copy with recipients and fields', async () => {
	const [copy] = await suite.outputOf(onTemplate('duplicate'));
	expect(sentTo(suite.service, 'POST /envelope/duplicate')).toEqual({
		envelopeId: RENTAL_AGREEMENT.id,
		includeRecipients: true,
		includeFields: true,
	});
	const copied = suite.service.store.envelopes.get(copy?.id as string);
	expect(copied?.fields).toHaveLength(suite.template().fields.length);
});

test('Delete removes a template', async () => {
	const [deleted] = await suite.outputOf(onTemplate('delete'));
	expect(sentTo(suite.service, 'POST /envelope/delete')).toEqual({
		envelopeId: RENTAL_AGREEMENT.id,
	});
	expect(deleted).toEqual({ id: RENTAL_AGREEMENT.id, deleted: true });
});

describe('Replace Template Files', () => {
	/** The rental agreement with these files, by the names of the files that they replace. */
	const replacing = (...rows: Array<[envelopeItemId: string, property: string]>) => {
		const file = rows.map(([envelopeItemId, property]) => ({ envelopeItemId, property }));
		return { ...use, additionalFields: { replacedFiles: { file } } };
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
		await suite.outputOf(replacing([RENTAL_AGREEMENT.itemId, 'lease']), [item]);
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
		await suite.outputOf(replacing(['rental agreement', 'a'], ['Annex.PDF', 'b']), [item]);
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
			"The template's files are: ",
		],
		[
			['Rental agreement', 'Rental agreement.pdf'],
			`'Replace Template Files' has two rows for "Rental agreement.pdf"`,
			'',
		],
	])('refuses to replace %j', async (names, message, advice) => {
		const rows = names.map((name): [string, string] => [name, 'data']);
		const { error } = await suite.run(replacing(...rows), [await itemWithPdf()]);
		expect(error?.message).toBe(`${message} [item 0]`);
		expect(error?.description).toContain(advice);
		expect(suite.service.store.documents).toHaveLength(0);
	});

	test('a file name that the template has twice is refused', async () => {
		addAnnex().title = 'Rental agreement.pdf';
		const twice = replacing(['Rental agreement.pdf', 'data']);
		const { error } = await suite.run(twice, [await itemWithPdf()]);
		expect(error?.message).toContain('is the name of several files');
	});

	test('a file with quotes in its name replaces the template’s', async () => {
		const content = await pdf('New', 'Page 2');
		const item = await itemWith({ a: { content, name: 'Lease "new".pdf' } });
		await suite.outputOf(replacing([RENTAL_AGREEMENT.itemId, 'a']), [item]);
		const [document] = suite.service.store.documents;
		expect(document && (await pagesOf(document))).toEqual([2]);
	});

	test('each row may bring PDFs of its own', async () => {
		const items = [
			await itemWithPdf('For Ada', 'Page 2'),
			await itemWithPdf('For Bob', 'Page 2', 'Page 3'),
		];
		await suite.outputOf(replacing(['Rental agreement.pdf', 'data']), items);
		const pages = suite.service.store.documents.map(async (document) => await pagesOf(document));
		expect((await Promise.all(pages)).sort()).toEqual([[2], [3]]);
	});

	test('a replacement that is not a PDF is refused before any request', async () => {
		const item = await itemWith({ a: { content: Buffer.from('no') } });
		const error = await suite.refused(replacing([RENTAL_AGREEMENT.itemId, 'a']), [item]);
		expect(error.message).toContain("'a' is not a PDF");
	});
});

describe('Create Document', () => {
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
			distributionMethod: 'NONE',
		};
		await suite.outputOf({ ...use, additionalFields });
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
		expect(await suite.outputOf(onTemplate('get'))).toMatchObject([
			{ id: RENTAL_AGREEMENT.id, type: 'TEMPLATE' },
		]);
	});

	test('Get Many lists templates, oldest first when asked for', async () => {
		const filters = { orderByDirection: 'asc' };
		const listed = await suite.outputOf(step('template.getAll', {}, { filters }));
		expect(listed.map(({ title }) => title)).toEqual([
			RENTAL_AGREEMENT.title,
			MUTUAL_NDA.title,
			EMPLOYMENT_CONTRACT.title,
		]);
	});
});

describe('filling a template in', () => {
	const tenant = { 'Tenant email': 'tina@example.com', 'Tenant name': 'Tina Tenant' };

	const use = onTemplate('createDocument', { columns: mapped(tenant) });

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
			[
				'the same field under two names in Prefill (JSON)',
				{ ...prefill({}), additionalFields: { prefillJson: { rent: 1, 'RENT ': 2 } } },
				"'RENT ' means the same as 'rent (Rent)' [item 0]",
			],
			['a field that people sign', prefill({ '5': 'x' }), "'5' is not in the template [item 0]"],
			[
				'several bad columns, each of which is named',
				prefill({ Rent: 'abc', Payment: 'Cash', 'Start date': '31.12.2026' }),
				`'Rent' is a number field, but "abc" is text; ` +
					`'Payment' has no option "Cash"; it has: "Bank transfer", "Direct debit", "Card"; ` +
					`'Start date' is a date field, but "31.12.2026" is not a date in the form 2026-12-31 [item 0]`,
			],
		];

		test.each(bad)('%s is refused', async (_, changes, message, description = /^/) => {
			const { error } = await suite.run({ ...use, ...changes });
			expect(error?.message).toBe(message);
			expect(error?.description ?? '').toMatch(description);
			expect(lines(suite.service)).toEqual([readTemplate]);
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
	const link = (operation: string, ids: { recipientId?: number } = {}) =>
		step(`directLink.${operation}`, { templateId: RENTAL_AGREEMENT.id, ...ids });

	const ofTenant = { recipientId: RENTAL_AGREEMENT.tenantId };

	test('Create makes a public link, with the number derived from the template', async () => {
		const [made] = await suite.outputOf(link('create', ofTenant));
		expect(lines(suite.service)).toEqual([
			`GET /envelope/${RENTAL_AGREEMENT.id}`,
			'POST /template/direct/create',
		]);
		expect(sentTo(suite.service, 'POST /template/direct/create')).toEqual({
			templateId: suite.template().legacyId,
			directRecipientId: RENTAL_AGREEMENT.tenantId,
		});
		expect(made).toMatchObject({
			enabled: true,
			url: `${suite.service.url}/d/${made?.token as string}`,
		});
	});

	test.each([
		['enable', true],
		['disable', false],
	])('%s switches the link', async (operation, enabled) => {
		await suite.outputOf(link('create'));
		const [switched] = await suite.outputOf(link(operation));
		expect(sentTo(suite.service, 'POST /template/direct/toggle')).toEqual({
			templateId: suite.template().legacyId,
			enabled,
		});
		expect(switched).toMatchObject({ enabled, url: expect.stringContaining('/d/') as string });
	});

	test('Delete takes the link away', async () => {
		await suite.outputOf(link('create'));
		const [deleted] = await suite.outputOf(link('delete'));
		expect(sentTo(suite.service, 'POST /template/direct/delete')).toEqual({
			templateId: suite.template().legacyId,
		});
		expect(deleted).toEqual({ templateId: RENTAL_AGREEMENT.id, deleted: true });
	});

	test('says that the signer whom Documenso adds needs a signature field', async () => {
		const { hints } = await suite.run(link('create'));
		expect(hints).toEqual([expect.stringContaining('a signer without a signature field')]);
	});

	test('has nothing to say about a recipient of the template', async () => {
		expect((await suite.run(link('create', ofTenant))).hints).toEqual([]);
	});
});

// Once the resource is taken out of the registry, nothing of this is left to test.
const isThere = resources.some(({ value }) => value === 'templateDeprecated');

(isThere ? describe : describe.skip)('the deprecated template endpoints', () => {
	const number = () => suite.template().legacyId;
	const of = (operation: string, changes: IDataObject = {}) =>
		step(`templateDeprecated.${operation}`, {}, { templateNumber: number(), ...changes });

	test('Get Many lists templates with their numbers', async () => {
		const listed = await suite.outputOf(of('getAll', { filters: { type: 'PRIVATE' } }));
		expect(lines(suite.service)).toEqual(['GET /template']);
		expect(suite.service.calls[0]?.query).toMatchObject({ type: 'PRIVATE', perPage: '50' });
		expect(listed.map(({ id }) => id)).toContain(number());
		expect(listed[0]).toHaveProperty('envelopeId');
	});

	test('a list may have its page numbers in a nested object, as the API’s description says', async () => {
		for (const [page, title] of [
			[1, 'A'],
			[2, 'B'],
		] as const) {
			const pagination = { page, perPage: 1, totalPages: 2, totalItems: 2 };
			const body = { data: [{ id: page, title, envelopeId: 'envelope_a' }], pagination };
			suite.service.fail({ match: 'GET /template', status: 200, body });
		}
		const listed = await suite.outputOf(of('getAll', { returnAll: true }));
		expect(listed.map(({ title }) => title)).toEqual(['A', 'B']);
	});

	test('Get reads a template', async () => {
		const [read] = await suite.outputOf(of('get'));
		expect(lines(suite.service)).toEqual([`GET /template/${number()}`]);
		expect(read).toMatchObject({ id: number(), title: 'Rental agreement' });
	});

	test('Create Document fills a template in, with the labels that it has', async () => {
		const [document] = await suite.outputOf(
			of('createDocument', {
				columns: mapped({ 'Tenant email': 'tina@example.com', Rent: 900 }),
				additionalFields: { externalId: 'row-1', title: 'Lease' },
			}),
		);
		const lookUp = ['GET /folder', 'GET /envelope'];
		expect(lines(suite.service)).toEqual([
			'POST /envelope/get-many',
			...lookUp,
			'POST /template/use',
		]);
		expect(sentTo(suite.service, 'POST /template/use')).toMatchObject({
			templateId: number(),
			externalId: 'row-1',
			distributeDocument: true,
			recipients: [{ email: 'tina@example.com', name: '' }],
			prefillFields: [{ type: 'number', label: 'Rent', value: '900' }],
			override: { title: 'Lease' },
		});
		expect(document).toMatchObject({
			title: 'Lease',
			envelopeId: expect.stringMatching(/^envelope_/) as string,
		});
		expect(document).not.toHaveProperty('documentData');
	});

	test('a document for which an execution waits is returned without its marker', async () => {
		const waitedFor = await suite.document();
		waitedFor.externalId = 'row-1 n8n-wait:abcdef:1:x';
		const additionalFields = { externalId: 'row-1', ifExternalIdExists: 'skip' };
		const columns = mapped({ 'Tenant email': 'tina@example.com' });
		const create = of('createDocument', { columns, additionalFields, send: false, output: 'raw' });
		const [document] = await suite.outputOf(create);
		expect(document).toMatchObject({ envelopeId: waitedFor.id, externalId: 'row-1' });
	});

	test('a number that no template has is named before anything is created', async () => {
		const { error } = await suite.run(of('createDocument', { templateNumber: 999 }));
		expect(error?.message).toBe(
			"'Template Number' is 999, but no template has this number [item 0]",
		);
		expect(lines(suite.service)).toEqual(['POST /envelope/get-many']);
	});

	// To n8n, a workflow that relied on a default has no number.
	test.each(['createDocument', 'delete', 'duplicate', 'get', 'update'])(
		'%s without a number is refused, and touches no template',
		async (operation) => {
			const { templateNumber: _unset, ...unedited } = of(operation);
			const unset = suite.run(unedited);
			await expect(unset).rejects.toThrow('Parameter "Template Number" is required');
			const error = await suite.refused(of(operation, { templateNumber: "={{ '' }}" }));
			expect(error.message).toBe("'Template Number' is missing [item 0]");
		},
	);

	test.each(['1', 1])('the number may be text or a number: %j', async (templateNumber) => {
		suite.template().legacyId = 1;
		await suite.outputOf(of('get', { templateNumber }));
		expect(lines(suite.service)).toEqual(['GET /template/1']);
	});

	test('Update changes the title and the type', async () => {
		const updateFields = { title: 'Lease 2027', templateType: 'PUBLIC' };
		const [updated] = await suite.outputOf(of('update', { updateFields }));
		expect(sentTo(suite.service, 'POST /template/update')).toEqual({
			templateId: number(),
			data: { title: 'Lease 2027', type: 'PUBLIC' },
			meta: {},
		});
		expect(updated).toMatchObject({ id: number(), title: 'Lease 2027' });
	});

	test('Update leaves the emails that it does not name as they are', async () => {
		suite.template().documentMeta.emailSettings.documentCompleted = false;
		await suite.outputOf(of('update', { updateFields: { emailsOff: ['recipientSigned'] } }));
		expect(sentTo(suite.service, 'POST /template/update').meta).toMatchObject({
			emailSettings: { documentCompleted: false, recipientSigned: false },
		});
	});

	test('what the endpoints would drop is refused before any change', async () => {
		const period = { expiresAmount: 1, expiresUnit: 'week' };
		const reminders = {
			...{ sendAfterAmount: 1, sendAfterUnit: 'day' },
			...{ repeatEveryAmount: 1, repeatEveryUnit: 'day' },
		};
		for (const updateFields of [
			{ envelopeExpirationPeriod: { period } },
			{ reminderSettings: { reminders } },
		]) {
			const { error } = await suite.run(of('update', { updateFields }));
			expect(error?.message).toContain('is empty');
		}
		suite.template().documentMeta.signingOrder = 'SEQUENTIAL';
		const columns = mapped({
			'Tenant email': 'tina@example.com',
			'Tenant signing order': 2,
		});
		const { error } = await suite.run(of('createDocument', { columns }));
		expect(error?.message).toContain("'Tenant signing order' is not in the template");
		expect(lines(suite.service)).toEqual(['POST /envelope/get-many']);
	});

	test('Duplicate makes a copy', async () => {
		const [copy] = await suite.outputOf(of('duplicate'));
		expect(sentTo(suite.service, 'POST /template/duplicate')).toEqual({ templateId: number() });
		expect(copy).toMatchObject({ title: 'Rental agreement (copy)' });
	});

	test('Delete removes a template', async () => {
		const templateId = number();
		const [deleted] = await suite.outputOf(of('delete'));
		expect(sentTo(suite.service, 'POST /template/delete')).toEqual({ templateId });
		expect(deleted).toEqual({ id: templateId, deleted: true });
	});
});
