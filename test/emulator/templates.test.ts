import { DEMO_TOKEN } from '../../emulator';
import { MUTUAL_NDA, RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { pdf } from '../support/pdf';
import {
	type Answer,
	call,
	create,
	createDocument,
	envelopeOf,
	form,
	posting,
	signatureField,
	signer,
	statusAndMessage,
	useEmulator,
} from './api';

const service = useEmulator({ sealDelayMs: 0 });

describe("the demo's templates", () => {
	const { id: envelopeId, itemId, fields, tenantId, landlordId } = RENTAL_AGREEMENT;
	const service = useEmulator({ seed: 'demo' });

	test('the seed holds what its constants say', async () => {
		const { body } = await call(service, `GET /envelope/${envelopeId}`);
		expect(body).toMatchObject({
			title: RENTAL_AGREEMENT.title,
			recipients: [
				{ id: tenantId, email: 'recipient.1@documenso.com', name: 'Tenant' },
				{ id: landlordId, email: 'landlord@example.com', name: 'Anna Landlord' },
			],
			envelopeItems: [{ id: itemId }],
		});
		const labels = (body.fields as Array<{ id: number; fieldMeta: { label?: string } }>).map(
			({ id, fieldMeta }) => [id, fieldMeta.label],
		);
		expect(labels.slice(0, 4)).toEqual([
			[fields.address, 'Address'],
			[fields.rent, 'Rent'],
			[fields.startDate, 'Start date'],
			[fields.payment, 'Payment'],
		]);
		expect(labels.map(([id]) => id)).toEqual(Object.values(fields));
		const nda = service.store.envelopes.get(MUTUAL_NDA.id);
		expect(nda?.recipients[0]?.id).toBe(MUTUAL_NDA.signerId);
		expect(nda?.fields.map(({ id }) => id)).toEqual(Object.values(MUTUAL_NDA.fields));
	});

	test('an update without data changes nothing, and is no event', async () => {
		service.webhooks.add({ url: 'http://127.0.0.1:9/' });
		const before = service.store.envelopes.get(envelopeId)?.updatedAt;
		await call(service, 'POST /envelope/update', { envelopeId });
		await call(service, 'POST /envelope/update', { envelopeId, data: {}, meta: {} });
		await service.settled();
		expect(service.deliveries).toEqual([]);
		expect(service.store.envelopes.get(envelopeId)?.updatedAt).toBe(before);
		await call(service, 'POST /envelope/update', { envelopeId, data: { title: 'New' } });
		await service.settled();
		expect(service.deliveries[0]).toMatchObject({ event: 'TEMPLATE_UPDATED' });
	});

	test('prefilling keeps the label only if it is repeated', async () => {
		const prefillFields = [
			{ id: fields.address, type: 'text', value: '1 High Street' },
			{ id: fields.rent, type: 'number', label: 'Rent', value: '950' },
			{ id: fields.payment, type: 'dropdown', label: 'Payment', value: 'Card' },
			{ id: fields.startDate, type: 'date', value: '2027-01-31T00:00:00' },
		];
		await call(service, 'POST /envelope/use', { payload: { envelopeId, prefillFields } });
		const [address, rent, startDate, payment] = service.store.documents[0]?.fields ?? [];
		expect(address?.fieldMeta).toMatchObject({ text: '1 High Street' });
		expect(address?.fieldMeta?.label).toBeUndefined();
		expect(rent?.fieldMeta).toMatchObject({ label: 'Rent', value: '950' });
		expect(payment?.fieldMeta).toMatchObject({ label: 'Payment', defaultValue: 'Card' });
		expect(startDate).toMatchObject({ inserted: true, customText: '2027-01-31' });
	});
});

describe('prefilling', () => {
	const post = posting(service, '/envelope');

	const values = ['V1', 'V2', 'V3'].map((value, index) => ({
		id: index + 1,
		checked: false,
		value,
	}));
	const metas = {
		TEXT: { type: 'text' },
		NUMBER: { type: 'number' },
		RADIO: { type: 'radio', values },
		CHECKBOX: {
			type: 'checkbox',
			values,
			validationRule: 'Select at least',
			validationLength: 2,
		},
		DROPDOWN: { type: 'dropdown', values: [{ value: 'V1' }] },
		DATE: { type: 'date' },
	};
	const place = { page: 1, positionX: 10, positionY: 20, width: 30, height: 5 };
	let templateId: string;
	let ids: Record<string, number>;

	beforeEach(async () => {
		const more = Object.entries(metas).map(([type, fieldMeta]) => ({ type, fieldMeta, ...place }));
		templateId = await createDocument(service, {
			type: 'TEMPLATE',
			meta: { dateFormat: 'dd/MM/yyyy' },
			recipients: [{ ...signer, fields: [signatureField, ...more] }],
		});
		ids = Object.fromEntries(
			envelopeOf(service, templateId).fields.map(({ type, id }) => [type, id]),
		);
	});

	async function use(prefills: object[], more: object = {}): Promise<Answer> {
		const payload = { envelopeId: templateId, prefillFields: prefills, ...more };
		return await post('use', { payload });
	}

	async function usedField(type: string, prefill: object, more: object = {}) {
		const { body } = await use([{ id: ids[type], type: type.toLowerCase(), ...prefill }], more);
		return envelopeOf(service, String(body.id)).fields.find((field) => field.type === type);
	}

	test.each([
		['RADIO', 'Z', (id: number) => `Value "Z" not found in options for RADIO field ${id}`],
		['CHECKBOX', ['Z'], (id: number) => `Value "Z" not found in options for CHECKBOX field ${id}`],
		['DROPDOWN', 'Z', (id: number) => `Value "Z" not found in options for DROPDOWN field ${id}`],
		['DATE', 'nonsense', (id: number) => `Invalid date value for field ${id}: nonsense`],
		['DATE', '', (id: number) => `Date value is required for field ${id}`],
		['DATE', undefined, (id: number) => `Date value is required for field ${id}`],
		['CHECKBOX', undefined, (id: number) => `Value is required for CHECKBOX field ${id}`],
		[
			'TEXT',
			undefined,
			(id: number) => `Invalid value for TEXT field ${id}: expected string, got undefined`,
		],
	])('a %s field given %j says why it does not fit', async (type, value, message) => {
		const id = Number(ids[type]);
		const answer = await use([{ id, type: type.toLowerCase(), value }]);
		expect(statusAndMessage(answer)).toEqual([400, message(id)]);
		expect(answer.body.data).toMatchObject({ code: 'INVALID_BODY' });
		expect(service.store.documents).toEqual([]);
	});

	test('unknown fields are named together, before types, before values', async () => {
		const unknown = [98, 99].map((id) => ({ id, type: 'text', value: 'x' }));
		const mismatch = { id: ids.SIGNATURE, type: 'text', value: 'x' };
		const wrongValue = { id: ids.RADIO, type: 'radio', value: 'Z' };
		expect(statusAndMessage(await use([wrongValue, mismatch, ...unknown]))[1]).toBe(
			'The following field IDs do not exist in the template: 98, 99',
		);
		expect(statusAndMessage(await use([wrongValue, mismatch]))[1]).toBe(
			`Field type mismatch for field ${ids.SIGNATURE}: expected signature, got text`,
		);
	});

	test('of two for one field the first counts', async () => {
		const twice = ['x', 'y'].map((value) => ({ id: ids.TEXT, type: 'text', value }));
		const { body } = await use(twice);
		const field = envelopeOf(service, String(body.id)).fields.find(({ type }) => type === 'TEXT');
		expect(field?.fieldMeta).toMatchObject({ text: 'x' });
	});

	test('fewer boxes than the rule asks for are accepted and left not inserted', async () => {
		const sent = { distributeDocument: true };
		const one = await usedField('CHECKBOX', { value: ['V1'] }, sent);
		expect(one).toMatchObject({ inserted: false, customText: '' });
		const two = await usedField('CHECKBOX', { value: ['V1', 'V3'] }, sent);
		expect(two).toMatchObject({ inserted: true, customText: '[0,2]' });
	});

	test("a date is printed in the template's format, whatever the document's", async () => {
		const override = { dateFormat: 'yyyy-MM-dd' };
		const date = await usedField('DATE', { value: '2026-03-04T00:00:00' }, { override });
		expect(date).toMatchObject({ inserted: true, customText: '04/03/2026' });
	});

	test('a document that cannot be sent says no more than that', async () => {
		envelopeOf(service, templateId).fields = [];
		expect(statusAndMessage(await use([], { distributeDocument: true }))).toEqual([
			400,
			'DOCUMENT_SEND_FAILED',
		]);
	});
});

test('template/use takes any text for true, so "false" sends, too', async () => {
	await createDocument(service, { type: 'TEMPLATE' });
	const recipients = [{ id: '1', email: 'a@x.example' }];
	const body = { templateId: 1, recipients, distributeDocument: 'false' };
	expect((await call(service, 'POST /template/use', body)).status).toBe(200);
	expect(service.store.documents).toMatchObject([{ status: 'PENDING' }]);
});

describe('a direct link', () => {
	const visitor = { email: 'direct.link@documenso.com', name: 'Direct link recipient' };
	let envelopeId: string;

	beforeEach(async () => {
		envelopeId = await createDocument(service, { type: 'TEMPLATE' });
	});

	async function post(action: string, body: object = {}) {
		return await call(service, `POST /template/direct/${action}`, { templateId: 1, ...body });
	}

	async function template() {
		return (await call(service, `GET /envelope/${envelopeId}`)).body;
	}

	test('a link adds a recipient for the visitor, and shows in the template', async () => {
		const { status, body } = await post('create');
		expect(status).toBe(200);
		expect(body).toMatchObject({
			enabled: true,
			directTemplateRecipientId: 2,
			envelopeId,
			templateId: 1,
			createdAt: expect.any(String) as string,
		});
		const { directLink, recipients } = await template();
		const { id, token } = body;
		expect(directLink).toEqual({ id, token, enabled: true, directTemplateRecipientId: 2 });
		expect(recipients).toMatchObject([{ id: 1 }, { id: 2, ...visitor, authOptions: null }]);
	});

	test('or makes a given recipient the visitor', async () => {
		await post('create', { directRecipientId: 1 });
		expect((await template()).recipients).toMatchObject([{ id: 1, ...visitor }]);
		await service.reset();
		envelopeId = await createDocument(service, { type: 'TEMPLATE' });
		expect((await post('create', { directRecipientId: 99 })).status).toBe(404);
	});

	test('there is one link to a template', async () => {
		await post('create');
		const { status, body } = await post('create');
		expect([status, body.message]).toEqual([400, 'Direct template already exists']);
		expect(body.data).toMatchObject({ code: 'ALREADY_EXISTS' });
	});

	test('without it the visitor is a placeholder again; deleting works twice', async () => {
		await post('create');
		for (let round = 1; round <= 2; round += 1) {
			expect((await post('delete')).body).toEqual({ success: true });
		}
		const { directLink, recipients } = await template();
		expect(directLink).toBeNull();
		const placeholder = { email: 'recipient.1@documenso.com', name: 'Recipient 1' };
		expect(recipients).toMatchObject([{ id: 1 }, { id: 2, ...placeholder }]);
		expect((await post('toggle', { enabled: true })).status).toBe(404);
	});

	test('a link whose recipient was deleted can be neither deleted nor replaced', async () => {
		await post('create', { directRecipientId: 1 });
		await call(service, 'POST /envelope/recipient/delete', { recipientId: 1 });
		const { status, body } = await post('delete');
		expect([status, body.message]).toEqual([
			500,
			expect.stringContaining('No record was found for an update.'),
		]);
		expect((await post('create')).body.message).toBe('Direct template already exists');
	});

	test('an unknown template is 404', async () => {
		const { status, body } = await post('create', { templateId: 99 });
		expect([status, body.message]).toEqual([404, 'Template not found']);
	});
});

describe('deprecated endpoints', () => {
	let content: Buffer;

	beforeAll(async () => {
		content = await pdf();
	});

	async function createTemplate(): Promise<string> {
		const payload = { type: 'TEMPLATE', title: 'NDA', recipients: [signer] };
		const uploads = [{ filename: 'nda.pdf', content }];
		const { body } = await call(service, 'POST /envelope/create', form(payload, uploads));
		return String(body.id);
	}

	describe('deprecated template endpoints', () => {
		it('answer a template by number, with its file in base64', async () => {
			const id = await createTemplate();
			const { body } = await call(service, 'GET /template/1');

			expect(body).toMatchObject({ id: 1, envelopeId: id, title: 'NDA', type: 'PRIVATE' });
			expect(body.templateDocumentData).toMatchObject({ data: content.toString('base64') });
			expect(body.templateMeta).not.toHaveProperty('envelopeExpirationPeriod');
		});

		it('list templates only', async () => {
			await createDocument(service);
			await createTemplate();

			const { body } = await call(service, 'GET /template?type=PRIVATE');
			const none = await call(service, 'GET /template?type=PUBLIC');

			expect(body).toMatchObject({ count: 1, data: [{ id: 1, templateDocumentDataId: '' }] });
			expect(none.body.count).toBe(0);
		});
	});

	it.each(['document', 'template'])('keep the old way to fill in fields of a %s', async (kind) => {
		const numbers = { documentId: 1, templateId: 1 };
		await (kind === 'document' ? createDocument(service) : createTemplate());
		const update = async (data: object) => {
			const { body } = await call(service, `POST /${kind}/update`, { ...numbers, data });
			return body.useLegacyFieldInsertion;
		};

		expect(await update({ useLegacyFieldInsertion: true })).toBe(true);
		expect(await update({ title: 'New' })).toBe(true);
		const { body } = await call(service, `GET /${kind}`);
		expect(body.data).toMatchObject([{ useLegacyFieldInsertion: true }]);
	});

	it('use a template with other stored files', async () => {
		const template = envelopeOf(service, await createTemplate());
		const other = (await create(service, {}, await pdf('Another file'))).body.id;
		const [file] = envelopeOf(service, other).items;
		const use = async (given: object) => {
			const body = { templateId: 1, recipients: [], ...given };
			const answer = await call(service, 'POST /template/use', body);
			const { initialData } = (answer.body.documentData ?? {}) as { initialData?: string };
			return [answer.status, initialData ?? answer.body.message];
		};
		const documentDataId = file?.documentDataId;

		const replaced = [200, (await file?.original.read())?.toString('base64')];
		expect(await use({ customDocumentDataId: documentDataId })).toEqual(replaced);
		const customDocumentData = [{ documentDataId, envelopeItemId: template.items[0]?.id }];
		expect(await use({ customDocumentData })).toEqual(replaced);
		const missing = [404, 'Document data not found'];
		expect(await use({ customDocumentDataId: 'x' })).toEqual(missing);
		const elsewhere = [{ documentDataId: 'x', envelopeItemId: 'envelope_item_x' }];
		expect(await use({ customDocumentData: elsewhere })).toEqual([200, content.toString('base64')]);
	});

	describe('deprecated creations', () => {
		const upload = (filename: string) => ({ filename, content, name: 'file' });

		it('name the file after the document, which the old signing page shows', async () => {
			const body = form({ title: 'Old', recipients: [] }, [upload('a.pdf')]);
			const { envelopeId } = (await call(service, 'POST /document/create', body)).body;

			expect(service.store.envelopes.get(String(envelopeId))).toMatchObject({
				internalVersion: 1,
				items: [{ title: 'Old' }],
			});
		});

		it.each([
			['two files', () => [upload('a.pdf'), upload('b.pdf')]],
			['an empty file', () => [{ ...upload('a.pdf'), content: Buffer.alloc(0) }]],
		])('refuse %s', async (_, files) => {
			const body = form({ title: 'Old', recipients: [] }, files());
			const answer = await call(service, 'POST /document/create', body);

			expect(answer.status).toBe(400);
			expect(answer.body.issues).toMatchObject([
				{ message: 'Input not instance of File', path: ['file'] },
			]);
		});

		it('keep the public texts of a template, and its documents are old, too', async () => {
			const texts = { publicTitle: 'For all', publicDescription: 'Sign here' };
			const body = form({ title: 'Old', ...texts }, [upload('a.pdf')]);
			const { envelopeId, id } = (await call(service, 'POST /template/create', body)).body;
			const used = { templateId: id, recipients: [] };
			const document = (await call(service, 'POST /template/use', used)).body;

			expect(service.store.envelopes.get(String(envelopeId))).toMatchObject(texts);
			expect(document).toMatchObject({ internalVersion: 1 });
		});
	});

	it('needs an ID to get many documents, and downloads whatever the version', async () => {
		const none = await call(service, 'POST /document/get-many', { documentIds: [] });
		await createDocument(service);
		const file = await call(service, 'GET /document/1/download?version=unknown');

		expect([none.status, file.status]).toEqual([400, 200]);
	});

	it('needs the file to create a document', async () => {
		const body = form({ title: 'Old', recipients: [] }, []);

		expect((await call(service, 'POST /document/create', body)).status).toBe(400);
	});
});

const first = { ...signer, email: 'first@example.com', name: 'First' };

describe('using a template', () => {
	const use = async (envelopeId: string, payload: object = {}) =>
		await call(service, 'POST /envelope/use', form({ envelopeId, ...payload }, []));

	test('without files is refused, behind what is wrong with the folder', async () => {
		const id = await createDocument(service, { type: 'TEMPLATE' });
		const template = envelopeOf(service, id);
		template.items = [];
		const { status, body } = await use(id);
		expect([status, body.message]).toEqual([400, 'Template must have at least 1 envelope item']);
		expect((await use(id, { folderId: 'nowhere' })).status).toBe(404);
		const legacy = { templateId: template.legacyId, recipients: [] };
		expect((await call(service, 'POST /template/use', legacy)).status).toBe(400);
	});

	test('copies neither its form values, nor the numbers of files anew', async () => {
		const id = await createDocument(service, { type: 'TEMPLATE', formValues: { Rent: '900' } });
		const template = envelopeOf(service, id);
		for (const item of template.items) item.order = 7;
		for (const recipient of template.recipients) recipient.authOptions = null;
		const made = envelopeOf(service, (await use(id)).body.id);
		expect(made).toMatchObject({
			formValues: null,
			items: [{ order: 7 }],
			recipients: [{ authOptions: { accessAuth: [], actionAuth: [] } }],
		});
	});
});

test.each<[unknown, string | null]>([
	[null, null],
	['', ''],
	['  ', '  '],
	['x'.repeat(300), 'x'.repeat(300)],
])('a deprecated template takes any external ID: %j', async (externalId, kept) => {
	const file = { filename: 'a.pdf', content: await pdf(), name: 'file' };
	const { status, body } = await call(
		service,
		'POST /template/create',
		form({ title: 'Old', externalId }, [file]),
	);
	expect([status, envelopeOf(service, body.envelopeId).externalId]).toEqual([200, kept]);
});

test.each([
	['tells which fields are missing', [{ ...first, fields: [] }], 'MISSING_SIGNATURE_FIELD'],
	['says no more than that where nobody has to sign', [], 'DOCUMENT_SEND_FAILED'],
])('using a deprecated template that cannot be sent %s', async (_, recipients, code) => {
	const template = envelopeOf(
		service,
		await createDocument(service, { type: 'TEMPLATE', recipients }),
	);
	const { status, body } = await call(service, 'POST /template/use', {
		...{ templateId: template.legacyId, recipients: [], distributeDocument: true },
	});
	expect(status).toBe(400);
	expect(body.data).toMatchObject({ code });
});

test('using a deprecated template trims the external ID, and refuses a long one', async () => {
	const template = envelopeOf(service, await createDocument(service, { type: 'TEMPLATE' }));
	const use = async (externalId: string) =>
		await call(service, 'POST /template/use', {
			...{ templateId: template.legacyId, recipients: [], externalId },
		});
	expect((await use(' X ')).body.externalId).toBe('X');
	expect((await use('x'.repeat(256))).status).toBe(400);
});

test.each([null, '', 0])('a direct link for recipient %j gets one of its own', async (id) => {
	const template = envelopeOf(service, await createDocument(service, { type: 'TEMPLATE' }));
	const { status } = await call(service, 'POST /template/direct/create', {
		...{ templateId: template.legacyId, directRecipientId: id },
	});
	expect([status, template.recipients.length]).toEqual([200, 2]);
});

test('a direct link gets no recipient of its own if somebody has that address already', async () => {
	const taken = { ...first, email: 'Direct.Link@documenso.com' };
	const template = envelopeOf(
		service,
		await createDocument(service, { type: 'TEMPLATE', recipients: [taken] }),
	);
	const link = { templateId: template.legacyId };
	const refused = await call(service, 'POST /template/direct/create', link);
	expect([refused.status, refused.body.message]).toEqual([
		400,
		'Cannot generate placeholder direct recipient',
	]);
	const given = { ...link, directRecipientId: template.recipients[0]?.id };
	expect((await call(service, 'POST /template/direct/create', given)).status).toBe(200);
});

test('a template for the organisation is private where another team duplicates it', async () => {
	const id = await createDocument(service, { type: 'TEMPLATE' });
	const data = { templateType: 'ORGANISATION' };
	await call(service, 'POST /envelope/update', { envelopeId: id, data });
	const typeOfCopy = async (token: string) => {
		const { body } = await call(service, 'POST /envelope/duplicate', { envelopeId: id }, token);
		return envelopeOf(service, body.id).templateType;
	};
	expect(await typeOfCopy(DEMO_TOKEN)).toBe('ORGANISATION');
	expect(await typeOfCopy('api_second_team')).toBe('PRIVATE');
});

test('nobody makes a direct link for a template that only their team’s address has to do with', async () => {
	const template = envelopeOf(service, await createDocument(service, { type: 'TEMPLATE' }));
	const input = { templateId: template.legacyId };
	const { status } = await call(
		service,
		'POST /template/direct/create',
		input,
		'api_address_of_owner',
	);
	expect([status, template.directLink]).toEqual([500, null]);
});
