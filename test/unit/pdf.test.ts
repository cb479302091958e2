import { readdirSync, readFileSync } from 'node:fs';
import { PDFDocument } from '@cantoo/pdf-lib';
import { Zip, ZipDeflate } from 'fflate';
import { Random } from '../../emulator/random';
import { isWordFile } from '../../nodes/shared/n8n/wordFile';
import { pagesOf } from '../../nodes/shared/pdf/pages';
import { Steps } from '../../nodes/shared/pdf/steps';
import { docx, zip } from '../support/docx';
import { pdf } from '../support/pdf';
import {
	CATALOG,
	deflated,
	document,
	HEADER,
	leaves,
	object,
	objectStream,
	packed,
	randomDocument,
	stream,
	TRAILER,
	tree,
	Writer,
	XREF_STREAM,
} from '../support/pdfText';

const bytesOf = (file: Buffer | string) =>
	typeof file === 'string' ? Buffer.from(file, 'latin1') : file;

/** As n8n hands a file on. */
async function* inPieces(bytes: Buffer, size = 65_536) {
	for (let start = 0; start < bytes.length; start += size) {
		yield await Promise.resolve(bytes.subarray(start, start + size));
	}
}

/** How many pages are found, or why that cannot be told. */
async function count(file: Buffer | string, steps = new Steps()) {
	const pages = await pagesOf(inPieces(bytesOf(file)), steps);
	return typeof pages === 'string' ? pages : pages.length;
}

async function withPages(pages: number, useObjectStreams: boolean) {
	const made = await PDFDocument.create();
	for (let page = 0; page < pages; page++) made.addPage([100, 100]);
	return Buffer.from(await made.save({ useObjectStreams }));
}

test.each([false, true])('pages are found as pdf-lib makes them, packed: %s', async (packs) => {
	expect(await count(await withPages(137, packs))).toBe(137);
});

const examples = readdirSync('examples').filter((name) => name.endsWith('.pdf'));

test.each(examples)('pages are found in examples/%s', async (name) => {
	const file = readFileSync(`examples/${name}`);
	expect(await count(file)).toBe((await PDFDocument.load(file)).getPageCount());
});

test('pages of 300 random documents are found as pdf-lib finds them', async () => {
	const random = new Random(13);
	for (let round = 0; round < 300; round++) {
		const file = randomDocument(random);
		const pages = (await PDFDocument.load(Buffer.from(file, 'latin1'))).getPages().length;
		expect([round, await count(file)]).toEqual([round, pages]);
	}
});

const { entries, content } = packed({ 1: CATALOG, 2: tree(3) });
const manyHeads = '9 0 '.repeat(400_000);

/** The catalog, a tree of so many pages, and these, with a table. */
function written(pages: number, tail = (writer: Writer) => writer) {
	const writer = new Writer().add(1, object(1, CATALOG)).add(2, object(2, tree(pages)));
	return addLeaves(tail(writer), pages);
}

function addLeaves(writer: Writer, pages: number) {
	const heads = leaves(pages).split(/(?<=endobj\n)/);
	for (const page of heads.filter((text) => text !== '')) writer.add(parseInt(page), page);
	return writer;
}

const revised = (kind?: 'plain' | 'packed' | 'predicted') =>
	written(9)
		.end(kind)
		.add(2, object(2, tree(3)))
		.end(kind).text;

describe('three pages are found in a file', () => {
	test.each([
		['with a table', written(3).end().text],
		['with a table in a stream', written(3).end('packed').text],
		['with such a table in rows', written(3).end('predicted').text],
		['that was changed', revised()],
		['that was changed, with tables in streams', revised('predicted')],
		[
			'that was changed in an object stream',
			written(9)
				.end()
				.pack(7, { 2: tree(3) })
				.end('packed').text,
		],
		[
			'that was changed to another root',
			written(9)
				.end()
				.add(5, object(5, CATALOG.replace('2', '6')))
				.add(6, object(6, tree(3)))
				.end('plain', '/Root 5 0 R').text,
		],
		[
			'from which another was deleted',
			addLeaves(
				new Writer()
					.add(1, object(1, CATALOG))
					.add(2, object(2, tree(4)))
					.say(14, 0, 0, 0),
				4,
			)
				.say(14, 0, 0, 0)
				.end().text,
		],
		['whose table begins with 1', written(3).end().text.replace('xref\n0 1', 'xref\n1 1')],
		[
			'with a PDF in a stream',
			written(3)
				.add(7, stream(7, document(9)))
				.end().text,
		],
		['with blanks behind its end', `${written(3).end().text}${'\0'.repeat(4000)}`],
		['without a table', document(3)],
		['with Windows line ends', document(3).replaceAll('\n', '\r\n')],
		['with the line ends of old Macs', document(3).replaceAll('\n', '\r')],
		['with hardly a blank', document(3).replaceAll('>>\n', '>>').replaceAll('obj\n<', 'obj<')],
		['with other bytes before its header', `\0(garbage\n${document(3)}`],
		['with names written as codes', document(3).replace('Kids', 'K#69ds').replace('s 2', '#73 2')],
		['with comments', document(3).replaceAll('/', '%>>/Count 9 (\n/')],
		['that ends in a long comment', `${document(3)}%${'x'.repeat(70_000)}`],
		['with brackets in a text', document(3, object(9, `<</T(\\)(<<)(>>) [)/U(]>>)>>`))],
		['with hexadecimal texts', document(3, object(9, '<</T<2F>/U<>/Count 9>>'))],
		['with another tree', document(3, object(9, '<</Type/Pages/Kids[]/Count 2>>'))],
		[
			'with object streams',
			HEADER + objectStream(7, { 2: tree(3), 1: CATALOG }) + leaves(3) + XREF_STREAM,
		],
		['changed in an object stream', document(9, objectStream(7, { 2: tree(3) }))],
		[
			'with an object stream of unknown length',
			HEADER +
				stream(7, deflated(content), `${entries}/Filter[/FlateDecode]`, '8 0 R') +
				leaves(3) +
				XREF_STREAM,
		],
		[
			'with an object stream as it is',
			HEADER + stream(7, content, entries) + leaves(3) + XREF_STREAM,
		],
		['whose stream is shorter than it says', document(3, stream(7, 'x', '', '12'))],
		['whose stream is longer than it says', document(3, stream(7, 'xyz', '', '1'))],
	])('%s', async (_, file) => {
		expect(await count(file)).toBe(3);
		expect(await count(file.replaceAll('/Count 3', '/Count 7'))).toBe(3);
	});
});

/** As Documenso reads it (@libpdf/core 0.4.1). */
describe('what is no page for Documenso is none', () => {
	const withKids = (kids: string, ...more: string[]) =>
		HEADER +
		[object(1, CATALOG), object(2, `<</Type/Pages/Kids[${kids}]/Count 2>>`)].join('') +
		leaves(2) +
		more.join('') +
		TRAILER;
	test.each([
		['a page that is there twice', withKids('11 0 R 11 0 R'), 1],
		['a page that is missing', withKids('11 0 R 99 0 R'), 1],
		['a page that is not an indirect object', withKids('11 0 R <</Type/Page>>'), 1],
		['what has no type', withKids('11 0 R 9 0 R', object(9, '<</MediaBox[0 0 9 9]>>')), 1],
		['a tree that contains itself', withKids('2 0 R 11 0 R 12 0 R'), 2],
		['the pages of a list elsewhere', document(3).replace(/Kids\[.*?\]/, 'Kids 9 0 R'), 0],
		['what a table puts elsewhere', written(3).say(12, 1, 5, 0).end().text, 2],
		['all, without a tree', document(3).replace('/Pages 2 0 R', ''), 0],
	])('%s', async (_, file, pages) => {
		expect(await count(file)).toBe(pages);
	});

	test('a file without pages has none', async () => {
		const empty = await (await PDFDocument.create()).save({ addDefaultPage: false });
		expect(await count(Buffer.from(empty))).toBe(0);
	});
});

describe('an encrypted file is called so', () => {
	const encrypted = '/Root 1 0 R/Encrypt 9 0 R';
	test.each([
		['with a table', written(3).end('plain', encrypted).text],
		['with a table in a stream', written(3).end('packed', encrypted).text],
		['without a table', document(3).replace('/Root', '/Encrypt 9 0 R/Root')],
	])('%s', async (_, file) => {
		expect(await count(file)).toBe('encrypted');
	});

	test('and a file is not that was encrypted before', async () => {
		const file = written(3).end('plain', encrypted).add(9, object(9, '<<>>')).end().text;
		expect(await count(file)).toBe(3);
	});

	test('by pdf-lib', async () => {
		const locked = await PDFDocument.create();
		locked.addPage();
		locked.encrypt({ ownerPassword: 'secret', permissions: { printing: 'highResolution' } });
		expect(await count(Buffer.from(await locked.save()))).toBe('encrypted');
	});
});

describe('a file that was read as text is called so', () => {
	test.each([false, true])('by pdf-lib, packed: %s', async (packs) => {
		const file = (await withPages(3, packs)).toString();
		expect(await count(Buffer.from(file))).toBe(packs ? 'text' : 3);
	});

	test('even if nothing but a letter is lost', async () => {
		const letter = document(3, object(9, '(J\xfcrgen)'));
		expect(await count(letter)).toBe(3);
		expect(await count(Buffer.from(bytesOf(letter).toString()))).toBe('text');
	});

	test('but not a text in which somebody wrote that letter', async () => {
		const file = document(3, object(9, '(J\xef\xbf\xbdrgen \xfc)'));
		expect(await count(file)).toBe(3);
	});
});

describe('nothing is said of a file', () => {
	const packedAs = (more: string, data: string) =>
		HEADER + stream(7, data, entries + more) + leaves(3) + XREF_STREAM;
	test.each([
		['without its catalog', document(3).replace('/Catalog', '/Other').replace('/Pages/K', '/K')],
		['without its tree of pages', document(3).replace('2 0 obj', '5 0 obj')],
		['whose catalog was changed into something else', written(3).end('plain', '/Root 9 0 R').text],
		[
			'with an object stream that says it has very many',
			document(
				3,
				stream(
					7,
					deflated(manyHeads),
					`/Type/ObjStm/N 4000000/First ${manyHeads.length}/Filter/FlateDecode`,
				),
				'x'.repeat(100),
			),
		],
		['with an unknown filter', packedAs('/Filter/LZWDecode', content)],
		[
			'with an unknown predictor',
			packedAs('/Filter/FlateDecode/DecodeParms<</Predictor 2>>', deflated(content)),
		],
		[
			'whose object stream is damaged',
			packedAs('/Filter/FlateDecode', deflated(content).replace(/.$/s, 'x')),
		],
		[
			'that is small and would unpack to very much',
			packedAs('/Filter/FlateDecode', deflated(content + ' '.repeat(20_000_000))),
		],
		['with an object that is too long', document(3, object(9, `[${'1 '.repeat(100_000)}]`))],
		['with a key that is no name', document(3, object(9, '<<5 6>>'))],
	])('%s', async (_, file) => {
		expect(await count(file)).toBe('unknown');
	});

	test('that is larger than 32 MB, which is not read to its end', async () => {
		let read = 0;
		const large = async function* () {
			for (;;) yield await Promise.resolve(Buffer.alloc((read += 1_000_000) && 1_000_000));
		};
		expect(await pagesOf(large())).toBe('unknown');
		expect(read).toBeLessThan(40_000_000);
	});

	test('that cannot be read to its end', async () => {
		const pieces = async function* () {
			yield await Promise.resolve(Buffer.from(document(3)));
			throw new Error('The connection broke off');
		};
		expect(await pagesOf(pieces())).toBe('unknown');
	});
});

describe('is cut short', () => {
	const long = stream(7, 'x'.repeat(2000));
	test.each([
		['a file that is empty', ''],
		['one that ends in its header', '%PDF-1'],
		['one without a trailer', document(3).replace(TRAILER, '')],
		['one that ends in a text', `${document(3)}9 0 obj (${'x'.repeat(2000)}`],
		['one that ends in a dictionary', `${document(3)}9 0 obj <<`],
		['one that ends in a stream', (document(3) + long).slice(0, -1000)],
		['one for the web that ends between objects', written(3).end().text + object(9, '<<>>')],
	])('%s', async (_, file) => {
		expect(await count(file)).toBe('cut short');
	});

	test.each([false, true])('a PDF of pdf-lib wherever it is cut, packed: %s', async (packs) => {
		const file = await withPages(40, packs);
		// Whoever reads it can do without the last line.
		const length = file.lastIndexOf('startxref');
		const ends = Array.from({ length: 50 }, (_, part) => Math.floor((part * length) / 50));
		for (const end of ends)
			expect([end, await count(file.subarray(0, end))]).toEqual([end, 'cut short']);
	});

	test('a change of a file wherever it is cut, or the file has its pages before or after it', async () => {
		const whole = written(3).end('packed');
		const before = whole.text.length;
		const file = addLeaves(whole.pack(7, { 2: tree(5) }), 5).end('predicted').text;
		for (let length = before; length < file.length; length++) {
			const pages = await count(file.slice(0, length));
			expect(['cut short', length < before + 10 ? 3 : 5]).toContain(pages);
		}
	});
});

test('a page has its own size, and what it inherits', async () => {
	const file =
		HEADER +
		object(1, CATALOG) +
		object(2, '<</Type/Pages/Kids[3 0 R 5 0 R]/MediaBox[0 0 9 9]/Rotate 90>>') +
		object(3, '<</Type/Pages/Kids[4 0 R]/CropBox 9 0 R>>') +
		object(4, '<</Type/Page/Rotate 0/T[/MediaBox]>>') +
		object(5, '<</Type/Page/MediaBox[1 -2 3.5 +.5]>>') +
		object(9, '[1 1 8 8]') +
		TRAILER;
	const pages = await pagesOf(inPieces(bytesOf(file)));
	const named = (page: Map<string, unknown>) => Object.fromEntries(page);
	expect(Array.isArray(pages) && pages.map(({ own, whole }) => [named(own), named(whole)])).toEqual(
		[
			[{ '/Rotate': 0 }, { '/MediaBox': [0, 0, 9, 9], '/CropBox': [1, 1, 8, 8], '/Rotate': 0 }],
			[{ '/MediaBox': [1, -2, 3.5, 0.5] }, { '/MediaBox': [1, -2, 3.5, 0.5], '/Rotate': 90 }],
		],
	);
});

describe('what a file costs', () => {
	const random = new Random(27);
	const repeated = (unit: string, size: number) => unit.repeat(Math.ceil(size / unit.length));
	const NESTED = stream(7, '9 0 1', '/Type/ObjStm/N 1/First 4');
	const UNITS = [
		...['1 ', '[]', '<<>>', '<</A/B>>', '9 0 R ', '(x)', '((()))', '<41>', '/N#61me', '%\n', ' '],
		...['1 0 obj ', 'endobj ', 'trailer<<>>', HEADER, TRAILER, object(9, '5'), object(9, tree(9))],
		...['['.repeat(400) + ']'.repeat(400), '('.repeat(900) + ')'.repeat(900), stream(9, '')],
		...[objectStream(9, { 8: '5' }), stream(9, '', '/Type/ObjStm/N 0/First 0'), NESTED],
		...[
			stream(9, '', '', '8 0 R'),
			stream(9, '', '', '99999999'),
			stream(9, '', '/Type/ObjStm/N 99999999/First 0'),
		],
		...[
			'xref\n0 9\n',
			'0000000009 00000 n \n',
			'startxref\n9\n',
			'3 0 obj <</Type/ObjStm>>stream\n',
		],
	];
	const anyUnit = () => UNITS[random.below(UNITS.length)] ?? '';
	const inObjectStream = (text: string, number = 7) =>
		stream(number, deflated(`9 0 ${text} `), '/Type/ObjStm/N 1/First 4/Filter/FlateDecode');
	const most = (file: string) => 9 * 1024 * 1024 + file.length;

	test.each(UNITS)('is no more than its size allows: %j many times', async (unit) => {
		for (const size of [3000, 100_000]) {
			const text = repeated(unit, size);
			for (const file of [
				document(3, text),
				document(3, inObjectStream(text)),
				written(3, (writer) => writer.add(2, object(2, text))).end('packed').text,
			]) {
				const steps = new Steps();
				await count(file, steps);
				expect(steps.taken).toBeLessThanOrEqual(most(file));
			}
		}
	});

	test('is no more than its size allows, for 60 random files', async () => {
		for (let round = 0; round < 60; round++) {
			const parts = Array.from({ length: 1 + random.below(5) }, () => {
				const text = repeated(anyUnit(), random.below(20_000)) + anyUnit();
				return random.below(2) > 0 ? text : inObjectStream(text);
			});
			const file = document(3, ...parts);
			const steps = new Steps();
			await count(file, steps);
			expect([round, steps.taken <= most(file)]).toEqual([round, true]);
		}
	});

	const rows = (kind: string, length = 999_999_999) =>
		`${HEADER}1 0 obj<</Type/XRef/W[${kind}]/Size ${length}/Root 1 0 R/Length 0>>stream\n\nendstream endobj\nstartxref\n${HEADER.length}\n%%EOF`;
	const chain = Object.fromEntries(
		Array.from({ length: 30_000 }, (_, page) => [
			page + 2,
			`<</Type/Pages/Kids[${page + 3} 0 R]>>`,
		]),
	);
	test.each([
		['tables without end', rows('0 0 0')],
		[
			'a tree as deep as the file is long',
			new Writer().pack(7, { 1: CATALOG, ...chain }).end('packed').text,
		],
		[
			'a tree whose every branch is all of it',
			document(
				3,
				object(
					2,
					`<</Type/Pages/Kids[${Array.from({ length: 9000 }, (_, one) => `2 ${one} R`).join(' ')}]>>`,
				),
			),
		],
	])('is no more than its size allows, with %s', async (_, file) => {
		const steps = new Steps();
		await count(file, steps);
		expect(steps.taken).toBeLessThanOrEqual(most(file));
	});

	const many = (make: (number: number) => string) =>
		Array.from({ length: 50 }, (_, index) => make(100 + index));

	test('is little for what real programs make', async () => {
		const steps = new Steps();
		const file = await withPages(3000, true);
		expect(await count(file, steps)).toBe(3000);
		expect(steps.taken).toBeLessThan(20 * file.length);
	});

	test.each([
		['tokens', document(3, ...many((number) => object(number, `[${'1 '.repeat(5_000)}]`)))],
		['objects', document(3, object(9, '5').repeat(30_000))],
		[
			'rows',
			written(3)
				.end()
				.text.replace('xref\n', `xref\n${'5 1\n0000000009 00000 n \n'.repeat(20_000)}`),
		],
		[
			'object streams',
			document(3, ...many((number) => inObjectStream(`[${'[]'.repeat(20_000)}]`, number))),
		],
	])(
		'of nine files at once is not paid at once: others have their turn between %s',
		async (_, file) => {
			const all = Array.from({ length: 9 }, () => new Steps());
			let done = 0;
			let most = 0;
			const look = () => {
				const taken = all.reduce((sum, steps) => sum + steps.taken, 0);
				most = Math.max(most, taken - done);
				done = taken;
			};
			const next = () => {
				look();
				turn = setImmediate(next);
			};
			let turn = setImmediate(next);
			await Promise.all(all.map(async (steps) => await count(file, steps)));
			look();
			clearImmediate(turn);
			expect(most / done).toBeLessThan(0.25);
		},
	);

	test('counts what comes behind its end, so that others have their turn', async () => {
		const steps = new Steps();
		const file = document(3) + 'xobj'.repeat(100_000);
		expect(await count(file, steps)).toBe(3);
		expect(steps.taken).toBeGreaterThan(file.length);
	});
});

const isWord = async (file: Buffer, size?: number) => await isWordFile(inPieces(file, size));

/** Written as a stream, so that the sizes stand behind each part, as Google Docs does it. */
function streamed(...names: string[]): Buffer {
	const chunks: Uint8Array[] = [];
	const file = new Zip((_, chunk) => void chunks.push(chunk));
	for (const name of names) {
		const part = new ZipDeflate(name);
		file.add(part);
		part.push(new Uint8Array(10), true);
	}
	file.end();
	return Buffer.concat(chunks);
}

const PARTS = ['[Content_Types].xml', '_rels/.rels', 'word/document.xml'];

describe('a Word file is known', () => {
	test.each([1, 3, 100, 1_000_000])('in chunks of %d bytes', async (size) => {
		expect(await isWord(docx(), size)).toBe(true);
	});

	test('in any order of its parts, and as a stream', async () => {
		expect(await isWord(zip(...PARTS))).toBe(true);
		expect(await isWord(zip(...[...PARTS].reverse()))).toBe(true);
		expect(await isWord(streamed(...PARTS))).toBe(true);
	});

	test('where its text has a number, as Word sometimes writes it', async () => {
		expect(await isWord(zip('[Content_Types].xml', 'word/document2.xml'))).toBe(true);
	});

	test('by a directory that is longer than a chunk', async () => {
		const names = Array.from({ length: 5000 }, (_, index) => `word/media/${index}`.padEnd(60, 'x'));
		const pictures = Object.fromEntries(names.map((name) => [name, Buffer.alloc(0)]));
		const first = { 'word/media/first.png': Buffer.alloc(1_300_000) };
		expect(await isWord(docx('Catalogue', { ...first, ...pictures }), 100_000)).toBe(true);
	});

	test('behind pictures of megabytes', async () => {
		const picture = Buffer.alloc(5_000_000, 'PK\x01\x02');
		expect(await isWord(docx('Scan', { 'word/media/image1.png': picture }))).toBe(true);
		expect(await isWord(docx('Scan', { 'word/media/image1.png': picture }), 10_000_000)).toBe(true);
	});
});

describe('something else is not', () => {
	const others: Array<[string, () => Buffer | Promise<Buffer>]> = [
		['a PDF', async () => await pdf()],
		['nothing', () => Buffer.alloc(0)],
		['two bytes', () => Buffer.from('PK')],
		['a page', () => Buffer.from('<html>word/document.xml [Content_Types].xml</html>')],
		['an old Word file', () => Buffer.from('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'latin1')],
		['a spreadsheet', () => zip('[Content_Types].xml', 'xl/workbook.xml')],
		['a ZIP', () => zip('contract.pdf')],
		['a ZIP with a Word file in it', () => zip('contract.docx')],
		['a ZIP that only has the text', () => zip('word/document.xml')],
		['a Word file that is cut short', () => docx().subarray(0, 700)],
		[
			'a ZIP with a wrong end',
			() => Buffer.concat([docx().subarray(0, -18), Buffer.alloc(18, 255)]),
		],
		['a ZIP whose end is cut short', () => docx().subarray(0, -14)],
	];

	test.each(others)('%s', async (_, make) => {
		const file = await make();
		for (const size of [1, 1_000_000]) expect(await isWord(file, size)).toBe(false);
	});

	test('and is not read to its end', async () => {
		let isRead = false;
		async function* file() {
			yield await Promise.resolve(Buffer.from('%PDF-'));
			isRead = true;
			yield Buffer.from('more');
		}
		expect(await isWordFile(file())).toBe(false);
		expect(isRead).toBe(false);
	});
});
