import { PDFDocument } from '@cantoo/pdf-lib';
import { DEMO_TOKEN } from '../../emulator';
import { pdf } from '../support/pdf';
import {
	type Answer,
	call,
	create,
	createDocument,
	envelopeOf,
	form,
	getting,
	posting,
	read,
	sendDocument,
	signatureField,
	signer,
	statusAndMessage,
	useEmulator,
} from './api';

const service = useEmulator();

const post = posting(service, '');
const get = getting(service);

async function created(answer: Promise<Answer>) {
	return envelopeOf(service, (await answer).body.id);
}

async function update(body: object): Promise<Answer> {
	return await post('envelope/update', { envelopeId: await createDocument(service), ...body });
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
		expect(statusAndMessage(await create(service, payload))).toEqual([500, message]);
		expect(service.store.documents).toEqual([]);
	});

	test('in a search it is 500, in an ID only unknown, and a whole emoji is stored', async () => {
		expect((await call(service, 'GET /envelope?query=a%00')).status).toBe(500);
		expect((await call(service, 'GET /folder?query=a%00')).status).toBe(200);
		expect((await post('envelope/update', { envelopeId: 'envelope_a\u0000b' })).status).toBe(404);
		expect((await create(service, { title: '😀' })).status).toBe(200);
	});
});

describe('numbers that the database cannot store', () => {
	const withRecipient = (recipient: object) => ({ recipients: [{ ...signer, ...recipient }] });

	test.each<[string, object]>([
		['a signing order', withRecipient({ signingOrder: 1e10 })],
		['a page', withRecipient({ fields: [{ ...signatureField, page: 1e10 }] })],
	])('%s of 1e10 is 500', async (_what, payload) => {
		const [status, message] = statusAndMessage(await create(service, payload));
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
		const { recipients } = await created(create(service, withRecipient({ signingOrder: 1.5 })));
		expect(recipients[0]?.signingOrder).toBe(1);
	});
});

describe('references to what does not exist', () => {
	test.each<[string, () => Promise<Answer>, number, string]>([
		[
			'a sender, in create',
			async () => await create(service, { meta: { emailId: 'x' } }),
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
		[
			'an empty folder',
			async () => await create(service, { folderId: '' }),
			500,
			'Envelope_folderId_fkey',
		],
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
		const answer = await create(service, { formValues }, await formPdf());
		expect(statusAndMessage(answer)).toEqual([500, message]);
	});

	test.each([{ text: 5 }, { box: true }, { box: 'Off' }, { list: 'A' }, { other: true }])(
		'%j is accepted',
		async (formValues) => {
			expect((await create(service, { formValues }, await formPdf())).status).toBe(200);
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
		['form-data; name=files; filename=a.pdf', 'a.pdf'],
		['Form-Data;\tfilename="a;b.pdf";name= "files"; size=5 x', 'a;b.pdf'],
		['form-data; name="files"; filename*=utf-8\'en\'x.pdf; filename="z.pdf"', "n'x.pdf"],
		['form-data; name="files"; filename=a b.pdf', 'a'],
	])('%s names the file %s', async (disposition, title) => {
		const { items } = await created(upload([[PAYLOAD], [disposition, PDF]]));
		expect(items.map((item) => item.title)).toEqual([title]);
	});

	test.each([
		'form-data; name="payload',
		'form-data; name',
		'form-data; name = "payload"',
		'form-data; name="payload"; filename*=latin1\'\'x',
		'form-data; name="payload" = x',
	])('a part described as %s is a PARSE_ERROR', async (disposition) => {
		const { status, body } = await upload([[disposition]]);
		expect([status, body.code]).toEqual([400, 'PARSE_ERROR']);
	});

	test('blanks around a type do not count, a type of other letters is none, and base64 is decoded', async () => {
		expect((await upload([[PAYLOAD], [FILE, ` ${PDF}\t `]])).status).toBe(200);
		expect((await upload([[PAYLOAD], [FILE, 'application/pdé']])).body.message).toBe(
			'Unsupported file type: ',
		);
		const base64 = `${PDF}\r\nContent-Transfer-Encoding: base64`;
		const content = Buffer.from(await pdf()).toString('base64');
		const { items } = await created(upload([[PAYLOAD], [FILE, base64, content]]));
		const stored = (await items[0]?.original.read()) ?? [];
		expect(Buffer.from(stored).toString('latin1', 0, 5)).toBe('%PDF-');
	});

	test('a payload behind a byte order mark is no JSON', async () => {
		const payload = `\ufeff${JSON.stringify({ type: 'DOCUMENT', title: 'Contract' })}`;
		const { status, body } = await call(service, 'POST /envelope/create', form(payload, []));
		expect([status, body.issues]).toMatchObject([
			400,
			[{ message: 'Expected object, received string' }],
		]);
	});

	test.each([
		['may have its file name first', 'form-data; filename="a.pdf"; name="files"', PDF, 200],
		['has the last of two types', FILE, `${PDF}\r\nContent-Type: ${PDF}x`, 400],
		['has no blanks around its names', 'form-data; name = "files"; filename="a.pdf"', PDF, 400],
	])('a part %s', async (_what, disposition, type, status) => {
		expect((await upload([[PAYLOAD], [disposition, type]])).status).toBe(status);
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
		['application/x-www-form-urlencoded', 'envelopeId=x', 400, 'Input validation failed'],
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

describe('settings', () => {
	const empty = { message: '', subject: '', timezone: '', redirectUrl: '' };

	test('an empty text counts as not given on a new document', async () => {
		const defaults = { message: null, subject: null, timezone: 'Etc/UTC', redirectUrl: null };
		expect((await created(create(service, { meta: empty }))).documentMeta).toMatchObject(defaults);
		const given = { message: 'M', subject: 'S', timezone: 'UTC', redirectUrl: 'https://x.example' };
		const envelopeId = await createDocument(service, { type: 'TEMPLATE', meta: given });
		const used = post('envelope/use', { payload: { envelopeId, override: empty } });
		expect((await created(used)).documentMeta).toMatchObject(given);
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

describe('numbers that are no integers', () => {
	const TOO_LARGE = 'value "99999999999999" is out of range for type integer';

	const post = posting(service, '/envelope');

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

describe('input that is malformed', () => {
	const post = posting(service, '/envelope');

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

describe('e-mail addresses', () => {
	const post = posting(service, '/envelope');

	const wide = ['Søren@Gmail.com', 'user@münchen.example', 'tina@localhost', '.a`{|}~@x-y.z'];
	const refused = ['a b@x.example', 'a@-x.example', 'a@x..y', '"q"@x.example', '😀@x.example'];

	test.each(wide)('%s is taken and stored in lower case', async (email) => {
		const id = await createDocument(service, { recipients: [{ ...signer, email }] });
		const { body } = await post('recipient/create-many', {
			envelopeId: id,
			data: [{ email, name: 'B', role: 'SIGNER' }],
		});
		expect(body.data).toMatchObject([{ email: email.toLowerCase() }]);
		expect(envelopeOf(service, id).recipients[0]?.email).toBe(email.toLowerCase());
		const meta = { emailReplyTo: email };
		expect((await post('update', { envelopeId: id, meta })).status).toBe(200);
		expect(envelopeOf(service, id).documentMeta.emailReplyTo).toBe(email);
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

describe('refuses', () => {
	const old = { title: 'Old', recipients: [{ email: '', name: 'A', role: 'SIGNER' }] };
	const requests: Array<[what: string, line: string, body: unknown, status: number, text: string]> =
		[
			[
				'a deprecated document whose recipient has no address',
				'POST /document/create',
				old,
				400,
				'Input validation failed',
			],
			[
				'to send a deprecated document that is not there',
				'POST /document/distribute',
				{ documentId: 999 },
				500,
				'Document not found',
			],
			[
				'to remind of one',
				'POST /document/redistribute',
				{ documentId: 999, recipients: [1] },
				500,
				'Document not found',
			],
			['one', 'GET /document/999/download-beta', undefined, 404, 'Envelope could not be found'],
			[
				'to change one',
				'POST /document/update',
				{ documentId: 999, data: {} },
				404,
				'Envelope not found',
			],
			['to copy one', 'POST /document/duplicate', { documentId: 999 }, 404, 'Document not found'],
			['to delete one', 'POST /document/delete', { documentId: 999 }, 404, 'Document not found'],
			['to delete none', 'POST /document/delete', { documentId: [] }, 404, 'Document not found'],
		];
	test.each(requests)('%s', async (_what, line, body, status, message) => {
		const file = { filename: 'a.pdf', content: await pdf(), name: 'file' };
		const sends = line === 'POST /document/create' ? form(body, [file]) : body;
		const answer = await call(service, line, sends);
		expect([answer.status, answer.body.message]).toEqual([status, message]);
	});

	test("to delete somebody else's document by its number", async () => {
		const { legacyId: documentId } = envelopeOf(service, await createDocument(service));
		const answer = await call(service, 'POST /document/delete', { documentId }, 'api_stranger');
		expect([answer.status, answer.body.message]).toEqual([401, 'Not allowed']);
	});

	test('the pending version of a deprecated document', async () => {
		const { envelope } = await sendDocument(service, {});
		envelope.internalVersion = 1;
		const line = `GET /envelope/item/${envelope.items[0]?.id}/download?version=pending`;
		const { status, body } = await call(service, line);
		expect([status, body.error]).toEqual([
			400,
			`Envelope ${envelope.id} is a legacy envelope and does not support partially signed PDF downloads`,
		]);
	});

	test('a number that is none in the path of a deprecated download', async () => {
		const answer = await call(service, 'GET /document/abc/download');
		expect([answer.status, answer.body]).toMatchObject([
			400,
			{ data: { documentId: 'abc' }, success: false, error: [{ received: 'nan' }] },
		]);
		expect((await call(service, 'GET /document/0/download')).body).toEqual({
			error: 'Document not found',
		});
	});

	test('a member who deletes a recipient of a document that they cannot see', async () => {
		const envelope = envelopeOf(service, await createDocument(service, { visibility: 'ADMIN' }));
		const recipientId = envelope.recipients[0]?.id;
		const answer = await call(
			service,
			'POST /envelope/recipient/delete',
			{ recipientId },
			'api_member',
		);
		expect([answer.status, answer.body.message]).toEqual([
			500,
			expect.stringContaining('prisma.recipient.delete'),
		]);
		expect(envelope.recipients).toHaveLength(1);
	});

	test('to move a field to no file', async () => {
		const envelopeId = await createDocument(service);
		const [field] = envelopeOf(service, envelopeId).fields;
		const { status, body } = await call(service, 'POST /envelope/field/update-many', {
			envelopeId,
			data: [{ id: field?.id, type: 'SIGNATURE', envelopeItemId: '' }],
		});
		expect([status, body.message]).toEqual([
			500,
			expect.stringContaining('Field_envelopeItemId_fkey'),
		]);
	});

	test('a file that is missing before a recipient that is', async () => {
		const envelopeId = await createDocument(service, { type: 'TEMPLATE' });
		const [item] = envelopeOf(service, envelopeId).items;
		const customDocumentData = [{ identifier: 0, envelopeItemId: item?.id }];
		const recipients = [{ id: 9999, email: 'a@example.com' }];
		const payload = { envelopeId, customDocumentData, recipients };
		const { body } = await call(service, 'POST /envelope/use', { payload });
		expect(body.message).toBe('File with identifier "0" not found in uploaded files');
	});

	test('fields of who has signed, in the words of each operation', async () => {
		const { envelope, tokens } = await sendDocument(service, {
			recipients: [signer, { ...signer, email: 'second@example.com' }],
		});
		await service.sign(String(tokens[0]));
		const [field] = envelope.fields;
		const update = { envelopeId: envelope.id, data: [{ id: field?.id, type: 'NAME' }] };
		const answers = [
			await call(service, 'POST /envelope/field/update-many', update),
			await call(service, 'POST /envelope/field/delete', { fieldId: field?.id }),
		];
		expect(answers.map(({ body }) => body.message)).toEqual([
			'Cannot modify a field where the recipient has already interacted with the document',
			'Recipient has already interacted with the document.',
		]);
	});
});

test.each([
	[{ folderId: 'nowhere', globalActionAuth: ['ACCOUNT'] }, 404],
	[{ meta: { emailId: 'x' }, recipients: [{ ...signer, actionAuth: ['ACCOUNT'] }] }, 401],
])(
	'of several faults of a new envelope, the real one names this first: %j',
	async (payload, code) => {
		const whole = { type: 'DOCUMENT', title: 'Several', ...payload };
		const file = { filename: 'a.pdf', content: await pdf(), name: 'files' };
		const { status } = await call(service, 'POST /envelope/create', form(whole, [file]));
		expect(status).toBe(code);
	},
);

test('a number is a wrong value of an enum, not a wrong type', async () => {
	const envelopeId = await createDocument(service);
	const { body } = await call(service, 'POST /envelope/update', {
		envelopeId,
		data: { visibility: 7 },
	});
	expect(body.issues).toMatchObject([{ code: 'invalid_enum_value', received: 7 }]);
});
