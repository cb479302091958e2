import { createHash } from 'node:crypto';
import { PDFDocument } from '@cantoo/pdf-lib';
import { startEmulator } from '../../emulator';
import { type FoundText, PdfTextReader } from '../../emulator/pdf/textReader';
import { pdf } from '../support/pdf';
import {
	type Answer,
	call,
	createDocument,
	envelopeOf,
	form,
	posting,
	sendDocument,
	signatureField,
	signer,
	statusAndMessage,
	statusOf,
	useEmulator,
} from './api';

const service = useEmulator({ sealDelayMs: 0 });
const reader = new PdfTextReader();
afterAll(async () => await reader.close());

describe('an upload', () => {
	const service = useEmulator({ maxFileBytes: 200_000 });
	const payload = { type: 'DOCUMENT', title: 'Contract' };

	async function create(given: unknown, ...uploads: Parameters<typeof form>[1]) {
		return await call(service, 'POST /envelope/create', form(given, uploads));
	}

	test('a document keeps the bytes, the name and the order of its files', async () => {
		const [first, second] = [await pdf('one'), await pdf('two')];
		const { status, body } = await create(
			payload,
			{ filename: 'a.pdf', content: first },
			{ filename: '2026/契約.pdf', content: second, name: 'files[]' },
		);
		expect(status).toBe(200);
		const { body: envelope } = await call(service, `GET /envelope/${String(body.id)}`);
		expect(envelope.envelopeItems).toMatchObject([
			{ title: 'a.pdf', order: 1 },
			{ title: '2026/契約.pdf', order: 2 },
		]);
		expect(service.calls[0]?.body).toMatchObject({
			payload,
			files: [
				{ filename: 'a.pdf', type: 'application/pdf', bytes: first.length },
				{ name: 'files[]', sha256: createHash('sha256').update(second).digest('hex') },
			],
		});
	});

	describe('a file is refused', () => {
		test('when it is no PDF, or an encrypted one', async () => {
			const text = await create(payload, { filename: 'a.pdf', content: Buffer.from('hello') });
			expect(text.status).toBe(400);
			expect(text.body.data).toMatchObject({ code: 'INVALID_DOCUMENT_FILE' });
			const locked = await PDFDocument.create();
			locked.addPage();
			locked.encrypt({ userPassword: 'secret', ownerPassword: 'secret' });
			const encrypted = await create(payload, { filename: 'a.pdf', content: await locked.save() });
			expect(encrypted.body.data).toMatchObject({ code: 'INVALID_DOCUMENT_FILE' });
		});

		test('when it is empty', async () => {
			const { status, body } = await create(payload, { filename: 'a.pdf', content: Buffer.of() });
			expect(status).toBe(400);
			expect(body.issues).toMatchObject([
				{ message: 'Input not instance of File', path: ['files', 0] },
			]);
		});

		test('when it is too large, with its true size on record', async () => {
			const content = Buffer.alloc(300_000);
			const { status, body } = await create(payload, { filename: 'a.pdf', content });
			expect(status).toBe(400);
			expect(body.code).toBe('BAD_REQUEST');
			expect(service.calls[0]?.body).toMatchObject({ files: [{ bytes: 300_000 }] });
		});
	});

	describe('the payload', () => {
		test('must be a plain part: as a file all its keys but the type are missing', async () => {
			const data = new FormData();
			data.append('payload', new Blob([JSON.stringify(payload)]), 'payload.json');
			const { status, body } = await call(service, 'POST /envelope/create', data);
			expect(status).toBe(400);
			expect(body.issues).toMatchObject([
				{ path: ['payload', 'title'], message: 'Required' },
				{ path: ['payload', 'type'], code: 'invalid_enum_value' },
			]);
		});

		test('is text also where it is sent as JSON, and what is no list of files counts as one', async () => {
			const asText = { payload: JSON.stringify(payload) };
			expect((await call(service, 'POST /envelope/create', asText)).status).toBe(200);
			const { body } = await call(service, 'POST /envelope/create', { payload, files: null });
			expect(body.issues).toMatchObject([
				{ message: 'Input not instance of File', path: ['files', 0] },
			]);
		});

		test('must be JSON, with its real types', async () => {
			const broken = await create('{nope');
			expect(broken.body.issues).toMatchObject([
				{ path: ['payload'], message: 'Expected object, received string' },
			]);
			const recipients = [{ ...signer, fields: [], signingOrder: '1' }];
			const coerced = await create({ ...payload, recipients });
			expect(coerced.body.issues).toMatchObject([{ message: 'Expected number, received string' }]);
		});
	});
});

describe('a file as it is uploaded', () => {
	const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

	const post = posting(service, '/envelope');

	const padded = async (bytes: number) => Buffer.concat([await pdf(), Buffer.alloc(bytes)], bytes);

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
		const { id: envelopeId, items } = envelopeOf(service, String(answer.body.id));
		expect(await items[0]?.original.read()).toEqual(content);
		await post('distribute', { envelopeId });
		await service.sign(String(envelopeOf(service, envelopeId).recipients[0]?.token));
		await service.settled();
		expect(envelopeOf(service, envelopeId).status).toBe(status);
	});

	test('a PDF cut short before its list of pages is refused', async () => {
		expect(statusAndMessage(await upload(Buffer.from(head.slice(0, 16))))).toEqual([
			400,
			'The document is not a valid PDF',
		]);
	});

	test('the largest file has 50,000,000 bytes', async () => {
		expect((await upload(await padded(50_000_000))).status).toBe(200);
	});

	test('a file of one byte more than allowed is refused', async () => {
		const small = await startEmulator({ maxFileBytes: 5000 });
		const uploaded = async (bytes: number) => {
			const payload = form({ type: 'DOCUMENT', title: 'x' }, [
				{ filename: 'a.pdf', content: await padded(bytes) },
			]);
			return await call(small, 'POST /envelope/create', payload);
		};
		const [allowed, refused] = [await uploaded(5000), await uploaded(5001)];
		await small.close();
		expect(allowed.status).toBe(200);
		expect(refused.body.issues).toMatchObject([{ message: 'File cannot be larger than 0.005MB' }]);
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
		const itemId = envelopeOf(service, envelopeId).items[0]?.id;
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

describe("a document's files", () => {
	const post = posting(service, '/envelope/item');

	async function add(envelopeId: string, text: string, ...filenames: string[]) {
		const content = await pdf(text);
		const uploads = filenames.map((filename) => ({ filename, content, type: 'text/plain' }));
		return await post('create-many', form({ envelopeId }, uploads));
	}

	test('files are added behind the others, whatever type they claim to be', async () => {
		const envelopeId = await createDocument(service);
		const { status, body } = await add(envelopeId, 'Annex', 'annex.pdf', 'more.pdf');
		expect(status).toBe(200);
		expect(body.data).toEqual(
			[2, 3].map((order) => ({
				id: expect.stringMatching(/^envelope_item_/) as string,
				title: order === 2 ? 'annex.pdf' : 'more.pdf',
				envelopeId,
				order,
				documentDataId: expect.any(String) as string,
			})),
		);
	});

	test('their placeholders become fields of who signs first, second and so on', async () => {
		const recipients = [2, 1].map((signingOrder) => ({ ...signer, signingOrder, fields: [] }));
		const envelopeId = await createDocument(service, { recipients });
		await add(envelopeId, '{{name, r1}}', 'annex.pdf');
		const { fields, items, recipients: created } = envelopeOf(service, envelopeId);
		const field = { type: 'NAME', recipientId: created[1]?.id, envelopeItemId: items[1]?.id };
		expect(fields).toMatchObject([field]);
	});

	test('one placeholder of nobody leaves no field of another one', async () => {
		const envelopeId = await createDocument(service);
		const before = envelopeOf(service, envelopeId).fields.length;
		const { status } = await add(envelopeId, '{{name, r1}} {{name, r9}}', 'annex.pdf');
		expect([status, envelopeOf(service, envelopeId).fields.length]).toEqual([400, before]);
	});

	test('without recipients their placeholders invent none', async () => {
		const envelopeId = await createDocument(service, { recipients: [] });
		expect((await add(envelopeId, '{{name, r1}}', 'annex.pdf')).status).toBe(200);
		expect(envelopeOf(service, envelopeId)).toMatchObject({ recipients: [], fields: [] });
	});

	test('an envelope has five files at most', async () => {
		const envelopeId = await createDocument(service);
		const { status, body } = await add(envelopeId, 'x', '2', '3', '4', '5', '6');
		expect(status).toBe(400);
		expect(body.data).toMatchObject({ code: 'ENVELOPE_ITEM_LIMIT_EXCEEDED' });
		expect(envelopeOf(service, envelopeId).items).toHaveLength(1);
	});

	test('they are renamed and put in another order', async () => {
		const envelopeId = await createDocument(service);
		await add(envelopeId, 'Annex', 'annex.pdf');
		const [first, second] = envelopeOf(service, envelopeId).items.map(({ id }) => id);
		const data = [
			{ envelopeItemId: second, title: 'Annex 1', order: 1 },
			{ envelopeItemId: first, order: 2 },
		];
		const { body } = await post('update-many', { envelopeId, data });
		expect(body.data).toEqual([
			{ id: second, order: 1, title: 'Annex 1', envelopeId },
			{ id: first, order: 2, title: 'contract.pdf', envelopeId },
		]);
		const { body: envelope } = await call(service, `GET /envelope/${envelopeId}`);
		expect(envelope.envelopeItems).toMatchObject([{ id: second }, { id: first }]);
		const foreign = [{ envelopeItemId: 'envelope_item_x', title: 'X' }];
		const refused = await post('update-many', { envelopeId, data: foreign });
		expect([refused.status, refused.body.message]).toEqual([
			400,
			'One or more envelope items to update do not exist',
		]);
	});

	test.each([
		['stays the first with another number', false],
		['comes last with its text covered', true],
	])('the file for fields that name none %s', async (_, isCovered) => {
		const envelopeId = await createDocument(service);
		await add(envelopeId, 'Annex', 'annex.pdf');
		const { items, recipients } = envelopeOf(service, envelopeId);
		const [first, second] = items.map(({ id }) => id);
		const addField = async (place: object) => {
			const data = [{ type: 'TEXT', recipientId: recipients[0]?.id, ...place }];
			return await call(service, 'POST /envelope/field/create-many', { envelopeId, data });
		};
		if (isCovered) await addField({ placeholder: 'contract', envelopeItemId: first });
		else await post('update-many', { envelopeId, data: [{ envelopeItemId: first, order: 9 }] });

		const added = await addField({ page: 1, positionX: 1, positionY: 1, width: 9, height: 9 });
		const stored = isCovered ? [second, first] : [first, second];
		expect(added.body.data).toMatchObject([{ envelopeItemId: stored[0] }]);
		const unchanged = { envelopeId, data: [{ envelopeItemId: second }] };
		const { body } = await post('update-many', unchanged);
		expect(body.data).toMatchObject(stored.map((id) => ({ id })));
		const { body: envelope } = await call(service, `GET /envelope/${envelopeId}`);
		const shown = isCovered ? [first, second] : [second, first];
		expect(envelope.envelopeItems).toMatchObject(shown.map((id) => ({ id })));
	});

	test('a removed file takes its fields along; removing it again is 500', async () => {
		const envelopeId = await createDocument(service);
		const envelopeItemId = envelopeOf(service, envelopeId).items[0]?.id;
		const { body } = await post('delete', { envelopeId, envelopeItemId });
		expect(body).toEqual({ success: true });
		expect(envelopeOf(service, envelopeId)).toMatchObject({ items: [], fields: [] });
		expect((await post('delete', { envelopeId, envelopeItemId })).status).toBe(500);
	});

	test("a file of another document is not removed: 500 with the database's words", async () => {
		const envelopeId = await createDocument(service);
		const other = envelopeOf(service, await createDocument(service));
		const envelopeItemId = other.items[0]?.id;
		const { status, body } = await post('delete', { envelopeId, envelopeItemId });
		expect([status, body.code]).toEqual([500, 'INTERNAL_SERVER_ERROR']);
		expect(body.message).toContain('Invalid `prisma.envelopeItem.delete()` invocation');
		expect(other.items).toHaveLength(1);
	});

	test('a sent document takes a new title for its file, and nothing else', async () => {
		const { id: envelopeId } = await sendDocument(service);
		const envelopeItemId = envelopeOf(service, envelopeId).items[0]?.id;
		const refused = [
			await add(envelopeId, 'Annex', 'annex.pdf'),
			await post('update-many', { envelopeId, data: [{ envelopeItemId, order: 2 }] }),
			await post('delete', { envelopeId, envelopeItemId }),
		];
		expect(refused.map(({ status, body }) => [status, body.message])).toEqual([
			[400, 'Envelope item is not editable'],
			[400, 'Envelope item order is not editable'],
			[400, 'Envelope item is not editable'],
		]);
		const asItIs = { envelopeId, data: [{ envelopeItemId, order: 1 }] };
		expect((await post('update-many', asItIs)).status).toBe(200);
		const titled = [{ envelopeItemId, title: 'Signed soon' }];
		expect((await post('update-many', { envelopeId, data: titled })).status).toBe(200);
		await call(service, 'POST /envelope/cancel', { envelopeId });
		const late = await post('update-many', { envelopeId, data: titled });
		expect([late.status, late.body.message]).toEqual([400, 'Envelope item title is not editable']);
	});
});

describe('a download', () => {
	function itemOf(envelopeId: string): string {
		return service.store.envelopes.get(envelopeId)?.items[0]?.id ?? '';
	}

	async function download(envelopeId: string, version = ''): Promise<Answer> {
		const query = version && `?version=${version}`;
		return await call(service, `GET /envelope/item/${itemOf(envelopeId)}/download${query}`);
	}

	function disposition({ headers }: Answer): string | null {
		return headers.get('content-disposition');
	}

	async function textsOf(bytes: Buffer): Promise<string[]> {
		const found = await reader.search(bytes, /.+/g);
		return found.map(({ text }) => text);
	}

	test('an unfinished document answers its original as "signed"', async () => {
		const id = await createDocument(service);
		const [signed, original] = [await download(id), await download(id, 'original')];
		expect(signed.bytes).toEqual(original.bytes);
		expect(disposition(signed)).toBe('attachment; filename="contract_signed.pdf"');
		expect(disposition(original)).toBe('attachment; filename="contract.pdf"');
		expect(signed.headers.get('content-type')).toBe('application/pdf');
		expect(signed.headers.get('etag')).toMatch(/^[0-9a-f]{64}$/);
	});

	test('a completed document shows the signature and a certificate', async () => {
		const { id, tokens } = await sendDocument(service);
		await service.sign(String(tokens[0]));
		await service.settled();
		const { bytes } = await download(id, 'signed');
		const original = await PDFDocument.load((await download(id, 'original')).bytes);
		const signed = await PDFDocument.load(bytes);
		expect(signed.getPageCount()).toBe(original.getPageCount() + 1);
		const texts = await textsOf(bytes);
		// In the field, and on the certificate as name and as signature.
		expect(texts.filter((text) => text === 'Sally Signer')).toHaveLength(3);
		expect(texts).toContain('Signing certificate');
	});

	test('the pending version exists while pending, and can be revalidated', async () => {
		const { id } = await sendDocument(service);
		const pending = await download(id, 'pending');
		expect(pending.status).toBe(200);
		expect(disposition(pending)).toBe('attachment; filename="contract_pending.pdf"');
		const known = { authorization: 'api_local_emulator_only', 'if-none-match': etagOf(pending) };
		const url = `${service.url}/api/v2/envelope/item/${itemOf(id)}/download`;
		expect((await fetch(`${url}?version=pending`, { headers: known })).status).toBe(304);
		const original = etagOf(await download(id, 'original'));
		const headers = { ...known, 'if-none-match': original };
		expect((await fetch(`${url}?version=original`, { headers })).status).toBe(200);
	});

	test('outside PENDING the pending version is 400 with a code for the status', async () => {
		const draft = await download(await createDocument(service), 'pending');
		expect(draft.status).toBe(400);
		expect(draft.body).toMatchObject({ code: 'ENVELOPE_DRAFT' });
		const { id } = await sendDocument(service);
		await call(service, 'POST /envelope/cancel', { envelopeId: id });
		expect((await download(id, 'pending')).body).toMatchObject({ code: 'INVALID_REQUEST' });
	});

	test('a field on a page the file does not have keeps the document pending for ever', async () => {
		const fields = [
			{ type: 'SIGNATURE', page: 9, positionX: 1, positionY: 1, width: 5, height: 5 },
		];
		const recipients = [{ email: 'a@example.com', name: 'A', role: 'SIGNER', fields }];
		const { id, tokens } = await sendDocument(service, { recipients });
		await service.sign(String(tokens[0]));
		await service.settled();
		expect(service.store.envelopes.get(id)?.status).toBe('PENDING');
		expect((await download(id, 'pending')).status).toBe(500);
	});

	function etagOf({ headers }: Answer): string {
		return headers.get('etag') ?? '';
	}
});

test('a downloaded file is named without its folder, and encoded if it looks encoded', async () => {
	const names = [];
	for (const filename of ['dir/a.pdf', 'dir\\b.pdf', 'c%20d.pdf']) {
		const file = { filename, content: await pdf() };
		const payload = { type: 'DOCUMENT', title: 'Contract' };
		const { body } = await call(service, 'POST /envelope/create', form(payload, [file]));
		const { items } = envelopeOf(service, body.id);
		const { headers } = await call(service, `GET /envelope/item/${items[0]?.id}/download`);
		names.push(headers.get('content-disposition'));
	}
	expect(names).toEqual([
		'attachment; filename="a_signed.pdf"',
		'attachment; filename="b_signed.pdf"',
		`attachment; filename="c%20d_signed.pdf"; filename*=UTF-8''c%2520d_signed.pdf`,
	]);
});

describe('the pages of a PDF', () => {
	/** A PDF of one page, with a placeholder 60 points from the left and 700 from below. */
	function pdfOf(page: string, { pages = '/Type /Pages', type = '/Type /Page' } = {}): Buffer {
		const content = 'BT /F1 12 Tf 60 700 Td ({{name, r1}}) Tj ET';
		const objects = [
			'<< /Type /Catalog /Pages 2 0 R >>',
			`<< ${pages} /Kids [4 0 R] /Count 1 >>`,
			'<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
			`<< ${type} /Parent 2 0 R ${page} /Contents 5 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
			`<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
		];
		let file = '%PDF-1.7\n';
		const offsets = objects.map((object, index) => {
			const offset = file.length;
			file += `${index + 1} 0 obj\n${object}\nendobj\n`;
			return `${String(offset).padStart(10, '0')} 00000 n \n`;
		});
		const table = `xref\n0 6\n0000000000 65535 f \n${offsets.join('')}`;
		const end = `trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
		return Buffer.from(file + table + end, 'latin1');
	}

	async function upload(content: Buffer) {
		const fieldMeta = { type: 'text', label: 'City' };
		const field = { ...signatureField, type: 'TEXT', fieldMeta, positionX: 10, positionY: 80 };
		const payload = {
			...{ type: 'DOCUMENT', title: 'Pages' },
			recipients: [{ ...signer, fields: [field, signatureField] }],
		};
		const file = { filename: 'pages.pdf', content };
		const { status, body } = await call(service, 'POST /envelope/create', form(payload, [file]));
		return { status, id: String(body.id), envelope: service.store.envelopes.get(String(body.id)) };
	}

	async function signed(id: string, fields = {}): Promise<void> {
		await call(service, 'POST /envelope/distribute', { envelopeId: id });
		const [recipient] = service.store.envelopes.get(id)?.recipients ?? [];
		await service.sign(recipient?.token ?? '', { fields });
		await service.settled();
	}

	const A4 = '/MediaBox [0 0 595 842]';
	const inherits = { pages: `/Type /Pages ${A4}` };

	describe('Documenso measures a page from the origin to the second corner of its own box', () => {
		test.each<[string, Buffer, width: number, height: number]>([
			['a page of its own size', pdfOf(A4), 595, 842],
			['a page that inherits its size', pdfOf('', inherits), 612, 792],
			['a page without a size', pdfOf(''), 612, 792],
			['a cropped page', pdfOf(`${A4} /CropBox [50 50 545 792]`), 545, 792],
			['a crop that is larger than the page', pdfOf(`${A4} /CropBox [0 0 700 900]`), 595, 842],
			['a page that starts elsewhere', pdfOf('/MediaBox [100 100 695 942]'), 695, 942],
			['a page on its side', pdfOf(`${A4} /Rotate 90`), 842, 595],
			['a page on its head', pdfOf(`${A4} /Rotate 180`), 595, 842],
			['a page that inherits its turn', pdfOf(A4, { pages: '/Type /Pages /Rotate 90' }), 595, 842],
		])('%s', async (_, content, width, height) => {
			const { envelope } = await upload(content);
			const name = envelope?.fields.find(({ type }) => type === 'NAME');
			expect(name?.positionX).toBeCloseTo((60 / width) * 100, 6);
			expect(name?.positionY).toBeCloseTo(((height - 709.6) / height) * 100, 6);
		});

		test('a page whose second corner is on the ground', async () => {
			expect((await upload(pdfOf('/MediaBox [0 842 595 0]'))).status).toBe(500);
		});
	});

	/** 10 % from the left and 82.5 % from above is the middle of the field; the text is 6 points high. */
	describe('a value is sealed where those measures put it, and upright', () => {
		test.each<[string, Buffer, x: number, y: number]>([
			['on an upright page', pdfOf(A4), 59.5, 144.35],
			['on a page that inherits its size', pdfOf('', inherits), 61.2, 135.6],
			['on a page that starts elsewhere', pdfOf('/MediaBox [100 100 695 942]'), 69.5, 161.85],
			['on a page on its side', pdfOf(`${A4} /Rotate 90`), 595 - 101.125, 84.2],
			['on a page on its head', pdfOf(`${A4} /Rotate 180`), 595 - 59.5, 842 - 144.35],
			['on a page on its other side', pdfOf(`${A4} /Rotate 270`), 101.125, 842 - 84.2],
		])('%s', async (_, content, x, y) => {
			const { id, envelope } = await upload(content);
			await signed(id, { City: 'Oslo' });
			const bytes = await envelope?.items[0]?.signed.read();
			const [found] = await reader.search(Buffer.from(bytes ?? []), /O/g);
			expect(found?.page).toBe(1);
			expect(found?.left).toBeCloseTo(x, 1);
			expect(found?.baseline).toBeCloseTo(y, 1);
		});
	});

	test('a file whose pages have no types can be signed, but is never sealed', async () => {
		const { status, id } = await upload(pdfOf(A4, { pages: '', type: '' }));
		expect(status).toBe(200);
		await signed(id);
		expect(await statusOf(service, id)).toBe('PENDING');
	});

	test('a page without a size can be sealed', async () => {
		const { id } = await upload(pdfOf(''));
		await signed(id);
		expect(await statusOf(service, id)).toBe('COMPLETED');
	});
});

describe('a signed PDF', () => {
	/** The lines of the signed PDF: the signature in its field, then the certificate. */
	async function signedLines(name: string): Promise<FoundText[]> {
		const { id, tokens } = await sendDocument(service, { recipients: [{ ...signer, name }] });
		await service.sign(String(tokens[0]));
		await service.settled();
		const signed = service.store.envelopes.get(id)?.items[0]?.signed;
		return await reader.search(Buffer.from((await signed?.read()) ?? []), /.+/g);
	}

	function textOf(lines: readonly FoundText[]): string {
		return lines.map(({ text }) => text).join('\n');
	}

	/** Shaped text is extracted in the order of its glyphs, which is not always that of its characters. */
	function charactersOf(text: string): Set<string> {
		return new Set(text.normalize('NFC').replace(/\s/g, ''));
	}

	test.each([
		['Western European', 'Zoë Brontë-Müller'],
		['Polish', 'Łukasz Żółć'],
		['Vietnamese', 'Nguyễn Văn Ánh'],
		['Cyrillic', 'Жанна Їжак'],
		['Greek', 'Ελένη Παπαδοπούλου'],
		['Arabic', 'محمد بن عبد الله'],
		['Hebrew', 'שרה כהן'],
		['Chinese', '王小明 張偉'],
		['Japanese', '田中 さくら'],
		['Korean', '김민준'],
		['Thai', 'สมชาย ใจดี'],
		['Devanagari', 'प्रिया शर्मा'],
	])('a signed PDF shows %s names', async (_script, name) => {
		const text = textOf(await signedLines(name));
		const shown = charactersOf(text);
		expect([...charactersOf(name)].filter((character) => !shown.has(character))).toEqual([]);
		expect(text).not.toContain('?');
	});

	test('a character that no font has becomes one question mark', async () => {
		const text = textOf(await signedLines('👩‍👩‍👧 Smith'));
		expect(text).toContain('? Smith');
		expect(text).not.toContain('??');
	});

	test('right-to-left names read from the right, with brackets that open to the left', async () => {
		expect(textOf(await signedLines('שרה (כהן) 12'))).toContain('12 (ןהכ) הרש');
	});

	test.each([
		['Latin', 'Maximilian Alexander von und zu Hohenlohe-Waldenburg '.repeat(4)],
		['Chinese', '王小明'.repeat(60)],
	])('long %s names stay within their field and the page', async (_script, name) => {
		const lines = await signedLines(name);
		const shown = lines.filter(({ text }) => text.startsWith(name.slice(0, 5)));
		// The signature in its field, and on the certificate the name and the signature beside it.
		const edges = shown.map(({ right }) => right);
		expect(edges).toHaveLength(3);
		for (const [index, limit] of [0.4 * 595, 329, 539].entries()) {
			expect(edges[index]).toBeLessThan(limit + 0.5);
		}
		expect(textOf(shown)).toContain('…');
	});
});
