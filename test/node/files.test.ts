import { createHash } from 'node:crypto';
import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

import { Container } from '@n8n/di';
import FormData from 'form-data';
import { BinaryDataService } from 'n8n-core';
import type { IDataObject } from 'n8n-workflow';

import type { Envelope } from '../../emulator/entities';
import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { clock } from '../../nodes/shared/api/clock';
import { docx, zip } from '../support/docx';
import { hurry } from '../support/hurry';
import {
	bytesOf,
	documenso,
	execute,
	fieldOf,
	itemWith,
	useBinaryMode,
	type BinaryMode,
} from '../support/n8n';
import { pdf } from '../support/pdf';
import { credentialFor, lines, sentTo } from '../support/service';
import {
	byId,
	contract,
	createAndSend,
	ending,
	fillFromRow,
	itemWithPdf,
	step,
	tenants,
	useService,
} from '../support/suite';

hurry();

const suite = useService({ seed: 'demo' });

const create = { resource: 'document', operation: 'create', title: 'Scan' };

const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');

/** How Documenso asks to wait for so many seconds. */
const tooMany = (seconds: number) => ({
	...{ status: 429, headers: { 'retry-after': String(seconds) } },
	body: { error: 'Too many requests' },
});

interface Upload {
	files: Array<{ filename: string; type: string; bytes: number; sha256: string }>;
}

/** Without the request that reads the first document for its team. */
const creations = () => suite.service.calls.filter(({ path }) => path === '/envelope/create');

const uploads = () => creations().map(({ body }) => (body as Upload | undefined)?.files ?? []);

/** A PDF with so many bytes in all; PDF readers and the service ignore those behind its end. */
async function large(bytes: number): Promise<Buffer> {
	const head = await pdf('A large scan');
	return Buffer.concat([head, Buffer.from(`\n%${'x'.repeat(bytes)}\n`)]);
}

describe.each<BinaryMode>(['default', 'filesystem', 's3', 'combined'])(
	'with files kept in the mode %s',
	(mode) => {
		beforeAll(async () => await useBinaryMode(mode));
		const createFromFile = () => ({ ...create, binaryPropertyName: fieldOf('data') });

		test('an upload’s name has no control or direction characters', async () => {
			const name = 'Lease\u202Efdp\r\nX-Header: 1\0.pdf';
			const item = await itemWith({ data: { content: await pdf('A lease'), name } });
			await suite.outputOf(createFromFile(), [item]);
			expect(uploads()[0]?.map(({ filename }) => filename)).toEqual(['LeasefdpX-Header: 1.pdf']);
		});

		test.each(['Lease\u202Efdp.pdf', '100%22 net.pdf'])(
			'a field finds its file by the name as it was, also if the service reads it otherwise: %j',
			async (name) => {
				const item = await itemWith({ data: { content: await pdf('A lease'), name } });
				const fields = { field: [{ ...contract.fields.field[0], options: { identifier: name } }] };
				const { error } = await suite.run({ ...createFromFile(), ...contract, fields }, [item]);
				expect(error).toBeUndefined();
			},
		);

		test('two copies of one file may have a field in the same place each', async () => {
			const content = await pdf('A lease');
			const item = await itemWith({ data: { content }, copy: { content } });
			const [field] = contract.fields.field;
			const fields = { field: [field, { ...field, options: { identifier: '1' } }] };
			const binaryPropertyName = `${fieldOf('data')}, ${fieldOf('copy')}`;
			const parameters = { ...create, ...contract, binaryPropertyName, fields };
			const { error } = await suite.run(parameters, [item]);
			expect(error).toBeUndefined();
		});

		test('an upload arrives byte for byte, with its exact length announced', async () => {
			const content = await large(3_000_000);
			const item = await itemWith({ data: { content, name: 'scän "1".pdf' } });
			await suite.outputOf(createFromFile(), [item]);
			expect(uploads()).toMatchObject([
				[{ type: 'application/pdf', bytes: content.length, sha256: sha256(content) }],
			]);
			const { headers } = suite.service.calls[0] ?? {};
			expect(Number(headers?.['content-length'])).toBeGreaterThan(content.length);
			expect(headers?.['transfer-encoding']).toBeUndefined();
		});

		test('a repeated upload sends the whole file again', async () => {
			const content = await large(500_000);
			const item = await itemWith({ data: { content } });
			suite.service.fail({ match: 'POST /envelope/create', times: 2, ...tooMany(0) });
			const { error } = await suite.run(createFromFile(), [item]);
			expect(error).toBeUndefined();
			const whole = [expect.objectContaining({ sha256: sha256(content) })];
			expect(uploads()).toEqual([whole, whole, whole]);
			const lengths = creations().map(({ headers }) => headers['content-length']);
			expect(new Set(lengths).size).toBe(1);
		});

		test('a file that an expression finds is taken like one that is named', async () => {
			const content = await pdf('Found');
			const item = await itemWith({ data: { content }, more: { content, name: 'two.pdf' } });
			const place = mode === 'combined' ? '$json._files' : "$('Source').item.binary";
			for (const [file, count] of [
				[`={{ ${place}.data }}`, 1],
				[`={{ [${place}.data, ${place}.more] }}`, 2],
			] as const) {
				suite.service.calls.length = 0;
				const parameters = { ...create, binaryPropertyName: file };
				await suite.outputOf(parameters, [item]);
				const names = uploads().map((files) => files.map(({ filename }) => filename));
				expect(names).toEqual([['data.pdf', 'two.pdf'].slice(0, count)]);
			}
		});

		test('what one of our nodes downloads, the next one uploads', async () => {
			const content = await large(500_000);
			const made = await suite.run(createFromFile(), [await itemWith({ data: { content } })]);
			suite.service.calls.length = 0;
			const documentId = byId(made.items[0]?.json.id);
			const get = { resource: 'document', operation: 'download', version: 'original', documentId };
			// n8n combines a file with the item's JSON only where it keeps files apart from items.
			const again = { ...create, binaryPropertyName: fieldOf('data') };
			const nodes = [documenso(get, { name: 'First' }), documenso(again, { name: 'Second' })];
			const { data } = await execute(credentialFor(suite.service), nodes, [{ json: {} }]);
			expect(data.resultData.error).toBeUndefined();
			expect(uploads().at(-1)).toMatchObject([{ bytes: content.length, sha256: sha256(content) }]);
		});

		test('an upload that is redirected is not sent on', async () => {
			const item = await itemWith({ data: { content: await large(500_000) } });
			const location = 'https://sign.example.com/api/v2/envelope/create';
			const redirect = { status: 308, headers: { location }, body: '' };
			suite.service.fail({ match: 'POST /envelope/create', ...redirect });
			const { error } = await suite.run(createFromFile(), [item]);
			expect(error?.message).toBe(`Documenso redirected the request to ${location}`);
			expect(lines(suite.service).filter((line) => line.startsWith('POST'))).toHaveLength(1);
		}, 20_000);

		test.each<[string, unknown, string]>([
			['JSON', { message: 'Too large', code: 'BAD_REQUEST' }, 'Too large'],
			['a page of a proxy’s', '<html>Too large</html>', "Documenso's answer could not be read"],
		])(
			'an upload that is refused with %s says why, and what to do',
			async (_, body, message) => {
				const item = await itemWith({ data: { content: await large(500_000) } });
				suite.service.fail({ match: 'POST /envelope/create', status: 413, body });
				const { error } = await suite.run(createFromFile(), [item]);
				expect(error).toMatchObject({ message, httpCode: '413' });
				expect(error?.description).toContain('larger than this Documenso accepts');
			},
			20_000,
		);

		test('an upload that breaks off half way is looked for, and then an error; its file is closed', async () => {
			const item = await itemWith({ data: { content: await large(9_000_000) } });
			suite.service.fail({ match: 'POST /envelope/create', cut: 'before', afterBytes: 1_000_000 });
			const opening = jest.spyOn(Container.get(BinaryDataService), 'getAsStream');
			const { error } = await suite.run(createFromFile(), [item]);
			expect(error?.message).toMatch(/^The connection to Documenso at .* failed$/);
			expect(error?.description).toContain('the document with the External ID n8n:');
			expect(suite.service.store.documents).toEqual([]);
			const streams = opening.mock.results.map(({ value }) => value as Promise<Readable>);
			const opened = await Promise.all(streams);
			expect(opened.filter(({ destroyed }) => !destroyed)).toEqual([]);
			opening.mockRestore();
		});

		test('a file that is not a PDF is refused, whatever its name and type say', async () => {
			const item = await itemWith({ data: { content: Buffer.from('<html>404</html>') } });
			const error = await suite.refused(createFromFile(), [item]);
			expect(error.message).toBe(
				`The file in '${fieldOf('data')}' is neither a PDF nor a Word file (.docx) [item 0]`,
			);
		});
	},
);

test('our form reads to the service like one of the reference encoder', async () => {
	await useBinaryMode('default');
	const content = await pdf();
	await suite.run(create, [await itemWith({ data: { content, name: 'scan.pdf' } })]);
	const ours = suite.service.calls[0]?.body as Upload & { payload: object };

	const form = new FormData();
	form.append('payload', JSON.stringify(ours.payload));
	form.append('files', content, { filename: 'scan.pdf', contentType: 'application/pdf' });
	const body = form.getBuffer();
	const answer = await fetch(`${suite.service.url}/api/v2/envelope/create`, {
		method: 'POST',
		headers: { ...form.getHeaders(), authorization: credentialFor(suite.service).apiToken },
		body: new Uint8Array(body),
	});
	expect(answer.status).toBe(200);
	expect(creations()[1]?.body).toEqual(ours);
});

describe('a Word file', () => {
	const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

	const converting = useService({ seed: 'demo', convertsWordFiles: true });

	const lease = async (name = 'lease.docx', json = {}) =>
		await itemWith(
			{ data: { content: docx('A lease'), name, type: 'application/octet-stream' } },
			json,
		);

	const operations: Array<[string, object]> = [
		['Document: Create', { resource: 'document', operation: 'create', ...contract }],
		['Document: Create and Send', createAndSend],
		['Document: Create, Send and Wait', { ...createAndSend, operation: 'createUntilSigned' }],
		['Template: Create', { resource: 'template', operation: 'create', ...contract }],
	];

	describe.each<BinaryMode>(['default', 'filesystem'])('with files kept in the mode %s', (mode) => {
		beforeAll(async () => await useBinaryMode(mode));
		afterAll(async () => await useBinaryMode('default'));

		test.each(operations)('%s takes a Word file by its content', async (_, parameters) => {
			const { error } = await converting.run({ ...parameters }, [await lease()]);
			expect(error).toBeUndefined();
			const create = converting.service.calls.find(({ path }) => path === '/envelope/create');
			expect(create?.body).toMatchObject({
				files: [{ filename: 'lease.docx', type: WORD, bytes: docx('A lease').length }],
			});
		});
	});

	test('a PDF and a Word file make one document, and a field finds the Word file by its name', async () => {
		const item = await itemWith({
			data: { content: await pdf(), name: 'terms.pdf' },
			more: { content: docx(), name: 'lease.docx' },
		});
		const field = [{ ...contract.fields.field[0], options: { identifier: 'lease.docx' } }];
		const parameters = { ...createAndSend, binaryPropertyName: 'data, more', fields: { field } };
		await converting.outputOf(parameters, [item]);
		const [document] = converting.documents();
		expect(document?.items.map(({ title }) => title)).toEqual(['terms.pdf', 'lease.docx']);
		expect(document?.fields[0]?.envelopeItemId).toBe(document?.items[1]?.id);
	});

	test('a Word file without a name gets one', async () => {
		await converting.outputOf(createAndSend, [await lease('')]);
		expect(converting.documents()[0]?.items[0]?.title).toBe('data.docx');
	});

	test('the pages of a Word file are not known, and a hint says so', async () => {
		const field = [{ ...contract.fields.field[0], page: 7 }];
		const { error, hints } = await converting.run({ ...createAndSend, fields: { field } }, [
			await lease(),
		]);
		expect(error).toBeUndefined();
		expect(hints).toEqual([
			expect.stringMatching(/^The pages of lease\.docx could not be counted/),
		]);
	});

	test.each([
		['original', 'lease'],
		['signed', 'lease_signed'],
	])('what is made of a Word file is downloaded (%s) as a PDF', async (version, stem) => {
		const titled = { ...createAndSend, title: 'lease.docx' };
		const [made] = await converting.outputOf(titled, [await lease()]);
		await converting.complete(made?.id as string);
		const download = { resource: 'document', operation: 'download', version };
		const output = await converting.outputOf({ ...download, documentId: byId(made?.id) });
		expect(output).toMatchObject([{ fileName: `${stem}${ending(made?.id)}.pdf` }]);
	});

	test('a file of a template that was a Word file is found without its ending', async () => {
		const [file] = converting.template().items;
		if (file) file.title = 'lease.docx';
		const [row] = tenants(1);
		const content = await pdf('Page one', 'Page two');
		const item = await itemWith({ data: { content } }, row?.json);
		const replacedFiles = { file: [{ envelopeItemId: 'Lease', property: 'data' }] };
		const { error } = await converting.run(
			{ ...fillFromRow, additionalFields: { replacedFiles } },
			[item],
		);
		expect(error).toBeUndefined();
	});

	describe('a service that does not convert', () => {
		test.each(operations)('is explained in %s', async (_, parameters) => {
			const { error } = await suite.run({ ...parameters }, [await lease()]);
			expect(error).toMatchObject({
				message: 'Documenso could not convert lease.docx to PDF',
				description: expect.stringMatching(
					/^This Documenso is not set up to convert Word files\. Convert the file to PDF before this step, or ask the administrator.* Documenso says: Conversion service not configured\./,
				) as string,
			});
			expect(suite.documents()).toEqual([]);
		});

		test.each([
			['CONVERSION_FAILED', /^Open the file in Word, save it as PDF/],
			['UNSUPPORTED_FILE_TYPE', /^This Documenso takes only PDFs\. Convert/],
		])('or that could not (%s) says what to do', async (code, advice) => {
			const body = { message: 'No', data: { code, httpStatus: 400 } };
			suite.service.fail({ match: 'POST /envelope/create', status: 400, body });
			const { error } = await suite.run(createAndSend, [await lease()]);
			expect(error?.message).toBe('Documenso could not convert lease.docx to PDF');
			expect(error?.description).toMatch(advice);
		});

		test('is not blamed for what is wrong with a PDF', async () => {
			const body = { message: 'No', data: { code: 'CONVERSION_FAILED', httpStatus: 400 } };
			suite.service.fail({ match: 'POST /envelope/create', status: 400, body });
			expect((await suite.upload()).error?.message).toBe('No');
		});
	});

	describe('where Documenso converts nothing, a Word file is refused before any request', () => {
		const refused = {
			message: "The file in 'data' is a Word file, and only a PDF can be used here [item 0]",
			description: expect.stringMatching(/^Convert it to PDF before this step\./) as string,
		};

		test('by File: Add', async () => {
			const add = { resource: 'file', operation: 'add', envelopeId: byId(RENTAL_AGREEMENT.id) };
			expect((await converting.run(add, [await lease()])).error).toMatchObject(refused);
			expect(lines(converting.service)).toEqual([]);
		});

		test('by Replace Template Files', async () => {
			const [row] = tenants(1);
			const replacedFiles = { file: [{ envelopeItemId: 'Any', property: 'data' }] };
			const parameters = { ...fillFromRow, additionalFields: { replacedFiles } };
			const { error } = await converting.run(parameters, [await lease('lease.docx', row?.json)]);
			expect(error).toMatchObject(refused);
			expect(lines(converting.service)).toEqual([]);
		});
	});

	test.each([
		['a spreadsheet', zip('[Content_Types].xml', 'xl/workbook.xml'), 'rates.xlsx'],
		['an old Word file', Buffer.from('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'latin1'), 'lease.doc'],
		['a page with the name of a Word file', Buffer.from('<html>404</html>'), 'lease.docx'],
	])('%s is refused before any request', async (_, content, name) => {
		const item = await itemWith({ data: { content, name } });
		const { error } = await converting.run(createAndSend, [item]);
		expect(error?.message).toBe(
			"The file in 'data' is neither a PDF nor a Word file (.docx) [item 0]",
		);
		expect(error?.description).toContain(`Its name (${name})`);
		expect(lines(converting.service)).toEqual([]);
	});
});

describe('when n8n cannot reach its files', () => {
	beforeAll(async () => await useBinaryMode('filesystem'));
	afterAll(async () => await useBinaryMode('default'));

	/** Where n8n keeps files. */
	const home = () => join(process.env.N8N_USER_FOLDER ?? '', '.n8n');

	async function files(): Promise<string[]> {
		const entries = await readdir(home(), { recursive: true, withFileTypes: true });
		return entries.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
	}

	test('a file to send that n8n has deleted is named, with its item', async () => {
		const item = await itemWithPdf();
		const before = new Set(await files());
		const gone = await itemWithPdf();
		for (const file of await files()) if (!before.has(file)) await rm(file);
		const { error } = await suite.run({ ...create, ...contract }, [item, gone]);
		expect(error?.message).toMatch(/^The file in 'data' cannot be read: .* \[item 1]$/);
		expect(error?.description).toContain('n8n may have deleted it');
	});

	test('a download that n8n cannot store is not called a broken connection', async () => {
		const { id } = await suite.document();
		const [stored = ''] = (await files()).filter((file) => file.includes('binary_data'));
		const root = stored.slice(0, stored.indexOf('/workflows/') + '/workflows'.length);
		await rename(root, `${root}-away`);
		await writeFile(root, 'in the way');
		const download = { resource: 'document', operation: 'download', version: 'original' };
		const { error } = await suite.run({ ...download, documentId: byId(id) }, tenants(1));
		await rm(root);
		await rename(`${root}-away`, root);
		expect(error?.message).toBe('n8n could not store the downloaded file');
		expect(error?.description).toContain('Check where n8n keeps binary data');
		expect(error?.description).toContain('ENOTDIR');
		// Asking again would not help.
		expect(suite.service.calls.filter(({ path }) => path.includes('download'))).toHaveLength(1);
	});

	test('a file that is gone when it is sent is not called a broken connection, and nothing is in doubt', async () => {
		const before = new Set(await files());
		const item = await itemWithPdf('A lease');
		const own = (await files()).filter((file) => !before.has(file));
		const create = { resource: 'document', operation: 'create', ...contract };
		suite.service.fail({ match: 'POST /envelope/create', ...tooMany(20) });
		const run = suite.run(create, [item]);
		while (suite.calls('POST /envelope/create').length === 0) {
			await clock.sleep(50);
		}
		const content = own.find((file) => !file.endsWith('.metadata')) ?? '';
		await rename(content, `${content}-away`);
		const { error } = await run;
		await rename(`${content}-away`, content);
		expect(error?.message).toBe('n8n could not read the file to send');
		expect(error?.description).not.toContain('may have');
		expect(suite.documents()).toEqual([]);
		// No earlier try is in doubt.
		const again = await suite.run(create, [item]);
		expect(again.error).toBeUndefined();
	});
});

describe('a file of a document', () => {
	/** Of the first file, unless another one is named. */
	const onFile = (
		operation: string,
		{ id, items }: Envelope,
		changes: IDataObject = {},
		envelopeItemId = items[0]?.id,
	) => step(`file.${operation}`, { envelopeId: id, envelopeItemId }, changes);

	test('Add puts PDFs behind those of a draft', async () => {
		const { id } = await suite.document();
		const item = await itemWith({
			a: { content: await pdf('One'), name: 'one.pdf' },
			b: { content: await pdf('Two'), name: 'two.pdf' },
		});
		const add = step('file.add', { envelopeId: id }, { binaryPropertyName: 'a, b' });
		const added = await suite.outputOf(add, [item]);
		expect(sentTo(suite.service, 'POST /envelope/item/create-many')).toEqual({ envelopeId: id });
		expect(added).toMatchObject([
			{ title: 'one.pdf', order: 2, envelopeId: id },
			{ title: 'two.pdf', order: 3 },
		]);
	});

	test('Update renames a file and gives it another place', async () => {
		const document = await suite.document();
		const updateFields = { title: 'Lease of Tina', order: 2 };
		const updated = await suite.outputOf(onFile('update', document, { updateFields }));
		expect(sentTo(suite.service, 'POST /envelope/item/update-many')).toEqual({
			envelopeId: document.id,
			data: [{ envelopeItemId: document.items[0]?.id, ...updateFields }],
		});
		expect(updated).toMatchObject([updateFields]);
	});

	test.each([
		[1, ['c', 'a', 'b']],
		[2, ['a', 'c', 'b']],
		[3, ['a', 'b', 'c']],
		[9, ['a', 'b', 'c']],
	])(
		'Update puts the last of three files at place %i, and moves the others',
		async (order, after) => {
			const content = await pdf();
			const files = Object.fromEntries(
				['a', 'b', 'c'].map((name) => [name, { content, name: `${name}.pdf` }]),
			);
			const create = { ...contract, resource: 'document', operation: 'create' };
			const item = await itemWith(files);
			await suite.outputOf({ ...create, binaryPropertyName: 'a, b, c' }, [item]);
			const [document] = suite.documents() as [Envelope];
			const last = document.items.find(({ title }) => title === 'c.pdf')?.id;
			const update = onFile('update', document, { updateFields: { order } }, last);
			const updated = await suite.outputOf(update);
			expect(updated).toMatchObject([{ title: 'c.pdf', order }]);
			const sorted = [...document.items].sort((one, other) => one.order - other.order);
			expect(sorted.map(({ title }) => title)).toEqual(after.map((name) => `${name}.pdf`));
			expect(new Set(sorted.map((one) => one.order)).size).toBe(3);
		},
	);

	test('Add explains a placeholder of a recipient that there is not', async () => {
		const { id } = await suite.document();
		const content = await pdf('Sign here: {{signature, r9}}');
		const item = await itemWith({ data: { content, name: 'annex.pdf' } });
		const { error } = await suite.run(step('file.add', { envelopeId: id }), [item]);
		expect(error?.message).toBe(
			'annex.pdf contains a placeholder for the recipient r9, but there is no such recipient',
		);
	});

	test('Delete takes a file out of a draft', async () => {
		const document = await suite.document();
		const id = document.items[0]?.id;
		const deleted = await suite.outputOf(onFile('delete', document));
		expect(sentTo(suite.service, 'POST /envelope/item/delete')).toEqual({
			envelopeId: document.id,
			envelopeItemId: id,
		});
		expect(deleted).toEqual([{ id, deleted: true }]);
	});

	describe('Download', () => {
		test('returns the one file', async () => {
			const document = await suite.document('createAndSend');
			const { id, items } = document;
			await suite.complete(id);
			const { items: files } = await suite.run(onFile('download', document));
			expect(files[0]?.json).toMatchObject({
				id: items[0]?.id,
				envelopeId: id,
				status: 'COMPLETED',
			});
			expect((await bytesOf(files[0])).subarray(0, 5).toString()).toBe('%PDF-');
			expect(lines(suite.service)).toEqual([
				`GET /envelope/${id}`,
				`GET /envelope/item/${items[0]?.id ?? ''}/download`,
			]);
		});

		test('refuses the signed file of an unfinished document', async () => {
			const document = await suite.document('createAndSend');
			const { error } = await suite.run(onFile('download', document));
			expect(error?.message).toContain("isn't completed yet (status: pending)");
		});
	});
});
