import { PDFDocument } from '@cantoo/pdf-lib';
import {
	DEMO_TEAM,
	DEMO_TOKEN,
	DEMO_USER,
	startEmulator,
	type Emulator,
	type EmulatorOptions,
} from '../../emulator';
import { pdf } from '../support/pdf';
import {
	call,
	createDocument,
	form,
	sendDocument,
	signatureField,
	signer,
	type Answer,
} from './api';

const OTHER_TEAM_TOKEN = 'api_other_team';
const otherTeam = { id: 2, url: 'second', name: 'Second Team' };
const TOO_LARGE = 'value "99999999999999" is out of range for type integer';
const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

const options: EmulatorOptions = {
	sealDelayMs: 0,
	tokens: [
		{ token: DEMO_TOKEN, user: DEMO_USER, team: DEMO_TEAM },
		{ token: OTHER_TEAM_TOKEN, user: DEMO_USER, team: otherTeam },
	],
};

let service: Emulator;

beforeAll(async () => (service = await startEmulator(options)));
afterAll(async () => await service.close());
beforeEach(async () => await service.reset());

async function post(path: string, body: unknown, token?: string): Promise<Answer> {
	return await call(service, `POST /envelope/${path}`, body, token);
}

async function get(path: string, token?: string): Promise<Answer> {
	return await call(service, `GET ${path}`, undefined, token);
}

function statusAndMessage({ status, body }: Answer): [number, unknown] {
	return [status, body.message];
}

function envelopeOf(id: string) {
	const envelope = service.store.envelopes.get(id);
	if (!envelope) throw new Error(`No envelope ${id}`);
	return envelope;
}

async function withField(field: object, payload: object = {}): Promise<string> {
	const fields = [signatureField, { ...signatureField, ...field }];
	return await createDocument(service, { recipients: [{ ...signer, fields }], ...payload });
}

describe('13.13 The local Documenso as observed: numbers that are no integers', () => {
	test('half a row of documents is a database error, half of other rows is cut off', async () => {
		const id = await createDocument(service);
		for (const path of ['/envelope?perPage=1.5', '/document?perPage=1.5']) {
			const [status, message] = statusAndMessage(await get(path));
			expect(status).toBe(500);
			expect(message).toContain('invalid input syntax for type bigint: "1.5"');
		}
		expect(statusAndMessage(await get('/envelope?templateId=1.5'))[0]).toBe(500);
		expect(statusAndMessage(await get('/envelope?templateId=99999999999999'))[1]).toContain(
			TOO_LARGE,
		);
		expect((await get('/envelope?page=1.5')).status).toBe(200);
		const log = await get(`/envelope/${id}/audit-log?perPage=1.5`);
		expect(log.body).toMatchObject({ data: [{}], perPage: 1.5, totalPages: 1 });
	});

	test('1.5 is read as 1 by get and is unknown to delete', async () => {
		await createDocument(service);
		expect((await get('/envelope/recipient/1.5')).body).toMatchObject({ id: 1 });
		expect((await get('/envelope/field/1.5')).body).toMatchObject({ id: 1 });
		const answers = [
			await post('recipient/delete', { recipientId: 1.5 }),
			await post('field/delete', { fieldId: 1.5 }),
		];
		expect(answers.map(statusAndMessage)).toEqual([
			[404, 'Recipient not found'],
			[404, 'Field not found'],
		]);
	});

	test("an id beyond 32 bits is 500 with the database's words", async () => {
		const tooLarge = 99999999999999;
		const answers = [
			await get(`/envelope/recipient/${tooLarge}`),
			await get(`/envelope/field/${tooLarge}`),
			await post('recipient/delete', { recipientId: tooLarge }),
			await post('field/delete', { fieldId: tooLarge }),
			await post(`recipient/${tooLarge}/reject`, { envelopeId: 'envelope_abc', reason: 'No' }),
		];
		for (const [status, message] of answers.map(statusAndMessage)) {
			expect(status).toBe(500);
			expect(message).toMatch(/^\nInvalid `prisma\.\w+\.find(First|Unique)\(\)` invocation/);
			expect(message).toContain(TOO_LARGE);
		}
	});
});

describe('13.13 The local Documenso as observed: input', () => {
	test('a body that is a list, a text, a number or null is judged key by key', async () => {
		for (const body of [[], ['x'], 'text', 5, null, true]) {
			const { status, body: answer } = await post('distribute', JSON.stringify(body));
			expect(status).toBe(400);
			expect(answer.issues).toEqual([
				expect.objectContaining({ message: 'Required', path: ['envelopeId'] }),
			]);
		}
	});

	test('an id without its prefix is 400 everywhere but for delete and the log as a PDF', async () => {
		const envelopeId = 'nope';
		const refused = [
			await get('/envelope/nope'),
			await get('/envelope/nope/audit-log'),
			await get('/envelope/attachment?envelopeId=nope'),
			await post('distribute', { envelopeId }),
			await post('redistribute', { envelopeId, recipients: [1] }),
			await post('cancel', { envelopeId }),
			await post('update', { envelopeId }),
			await post('duplicate', { envelopeId }),
			await post('recipient/create-many', { envelopeId, data: [] }),
			await post('recipient/1/reject', { envelopeId, reason: 'No' }),
			await post('field/create-many', { envelopeId, data: [] }),
			await post('item/delete', { envelopeId, envelopeItemId: 'x' }),
			await post('use', { payload: { envelopeId } }),
		];
		for (const answer of refused)
			expect(statusAndMessage(answer)).toEqual([400, 'Invalid envelope ID']);
		const certificate = await get('/envelope/nope/certificate/download');
		expect([certificate.status, certificate.body]).toEqual([
			400,
			{ error: 'Invalid envelope ID', code: 'INVALID_BODY' },
		]);
		expect(statusAndMessage(await post('delete', { envelopeId }))).toEqual([
			404,
			'Envelope not found',
		]);
		expect((await get('/envelope/nope/audit-log/download')).status).toBe(404);
	});

	test('the log of an unknown document is 404, that of a template 400', async () => {
		expect(statusAndMessage(await get('/envelope/envelope_unknown/audit-log'))).toEqual([
			404,
			'NOT_FOUND',
		]);
		const template = await createDocument(service, { type: 'TEMPLATE' });
		expect(statusAndMessage(await get(`/envelope/${template}/audit-log`))).toEqual([
			400,
			'Templates do not have audit logs.',
		]);
	});

	test('an attachment needs a label', async () => {
		const envelopeId = await createDocument(service);
		const data = { label: '', data: 'https://example.com' };
		const issues = [expect.objectContaining({ message: 'Label is required' })];
		expect((await post('attachment/create', { envelopeId, data })).body.issues).toEqual(issues);
		const payload = { type: 'DOCUMENT', title: 'x', attachments: [data] };
		expect((await post('create', { payload })).body.issues).toEqual(issues);
	});
});

describe('13.13 The local Documenso as observed: e-mail addresses', () => {
	const wide = ['Søren@Gmail.com', 'user@münchen.example', 'tina@localhost', '.a`{|}~@x-y.z'];
	const refused = ['a b@x.example', 'a@-x.example', 'a@x..y', '"q"@x.example', '😀@x.example'];

	test.each(wide)('%s is taken and stored in lower case', async (email) => {
		const id = await createDocument(service, { recipients: [{ ...signer, email }] });
		const { body } = await post('recipient/create-many', {
			envelopeId: id,
			data: [{ email, name: 'B', role: 'SIGNER' }],
		});
		expect(body.data).toMatchObject([{ email: email.toLowerCase() }]);
		expect(envelopeOf(id).recipients[0]?.email).toBe(email.toLowerCase());
		const meta = { emailReplyTo: email };
		expect((await post('update', { envelopeId: id, meta })).status).toBe(200);
		expect(envelopeOf(id).documentMeta.emailReplyTo).toBe(email);
	});

	test.each([...refused, `${'a'.repeat(246)}@x.exampl`, `a@${'l'.repeat(64)}.example`])(
		'%s is refused',
		async (email) => {
			const payload = { type: 'DOCUMENT', title: 'x', recipients: [{ ...signer, email }] };
			expect((await post('create', { payload })).status).toBe(400);
		},
	);

	test('a wrong one is worded by where it stands', async () => {
		const payload = { type: 'DOCUMENT', title: 'x', delegatedDocumentOwner: 'nobody' };
		expect((await post('create', { payload })).body.issues).toMatchObject([
			{ message: 'Invalid email address' },
		]);
		const recipients = [{ ...signer, fields: [], email: 'nobody' }];
		const answer = await post('create', { payload: { type: 'DOCUMENT', title: 'x', recipients } });
		expect(answer.body.issues).toMatchObject([{ message: 'Invalid email' }]);
	});
});

describe('13.13 The local Documenso as observed: files', () => {
	async function upload(content: Uint8Array, type?: string, recipients: object[] = []) {
		const payload = { type: 'DOCUMENT', title: 'x', recipients };
		return await post('create', form(payload, [{ filename: 'a.pdf', content, type }]));
	}

	test('a PDF with an owner password only is encrypted', async () => {
		const locked = await PDFDocument.create();
		locked.addPage();
		locked.encrypt({ ownerPassword: 'secret', permissions: { printing: 'highResolution' } });
		const answer = await upload(await locked.save());
		expect(statusAndMessage(answer)).toEqual([400, 'The document is encrypted']);
		expect(answer.body.data).toMatchObject({ code: 'INVALID_DOCUMENT_FILE' });
	});

	const head = '%PDF-1.7\n1 0 obj\n<<\n/Type /Pages\n/Kids [ 5 0 R ]\n/Count 1\n>>\nendobj\n';
	const catalog = '2 0 obj\n<<\n/Type /Catalog\n/Pages 1 0 R\n>>\nendobj\n';

	test.each([
		['inside its list of pages', head.slice(0, 45), 'PENDING'],
		['before its catalog', head, 'PENDING'],
		['behind its catalog', `${head}${catalog}`, 'COMPLETED'],
	])('a PDF cut short %s is taken; where it ends once signed', async (_where, text, status) => {
		const content = Buffer.from(text);
		const answer = await upload(content, undefined, [signer]);
		expect(answer.status).toBe(200);
		const { id: envelopeId, items } = envelopeOf(String(answer.body.id));
		expect(await items[0]?.original.read()).toEqual(content);
		await post('distribute', { envelopeId });
		await service.sign(String(envelopeOf(envelopeId).recipients[0]?.token));
		await service.settled();
		expect(envelopeOf(envelopeId).status).toBe(status);
	});

	test('a PDF cut short before its list of pages is refused', async () => {
		expect(statusAndMessage(await upload(Buffer.from(head.slice(0, 16))))).toEqual([
			400,
			'The document is not a valid PDF',
		]);
	});

	test('the largest file has 50,000,000 bytes', async () => {
		const padded = async (bytes: number) =>
			await upload(Buffer.concat([await pdf(), Buffer.alloc(bytes)], bytes));
		expect((await padded(50_000_000)).status).toBe(200);
		expect((await padded(50_000_001)).body.issues).toMatchObject([
			{ message: 'File cannot be larger than 50MB' },
		]);
	});

	test('a Word file is not converted where no server for it is set up', async () => {
		const { status, body } = await upload(Buffer.from('PK'), WORD);
		expect(status).toBe(400);
		expect(body.data).toMatchObject({ code: 'CONVERSION_SERVICE_UNAVAILABLE', httpStatus: 503 });
	});

	test('where one is set up, a PDF is stored, whose title keeps the name', async () => {
		const converting = await startEmulator({ convertsWordFiles: true });
		const file = { filename: 'Pläne.docx', content: Buffer.from('PK'), type: WORD };
		const payload = { type: 'DOCUMENT', title: 'Lease' };
		const { body } = await call(converting, 'POST /envelope/create', form(payload, [file]));
		const [item] = converting.store.envelopes.get(String(body.id))?.items ?? [];
		expect(item?.title).toBe('Pläne.docx');
		expect((await item?.original.read())?.subarray(0, 5).toString()).toBe('%PDF-');
		await converting.close();
	});

	test('a replaced file has to be among the uploads, and its item in the template', async () => {
		const envelopeId = await createDocument(service, { type: 'TEMPLATE' });
		const itemId = envelopeOf(envelopeId).items[0]?.id;
		const content = await pdf();
		const use = async (mapping: object, ...filenames: string[]) => {
			const uploads = filenames.map((filename) => ({ filename, content }));
			const customDocumentData = [{ identifier: 'a.pdf', envelopeItemId: itemId, ...mapping }];
			return statusAndMessage(await post('use', form({ envelopeId, customDocumentData }, uploads)));
		};
		expect(await use({ identifier: 'nope.pdf' }, 'a.pdf')).toEqual([
			404,
			'File with identifier "nope.pdf" not found in uploaded files',
		]);
		expect(await use({ envelopeItemId: 'envelope_item_x' }, 'a.pdf')).toEqual([
			404,
			'Envelope item with ID "envelope_item_x" not found in template',
		]);
		expect(await use({}, 'a.pdf', 'b.pdf')).toEqual([
			400,
			'You cannot upload more than 1 envelope items per envelope',
		]);
		expect(service.store.documents).toEqual([]);
	});
});

describe('13.13 The local Documenso as observed: fields', () => {
	test('a free signature takes no settings, and without them cannot be sent', async () => {
		const envelopeId = await createDocument(service);
		const create = async (more: object) =>
			await post('field/create-many', {
				envelopeId,
				data: [{ ...signatureField, type: 'FREE_SIGNATURE', recipientId: 1, ...more }],
			});
		for (const fieldMeta of [{}, null, { type: 'signature' }]) {
			expect((await create({ fieldMeta })).status).toBe(400);
		}
		expect((await create({})).body.data).toMatchObject([{ fieldMeta: null }]);
		const answer = await post('distribute', { envelopeId });
		expect(answer.body.data).toMatchObject({ code: 'INVALID_REQUEST' });
		expect(statusAndMessage(answer)[1]).toMatch(
			/^One or more fields have invalid metadata\. Error: .*Expected undefined, received null/s,
		);
		expect(envelopeOf(envelopeId)).toMatchObject({ status: 'DRAFT', auditLog: [{}, {}] });
		const data = [{ id: 1, type: 'FREE_SIGNATURE' }];
		expect(statusAndMessage(await post('field/update-many', { envelopeId, data }))).toEqual([
			400,
			'Field meta type does not match the field type',
		]);
	});

	test('a field behind the last page lands on the certificate, and the document completes', async () => {
		const fields = [{ ...signatureField, page: 2 }];
		const { id, tokens } = await sendDocument(service, { recipients: [{ ...signer, fields }] });
		const itemId = envelopeOf(id).items[0]?.id;
		expect((await get(`/envelope/item/${itemId}/download?version=pending`)).status).toBe(200);
		await service.sign(String(tokens[0]));
		await service.settled();
		expect(envelopeOf(id).status).toBe('COMPLETED');
	});

	const boxes = (checked: number) =>
		['A', 'B', 'C'].map((value, index) => ({ id: index + 1, checked: index < checked, value }));

	test.each([
		['Select at least', 2, 1, ''],
		['Select at least', 2, 2, '[0,1]'],
		['Select exactly', 2, 3, ''],
		['Select exactly', 2, 2, '[0,1]'],
		['Select at most', 1, 2, ''],
		['Select at most', 1, 1, '[0]'],
		['Select at least', 5, 3, ''],
		['Select at least', 0, 1, '[0]'],
	])('"%s %i" with %i boxes checked fills in "%s"', async (rule, length, checked, text) => {
		const values = boxes(checked);
		const meta = { type: 'checkbox', values, validationRule: rule, validationLength: length };
		const id = await withField({ type: 'CHECKBOX', fieldMeta: meta });
		expect((await post('distribute', { envelopeId: id })).status).toBe(200);
		const field = envelopeOf(id).fields.find(({ type }) => type === 'CHECKBOX');
		expect(field).toMatchObject({ customText: text, inserted: text !== '' });
	});

	test('an unknown rule of a checkbox field stops distribute', async () => {
		const meta = { type: 'checkbox', values: boxes(1), validationRule: '>=', validationLength: 1 };
		const envelopeId = await withField({ type: 'CHECKBOX', fieldMeta: meta });
		const answer = await post('distribute', { envelopeId });
		expect(statusAndMessage(answer)).toEqual([400, 'Invalid checkbox validation rule']);
		expect(envelopeOf(envelopeId)).toMatchObject({ status: 'DRAFT', auditLog: [{}] });
	});

	test('a dropdown default that is no option is not filled in', async () => {
		const meta = { type: 'dropdown', values: [{ value: 'A' }], defaultValue: 'Z' };
		const envelopeId = await withField({ type: 'DROPDOWN', fieldMeta: meta });
		await post('distribute', { envelopeId });
		expect(envelopeOf(envelopeId).fields[1]).toMatchObject({ inserted: false, customText: '' });
	});

	test('an item of another document is worded by the operation', async () => {
		const envelopeId = await createDocument(service);
		const foreign = envelopeOf(await createDocument(service)).items[0]?.id;
		const place = { ...signatureField, envelopeItemId: foreign };
		const answers = [
			await post('field/create-many', { envelopeId, data: [{ ...place, recipientId: 1 }] }),
			await post('field/update-many', { envelopeId, data: [{ ...place, id: 1 }] }),
		];
		expect(answers.map(statusAndMessage)).toEqual([
			[400, 'Item to attach fields to must belong to the document'],
			[400, 'Envelope item not found'],
		]);
	});
});

describe('13.13 The local Documenso as observed: prefilling', () => {
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
		ids = Object.fromEntries(envelopeOf(templateId).fields.map(({ type, id }) => [type, id]));
	});

	async function use(prefills: object[], more: object = {}): Promise<Answer> {
		const payload = { envelopeId: templateId, prefillFields: prefills, ...more };
		return await post('use', { payload });
	}

	async function usedField(type: string, prefill: object, more: object = {}) {
		const { body } = await use([{ id: ids[type], type: type.toLowerCase(), ...prefill }], more);
		return envelopeOf(String(body.id)).fields.find((field) => field.type === type);
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
		const field = envelopeOf(String(body.id)).fields.find(({ type }) => type === 'TEXT');
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
		envelopeOf(templateId).fields = [];
		expect(statusAndMessage(await use([], { distributeDocument: true }))).toEqual([
			400,
			'DOCUMENT_SEND_FAILED',
		]);
	});
});

describe('13.13 The local Documenso as observed: the audit log', () => {
	async function logOf(id: string) {
		const { body } = await get(`/envelope/${id}/audit-log`);
		return body.data as Array<Record<string, unknown>>;
	}

	test('has the newest entry first; AUTO_INSERTED precedes SENT, names no user and may be empty', async () => {
		const { id } = await sendDocument(service);
		const [, inserted, sent] = await logOf(id);
		expect(inserted).toMatchObject({
			type: 'DOCUMENT_FIELDS_AUTO_INSERTED',
			name: null,
			userAgent: null,
			ipAddress: null,
			data: { fields: [] },
		});
		expect(sent).toMatchObject({ type: 'DOCUMENT_SENT', name: DEMO_TEAM.name });
	});

	test('notes the client and the address a proxy names', async () => {
		const id = await createDocument(service);
		await fetch(`${service.url}/api/v2/envelope/distribute`, {
			method: 'POST',
			headers: {
				authorization: DEMO_TOKEN,
				'content-type': 'application/json',
				'user-agent': 'mine/2',
				'x-forwarded-for': '203.0.113.7, 10.0.0.1',
			},
			body: JSON.stringify({ envelopeId: id }),
		});
		const [mailed, , sent, created] = await logOf(id);
		const noted = { userAgent: 'mine/2', ipAddress: '203.0.113.7' };
		expect([mailed, sent]).toMatchObject([noted, noted]);
		expect(created).toMatchObject({ userAgent: 'node', ipAddress: null });
	});

	test('has the texts and switches sent along with distribute, not the way or the language', async () => {
		const envelopeId = await createDocument(service);
		const silent = { distributionMethod: 'NONE', language: 'de', subject: '' };
		await post('distribute', { envelopeId, meta: silent });
		expect((await logOf(envelopeId)).map(({ type }) => type)).not.toContain(
			'DOCUMENT_META_UPDATED',
		);
		const meta = {
			subject: 'S',
			emailReplyTo: 'r@x.example',
			emailSettings: { documentPending: false },
		};
		await post('distribute', { envelopeId, meta });
		const entry = (await logOf(envelopeId)).find(({ type }) => type === 'DOCUMENT_META_UPDATED');
		expect(entry?.data).toEqual({
			changes: [
				{ type: 'SUBJECT', from: '', to: 'S' },
				{ type: 'EMAIL_REPLY_TO', from: null, to: 'r@x.example' },
				{
					type: 'EMAIL_SETTINGS',
					from: expect.stringMatching(/^\{"documentDeleted":true,"documentPending":true/) as string,
					to: expect.stringMatching(/^\{"documentDeleted":true,"documentPending":false/) as string,
				},
			],
		});
	});

	test.each([undefined, DEMO_USER.email])(
		'a rejection recorded for %s ends the document',
		async (actAsEmail) => {
			const { id: envelopeId } = await sendDocument(service);
			await post('recipient/1/reject', { envelopeId, reason: 'No', actAsEmail });
			await service.settled();
			const [ended, rejected] = await logOf(envelopeId);
			expect(ended?.type).toBe('DOCUMENT_COMPLETED');
			expect(rejected).toMatchObject({
				type: 'DOCUMENT_RECIPIENT_REJECTED',
				name: DEMO_USER.name,
				email: DEMO_USER.email,
				userId: DEMO_USER.id,
				data: { reason: 'No', isExternal: true },
			});
			// Named only if the request names it.
			expect((rejected?.data as Record<string, unknown>).onBehalfOfUserEmail).toBe(actAsEmail);
		},
	);

	test('distribute of a template is 500, but its settings are kept', async () => {
		const envelopeId = await createDocument(service, { type: 'TEMPLATE' });
		const answer = await post('distribute', { envelopeId, meta: { subject: 'Kept' } });
		expect(statusAndMessage(answer)).toEqual([500, 'Document not found']);
		expect(envelopeOf(envelopeId).documentMeta.subject).toBe('Kept');
	});
});

describe('13.13 The local Documenso as observed: tokens of other teams', () => {
	test('reach the documents of their own user, but neither single recipients nor files', async () => {
		const id = await createDocument(service);
		const itemId = envelopeOf(id).items[0]?.id;
		const statusOf = async (answer: Promise<Answer>) => (await answer).status;
		const reached = [
			get(`/envelope/${id}`, OTHER_TEAM_TOKEN),
			get(`/envelope/${id}/audit-log`, OTHER_TEAM_TOKEN),
			post('update', { envelopeId: id, data: { title: 'Mine' } }, OTHER_TEAM_TOKEN),
			post('distribute', { envelopeId: id }, OTHER_TEAM_TOKEN),
		];
		expect(await Promise.all(reached.map(statusOf))).toEqual([200, 200, 200, 200]);
		const outOfReach = [
			get('/envelope/recipient/1', OTHER_TEAM_TOKEN),
			get('/envelope/field/1', OTHER_TEAM_TOKEN),
			get(`/envelope/item/${itemId}/download`, OTHER_TEAM_TOKEN),
			post('recipient/delete', { recipientId: 1 }, OTHER_TEAM_TOKEN),
		];
		expect(await Promise.all(outOfReach.map(statusOf))).toEqual([404, 404, 404, 404]);
		expect((await get('/envelope', OTHER_TEAM_TOKEN)).body.data).toEqual([]);
	});
});

describe('13.13 The local Documenso as observed: lists', () => {
	test('pages count from the newest, so that a new document shows one row twice', async () => {
		for (const title of ['A', 'B', 'C']) await createDocument(service, { title });
		const page = async (number: number) =>
			((await get(`/envelope?perPage=2&page=${number}`)).body.data as Array<{ title: string }>).map(
				({ title }) => title,
			);
		expect(await page(1)).toEqual(['C', 'B']);
		await createDocument(service, { title: 'D' });
		expect(await page(2)).toEqual(['B', 'A']);
	});

	test('an unknown folder lists nothing', async () => {
		await createDocument(service);
		const { status, body } = await get('/envelope?folderId=cunknown');
		expect([status, body.data, body.count]).toEqual([200, [], 0]);
	});

	test('recipients come from distribute in no order to rely on', async () => {
		const recipients = ['a', 'b'].map((name) => ({ ...signer, email: `${name}@x.example` }));
		const envelopeId = await createDocument(service, { recipients });
		const { body } = await post('distribute', { envelopeId });
		expect((body.recipients as Array<{ email: string }>).map(({ email }) => email)).not.toEqual(
			recipients.map(({ email }) => email),
		);
	});
});
