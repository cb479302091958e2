import { PDFDocument } from '@cantoo/pdf-lib';
import { DEMO_TOKEN, startEmulator, type Emulator } from '../../emulator';
import { pdf } from '../support/pdf';
import { call, createDocument, form, read, signatureField, signer, type Answer } from './api';

/** What a real Documenso refuses, so that a green test cannot hide it, and what it accepts although one would not expect it. */
let service: Emulator;

beforeAll(async () => (service = await startEmulator()));
afterAll(async () => await service.close());
beforeEach(async () => await service.reset());

async function post(path: string, body: unknown): Promise<Answer> {
	return await call(service, `POST /${path}`, body);
}

async function create(payload: object, content?: Uint8Array): Promise<Answer> {
	const whole = { type: 'DOCUMENT', title: 'Contract', ...payload };
	const file = { filename: 'contract.pdf', content: content ?? (await pdf()) };
	return await post('envelope/create', form(whole, [file]));
}

async function update(body: object): Promise<Answer> {
	return await post('envelope/update', { envelopeId: await createDocument(service), ...body });
}

async function envelopeOf(answer: Promise<Answer>) {
	const envelope = service.store.envelopes.get(String((await answer).body.id));
	if (!envelope) throw new Error('Not created');
	return envelope;
}

function statusAndMessage({ status, body }: Answer): [number, unknown] {
	return [status, body.message];
}

const NUL = 'invalid byte sequence for encoding "UTF8": 0x00';
const SURROGATE = 'JSON Error: unexpected end of hex escape';

describe('texts that the database cannot store', () => {
	test.each<[string, object, string]>([
		['a title', { title: 'a\u0000' }, NUL],
		['half an emoji', { title: 'a\ud83d' }, SURROGATE],
		['an external ID', { externalId: '\udc00a' }, SURROGATE],
		['a name', { recipients: [{ ...signer, name: 'a\u0000' }] }, NUL],
		['a subject', { meta: { subject: '\u0000' } }, NUL],
		['a key of a form value', { formValues: { 'a\u0000': 'x' } }, NUL],
	])('%s is 500', async (_what, payload, message) => {
		expect(statusAndMessage(await create(payload))).toEqual([500, message]);
		expect(service.store.documents).toEqual([]);
	});

	test('in a search it is 500, in an ID only unknown, and a whole emoji is stored', async () => {
		expect((await call(service, 'GET /envelope?query=a%00')).status).toBe(500);
		expect((await call(service, 'GET /folder?query=a%00')).status).toBe(200);
		expect((await post('envelope/update', { envelopeId: 'envelope_a\u0000b' })).status).toBe(404);
		expect((await create({ title: '😀' })).status).toBe(200);
	});
});

describe('numbers that the database cannot store', () => {
	const withRecipient = (recipient: object) => ({ recipients: [{ ...signer, ...recipient }] });

	test.each<[string, object]>([
		['a signing order', withRecipient({ signingOrder: 1e10 })],
		['a page', withRecipient({ fields: [{ ...signatureField, page: 1e10 }] })],
	])('%s of 1e10 is 500', async (_what, payload) => {
		const [status, message] = statusAndMessage(await create(payload));
		expect([status, message]).toEqual([
			500,
			expect.stringContaining('out of range for type integer'),
		]);
	});

	test('so is one given later, and nothing is changed', async () => {
		const envelopeId = await createDocument(service);
		const [item] = service.store.envelopes.get(envelopeId)?.items ?? [];
		const answers = [
			await post('envelope/recipient/create-many', {
				envelopeId,
				data: [{ email: 'a@x.example', name: 'A', role: 'CC', signingOrder: 1e10 }],
			}),
			await post('envelope/recipient/update-many', {
				envelopeId,
				data: [
					{ id: 1, name: 'Changed' },
					{ id: 1, signingOrder: 1e10 },
				],
			}),
			await post('envelope/item/update-many', {
				envelopeId,
				data: [{ envelopeItemId: item?.id, order: 1e10 }],
			}),
			await call(service, 'GET /envelope?page=9007199254740993'),
		];
		expect(answers.map(({ status }) => status)).toEqual([500, 500, 500, 500]);
		expect(service.store.envelopes.get(envelopeId)?.recipients).toMatchObject([
			{ name: signer.name },
		]);
	});

	test('a fraction is cut off', async () => {
		const { recipients } = await envelopeOf(create(withRecipient({ signingOrder: 1.5 })));
		expect(recipients[0]?.signingOrder).toBe(1);
	});
});

describe('references to what does not exist', () => {
	test.each<[string, () => Promise<Answer>, number, string]>([
		[
			'a sender, in create',
			async () => await create({ meta: { emailId: 'x' } }),
			404,
			'Email not found',
		],
		[
			'a sender, in update',
			async () => await update({ meta: { emailId: 'x' } }),
			404,
			'Email not found',
		],
		[
			'a sender, in distribute',
			async () =>
				await post('envelope/distribute', {
					envelopeId: await createDocument(service),
					meta: { emailId: 'x' },
				}),
			404,
			'Email not found',
		],
		['an empty folder', async () => await create({ folderId: '' }), 500, 'Envelope_folderId_fkey'],
		[
			'an empty folder, in use',
			async () =>
				await post('envelope/use', {
					payload: {
						envelopeId: await createDocument(service, { type: 'TEMPLATE' }),
						folderId: '',
					},
				}),
			500,
			'Envelope_folderId_fkey',
		],
		[
			'an empty parent',
			async () => await post('folder/create', { name: 'Forms', parentId: '' }),
			500,
			'Folder_parentId_fkey',
		],
		[
			'an empty envelope',
			async () => await post('envelope/cancel', { envelopeId: '' }),
			404,
			'Envelope ID not found',
		],
		[
			'template 0',
			async () => await post('template/use', { templateId: 0, recipients: [] }),
			404,
			'Envelope ID not found',
		],
		[
			'a deleted template',
			async () => await post('template/delete', { templateId: 1 }),
			500,
			'prisma.envelope.findUniqueOrThrow',
		],
	])('%s', async (_what, request, status, message) => {
		expect(statusAndMessage(await request())).toEqual([status, expect.stringContaining(message)]);
	});

	test('update ignores an empty folder', async () => {
		const folder = await post('folder/create', { name: 'Forms' });
		const id = await createDocument(service, { folderId: folder.body.id });
		const answer = await post('envelope/update', { envelopeId: id, data: { folderId: '' } });
		expect([answer.status, answer.body.folderId]).toEqual([200, folder.body.id]);
	});

	test('a recipient of a template is rejected as unknown', async () => {
		const envelopeId = await createDocument(service, { type: 'TEMPLATE' });
		const answer = await post('envelope/recipient/1/reject', { envelopeId, reason: 'No' });
		expect(statusAndMessage(answer)).toEqual([404, 'Document or recipient not found']);
	});
});

describe("values for a PDF's form", () => {
	async function formPdf(): Promise<Uint8Array> {
		const document = await PDFDocument.create();
		const page = document.addPage();
		const fields = document.getForm();
		fields.createTextField('text').addToPage(page);
		fields.createCheckBox('box').addToPage(page);
		const list = fields.createDropdown('list');
		list.addOptions(['A', 'B']);
		list.addToPage(page);
		return await document.save();
	}

	test.each([
		[{ text: true }, 'Text field "text" requires string value, got boolean'],
		[{ box: 'x' }, 'Invalid value "x" for checkbox "box"'],
		[{ list: false }, 'Dropdown "list" requires string value'],
		[{ list: 'C' }, 'Invalid value "C" for dropdown "list"'],
	])('%j is 500', async (formValues, message) => {
		const answer = await create({ formValues }, await formPdf());
		expect(statusAndMessage(answer)).toEqual([500, message]);
	});

	test.each([{ text: 5 }, { box: true }, { box: 'Off' }, { list: 'A' }, { other: true }])(
		'%j is accepted',
		async (formValues) => {
			expect((await create({ formValues }, await formPdf())).status).toBe(200);
		},
	);
});

describe('web addresses', () => {
	test.each<[string, number, number]>([
		[' https://x.example ', 200, 200],
		['http:/x', 200, 200],
		['https://x y', 400, 400],
		['ftp://x.example', 400, 400],
		['', 200, 400],
	])('"%s" is %s as a redirect and %s as an attachment', async (address, redirect, attachment) => {
		expect((await update({ meta: { redirectUrl: address } })).status).toBe(redirect);
		const envelopeId = await createDocument(service);
		const data = { label: 'L', data: address };
		expect((await post('envelope/attachment/create', { envelopeId, data })).status).toBe(
			attachment,
		);
	});
});

describe('multipart bodies', () => {
	const PAYLOAD = 'form-data; name="payload"';
	const FILE = 'form-data; name="files"; filename="a.pdf"';
	const PDF = 'application/pdf';

	async function upload(
		parts: Array<[disposition: string, type?: string, content?: string]>,
		{ end = '--', type = 'multipart/form-data; boundary=XX' } = {},
	): Promise<Answer> {
		const payload = JSON.stringify({ type: 'DOCUMENT', title: 'Contract' });
		const file = await pdf();
		const pieces = parts.flatMap(([disposition, partType, content = file]) => [
			`--XX\r\nContent-Disposition: ${disposition}\r\n`,
			partType === undefined ? '\r\n' : `Content-Type: ${partType}\r\n\r\n`,
			disposition.includes('name="payload') ? payload : content,
			'\r\n',
		]);
		const response = await fetch(`${service.url}/api/v2/envelope/create`, {
			method: 'POST',
			headers: { authorization: DEMO_TOKEN, 'content-type': type },
			body: Buffer.concat([...pieces, `--XX${end}\r\n`].map((piece) => Buffer.from(piece))),
		});
		return await read(response);
	}

	test.each<[string, Parameters<typeof upload>[0], string]>([
		[
			'a type with parameters',
			[[PAYLOAD], [FILE, `${PDF}; charset=binary`]],
			'Unsupported file type: application/pdf; charset=binary',
		],
		[
			'a file without a name',
			[[PAYLOAD], ['form-data; name="files"', PDF]],
			'Input validation failed',
		],
		['a payload twice', [[PAYLOAD], [PAYLOAD], [FILE, PDF]], 'Input validation failed'],
		[
			'a part without a name',
			[[PAYLOAD], ['form-data; filename="a.pdf"', PDF]],
			'Failed to parse request body',
		],
		[
			'a part of another kind',
			[[PAYLOAD], ['attachment; name="files"', PDF]],
			'Failed to parse request body',
		],
	])('%s is 400', async (_what, parts, message) => {
		expect(statusAndMessage(await upload(parts))).toEqual([400, message]);
	});

	test.each(['x\r\n--XX tail', 'x\r\n--XX\r\ntail', '--XX'])(
		'a file that contains the boundary is a PARSE_ERROR, and is answered: %j',
		async (content) => {
			const { status, body } = await upload([[PAYLOAD], [FILE, PDF, content]]);
			expect([status, body.code]).toEqual([400, 'PARSE_ERROR']);
		},
	);

	test('a name of a file that cannot be decoded is a PARSE_ERROR', async () => {
		const name = 'form-data; name="files"; filename="x.pdf"; filename*=UTF-8\'\'%ZZ';
		const { status, body } = await upload([[PAYLOAD], [name, PDF]]);
		expect([status, body.code]).toEqual([400, 'PARSE_ERROR']);
	});

	test('one that is cut short, or has no boundary, is a PARSE_ERROR', async () => {
		const parts: Parameters<typeof upload>[0] = [[PAYLOAD], [FILE, PDF]];
		const cut = await upload(parts, { end: '' });
		const unbounded = await upload(parts, { type: 'multipart/form-data' });
		const nameless = await upload([['form-data; filename="a.pdf"', PDF]], { end: '' });
		expect([cut, unbounded, nameless].map(({ status, body }) => [status, body.code])).toEqual([
			[400, 'PARSE_ERROR'],
			[400, 'PARSE_ERROR'],
			[400, 'PARSE_ERROR'],
		]);
	});

	test.each([
		['form-data; name="files"; filename="a%22b\'c.pdf"', 'a"b\'c.pdf'],
		['form-data; name="files"; filename="x.pdf"; filename*=UTF-8\'\'%C3%A4.pdf', 'ä.pdf'],
		['form-data; name="files[]"; filename="a.pdf"', 'a.pdf'],
		['form-data; name="files"; filename=""', 'Contract'],
	])('%s names the file %s', async (disposition, title) => {
		const { items } = await envelopeOf(upload([[PAYLOAD], [disposition, PDF]]));
		expect(items.map((item) => item.title)).toEqual([title]);
	});

	test('payload[] is the payload, too', async () => {
		expect((await upload([['form-data; name="payload[]"'], [FILE, PDF]])).status).toBe(200);
	});
});

describe('other bodies', () => {
	test.each<[string, string, number, string]>([
		['Application/JSON', '{"envelopeId":"x"}', 400, 'Invalid envelope ID'],
		['application/vnd.api+json', '{"envelopeId":"x"}', 400, 'Invalid envelope ID'],
		['text/plain', '{"envelopeId":"x"}', 400, 'Invalid envelope ID'],
		['text/plain', 'envelopeId=x', 500, 'Internal server error'],
		['application/xml', '<x/>', 500, 'Internal server error'],
		['multipart/mixed; boundary=XX', '--XX--', 500, 'Internal server error'],
		['application/octet-stream', '', 500, 'Internal server error'],
	])('%s with %s is %s', async (type, body, status, message) => {
		const headers = { authorization: DEMO_TOKEN, 'content-type': type };
		const url = `${service.url}/api/v2/envelope/update`;
		const answer = await read(await fetch(url, { method: 'POST', headers, body }));
		expect(statusAndMessage(answer)).toEqual([status, message]);
	});
});

test.each<[string, number]>([
	['/envelope?__proto__=1', 500],
	['/envelope?toString=1', 500],
	['/envelope/recipient/%201', 400],
	['/envelope/field/%20', 400],
])('GET %s is %s', async (path, status) => {
	await createDocument(service);
	expect((await call(service, `GET ${path}`)).status).toBe(status);
});

test('template/use takes any text for true, so "false" sends, too', async () => {
	await createDocument(service, { type: 'TEMPLATE' });
	const recipients = [{ id: '1', email: 'a@x.example' }];
	const body = { templateId: 1, recipients, distributeDocument: 'false' };
	expect((await post('template/use', body)).status).toBe(200);
	expect(service.store.documents).toMatchObject([{ status: 'PENDING' }]);
});

test('a field can count the files from the end, and a fraction is cut off', async () => {
	for (const identifier of [-1, 0.5]) {
		const recipients = [{ ...signer, fields: [{ ...signatureField, identifier }] }];
		expect((await create({ recipients })).status).toBe(200);
	}
});

describe('settings', () => {
	const empty = { message: '', subject: '', timezone: '', redirectUrl: '' };

	test('an empty text counts as not given on a new document', async () => {
		const defaults = { message: null, subject: null, timezone: 'Etc/UTC', redirectUrl: null };
		expect((await envelopeOf(create({ meta: empty }))).documentMeta).toMatchObject(defaults);
		const given = { message: 'M', subject: 'S', timezone: 'UTC', redirectUrl: 'https://x.example' };
		const envelopeId = await createDocument(service, { type: 'TEMPLATE', meta: given });
		const used = post('envelope/use', { payload: { envelopeId, override: empty } });
		expect((await envelopeOf(used)).documentMeta).toMatchObject(given);
	});

	test("a template's public texts are stored, and no longer than 50 and 256 characters", async () => {
		const id = await createDocument(service, { type: 'TEMPLATE' });
		const texts = { publicTitle: 'P'.repeat(50), publicDescription: 'D'.repeat(256) };
		expect((await post('template/update', { templateId: 1, data: texts })).body).toMatchObject(
			texts,
		);
		expect((await call(service, `GET /envelope/${id}`)).body).toMatchObject(texts);
		for (const data of [
			{ publicTitle: '' },
			{ publicTitle: 'P'.repeat(51) },
			{ publicDescription: 'D'.repeat(257) },
		]) {
			expect((await post('template/update', { templateId: 1, data })).status).toBe(400);
		}
	});

	test('0 or nothing as a template or folder does not filter', async () => {
		await createDocument(service);
		await createDocument(service, { type: 'TEMPLATE' });
		for (const path of [
			'/envelope?templateId=',
			'/envelope?templateId=0',
			'/document?templateId=',
		]) {
			expect((await call(service, `GET ${path}`)).body.data).not.toEqual([]);
		}
		expect((await call(service, 'GET /template?folderId=')).body.count).toBe(1);
	});
});

describe('an ID that is given twice', () => {
	test('is returned once by get-many, and a malformed one is named', async () => {
		const id = await createDocument(service);
		const getMany = async (ids: string[]) =>
			await post('envelope/get-many', { ids: { type: 'envelopeId', ids } });
		expect((await getMany([id, id])).body.data).toHaveLength(1);
		expect((await getMany([id, 'x'])).body.message).toBe('Invalid envelope ID: x');
	});

	test('is answered with both changes by update-many', async () => {
		const envelopeId = await createDocument(service);
		const envelopeItemId = service.store.envelopes.get(envelopeId)?.items[0]?.id;
		const changes: Array<[string, object, object]> = [
			['recipient', { id: 1, name: 'A' }, { id: 1, name: 'B' }],
			['item', { envelopeItemId, title: 'A' }, { envelopeItemId, title: 'B' }],
		];
		for (const [path, first, second] of changes) {
			const body = { envelopeId, data: [first, second] };
			const { data } = (await post(`envelope/${path}/update-many`, body)).body as {
				data: object[];
			};
			expect(data).toMatchObject(
				Object.keys(first).includes('id') ? [first, second] : [{ title: 'A' }, { title: 'B' }],
			);
		}
		const data = [11, 12].map((width) => ({ id: 1, type: 'SIGNATURE', width }));
		const { body } = await post('envelope/field/update-many', { envelopeId, data });
		expect(body.data).toMatchObject([{ width: '11' }, { width: '12' }]);
	});
});

test('the audit log notes access, null as it was, and emails before roles before names', async () => {
	const envelopeId = await createDocument(service);
	await post('envelope/update', {
		envelopeId,
		data: { externalId: '', globalAccessAuth: ['ACCOUNT'] },
	});
	const changed = { email: 'b@x.example', name: 'B', role: 'APPROVER', accessAuth: ['ACCOUNT'] };
	await post('envelope/recipient/update-many', { envelopeId, data: [{ id: 1, ...changed }] });
	const { body } = await call(service, `GET /envelope/${envelopeId}/audit-log`);
	const [recipient, access, externalId] = body.data as Array<{ data: { changes: object[] } }>;
	expect(recipient?.data.changes).toMatchObject([
		{ type: 'ACCESS_AUTH', from: [], to: ['ACCOUNT'] },
		{ type: 'EMAIL' },
		{ type: 'ROLE' },
		{ type: 'NAME' },
	]);
	expect(access?.data).toEqual({ from: [], to: ['ACCOUNT'] });
	expect(externalId?.data).toEqual({ from: null, to: '' });
});

test('a scope is compared only if the token and the request name one', async () => {
	const { body } = await post('embedding/create-presign-token', { scope: 'one' });
	const verify = async (scope?: string) =>
		(await post('embedding/verify-presign-token', { token: body.token, scope })).body.success;
	expect([await verify(), await verify('one'), await verify('other')]).toEqual([true, true, false]);
});

test('a downloaded file is named without its folder, and encoded if it looks encoded', async () => {
	const names = [];
	for (const filename of ['dir/a.pdf', 'dir\\b.pdf', 'c%20d.pdf']) {
		const file = { filename, content: await pdf() };
		const payload = { type: 'DOCUMENT', title: 'Contract' };
		const { items } = await envelopeOf(post('envelope/create', form(payload, [file])));
		const { headers } = await call(service, `GET /envelope/item/${items[0]?.id}/download`);
		names.push(headers.get('content-disposition'));
	}
	expect(names).toEqual([
		'attachment; filename="a_signed.pdf"',
		'attachment; filename="b_signed.pdf"',
		`attachment; filename="c%20d_signed.pdf"; filename*=UTF-8''c%2520d_signed.pdf`,
	]);
});

test.each([
	['POST /embedding/create-presign-token', {}, 'No API token provided'],
	[
		'GET /envelope/attachment?envelopeId=envelope_ab',
		undefined,
		'You must be authenticated to access this resource',
	],
])('%s without a token is 401 in its own words', async (line, body, message) => {
	expect(statusAndMessage(await call(service, line, body, null))).toEqual([401, message]);
});
