import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { docx, zip } from '../support/docx';
import { itemWith, useBinaryMode, type BinaryMode } from '../support/n8n';
import { pdf } from '../support/pdf';
import { lines } from '../support/service';
import {
	byId,
	contract,
	createAndSend,
	ending,
	fillFromRow,
	tenants,
	useService,
} from '../support/suite';
import { hurry } from '../support/hurry';

hurry();

const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

const converting = useService({ seed: 'demo', convertsWordFiles: true });
const plain = useService({ seed: 'demo' });

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
	expect(hints).toEqual([expect.stringMatching(/^The pages of lease\.docx could not be counted/)]);
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
	const { error } = await converting.run({ ...fillFromRow, additionalFields: { replacedFiles } }, [
		item,
	]);
	expect(error).toBeUndefined();
});

describe('a service that does not convert', () => {
	test.each(operations)('is explained in %s', async (_, parameters) => {
		const { error } = await plain.run({ ...parameters }, [await lease()]);
		expect(error).toMatchObject({
			message: 'Documenso could not convert lease.docx to PDF',
			description: expect.stringMatching(
				/^This Documenso is not set up to convert Word files\. Convert the file to PDF before this step, or ask the administrator.* Documenso says: Conversion service not configured\./,
			) as string,
		});
		expect(plain.documents()).toEqual([]);
	});

	test.each([
		['CONVERSION_FAILED', /^Open the file in Word, save it as PDF/],
		['UNSUPPORTED_FILE_TYPE', /^This Documenso takes only PDFs\. Convert/],
	])('or that could not (%s) says what to do', async (code, advice) => {
		const body = { message: 'No', data: { code, httpStatus: 400 } };
		plain.service.fail({ match: 'POST /envelope/create', status: 400, body });
		const { error } = await plain.run(createAndSend, [await lease()]);
		expect(error?.message).toBe('Documenso could not convert lease.docx to PDF');
		expect(error?.description).toMatch(advice);
	});

	test('is not blamed for what is wrong with a PDF', async () => {
		const body = { message: 'No', data: { code: 'CONVERSION_FAILED', httpStatus: 400 } };
		plain.service.fail({ match: 'POST /envelope/create', status: 400, body });
		expect((await plain.upload()).error?.message).toBe('No');
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
