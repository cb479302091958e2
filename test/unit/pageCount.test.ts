import { readdirSync, readFileSync } from 'node:fs';

import { PDFDocument } from '@cantoo/pdf-lib';

import { Random } from '../../emulator/random';
import { pageCount } from '../../nodes/Documenso/pdf/pageCount';
import { Steps } from '../../nodes/Documenso/pdf/steps';
import {
	CATALOG,
	deflated,
	document,
	HEADER,
	object,
	objectStream,
	packed,
	randomDocument,
	stream,
	TRAILER,
	tree,
	XREF_STREAM,
} from '../support/pdfText';

/** Reads it in pieces of this many bytes. */
async function count(file: Buffer | string, size = 65_536, steps = new Steps()) {
	const bytes = typeof file === 'string' ? Buffer.from(file, 'latin1') : file;
	const pieces = async function* () {
		for (let start = 0; start < bytes.length; start += size) {
			yield bytes.subarray(start, start + size);
		}
	};
	return await pageCount(pieces(), steps);
}

async function withPages(pages: number, useObjectStreams: boolean) {
	const made = await PDFDocument.create();
	for (let page = 0; page < pages; page++) made.addPage([100, 100]);
	return Buffer.from(await made.save({ useObjectStreams }));
}

test.each([false, true])('pages are counted as pdf-lib makes them, packed: %s', async (packs) => {
	const file = await withPages(137, packs);
	expect(await count(file)).toBe(137);
	expect(await count(file, 1)).toBe(137);
});

const examples = readdirSync('examples').filter((name) => name.endsWith('.pdf'));
test.each(examples)('pages are counted in examples/%s', async (name) => {
	const file = readFileSync(`examples/${name}`);
	expect(await count(file)).toBe((await PDFDocument.load(file)).getPageCount());
});

const { entries, content } = packed({ 1: CATALOG, 2: tree(3) });
const manyHeads = '9 0 '.repeat(400_000);
const elsewhere = (data: string, length: number) =>
	stream(7, data, '', '8 0 R') + object(8, String(length));

describe('three pages are counted in a file', () => {
	const changed = document(9) + object(2, tree(3)) + TRAILER;
	test.each([
		['with Windows line ends', document(3).replaceAll('\n', '\r\n')],
		['with the line ends of old Macs', document(3).replaceAll('\n', '\r')],
		['with hardly a blank', document(3).replaceAll('>>\n', '>>').replaceAll('obj\n<', 'obj<')],
		['with other bytes before its header', `\0(garbage\n${document(3)}`],
		[
			'with names written as codes',
			document(3).replace('Count', 'C#6funt').replace('s 2', '#73 2'),
		],
		['with the number in an object of its own', document('8 0 R', object(8, '3'))],
		['with comments', document(3).replaceAll('/', '%>>/Count 9 (\n/')],
		['that ends in a long comment', `${document(3)}%${'x'.repeat(70_000)}`],
		['with the same words in a text', document(3, object(9, `<</T(\\)(${object(2, tree(9))}))>>`))],
		['with hexadecimal texts', document(3, object(9, '<</T<2F>/U<>/Count 9>>'))],
		['with an outline', document(3, object(9, '<</Type/Outlines/First 8 0 R/Count 9>>'))],
		['with a tree in the tree', document(3, object(9, '<</Type/Pages/Kids[]/Count 2>>'))],
		['with the same words in a stream', document(3, stream(7, object(2, tree(9))))],
		['with a PDF in a stream', document(3, stream(7, document(9, stream(7, 'x'))))],
		['with a stream that tells its length elsewhere', document(3, elsewhere('9 0 obj <<', 10))],
		['that was changed', changed],
		[
			'that was changed to another root',
			document(9, object(5, CATALOG.replace('2', '6'))) +
				object(6, tree(3)) +
				TRAILER.replace('1 0 R', '5 0 R'),
		],
		[
			'whose first trailer is in front, for the web',
			[HEADER, TRAILER, document(3)].join('').replace(/Root 1 0 R(?!.*Root)/s, ''),
		],
		['with object streams', HEADER + objectStream(7, { 2: tree(3), 1: CATALOG }) + XREF_STREAM],
		['changed in an object stream', document(9) + objectStream(7, { 2: tree(3) }) + XREF_STREAM],
		[
			'changed after one',
			HEADER + objectStream(7, { 1: CATALOG, 2: tree(9) }) + object(2, tree(3)) + XREF_STREAM,
		],
		[
			'with an object stream of unknown length',
			HEADER +
				stream(7, deflated(content), `${entries}/Filter[/FlateDecode]`, '8 0 R') +
				object(8, String(deflated(content).length)) +
				XREF_STREAM,
		],
		['with an object stream as it is', HEADER + stream(7, content, entries) + XREF_STREAM],
	])('%s', async (_, file) => {
		expect(await count(file)).toBe(3);
		for (const size of [1, 2, 3, 7, 100])
			expect([size, await count(file, size)]).toEqual([size, 3]);
	});
});

describe('nothing is said of a file', () => {
	const packedAs = (more: string, data: string) =>
		HEADER + stream(7, data, entries + more) + XREF_STREAM;
	test.each([
		['that is encrypted', document(3).replace('/Root', '/Encrypt 9 0 R/Root')],
		['without its catalog', document(3).replace('1 0 obj', '5 0 obj')],
		['without its tree of pages', document(3).replace('2 0 obj', '5 0 obj')],
		['whose catalog was changed into something else', document(3, object(1, '<<>>'))],
		['whose tree has a page and counts none', document(0)],
		['whose tree has no page and counts three', document(3).replace('[3 0 R]', '[]')],
		['with a number of pages below 0', document(-3)],
		['whose stream is shorter than it says', document(3, stream(7, 'x', '', '12'))],
		['whose stream is longer than it says', document(3, stream(7, 'xyz', '', '1'))],
		[
			'with a PDF in a stream that tells its length elsewhere',
			document(3, elsewhere(document(9, stream(7, 'x')), 400)),
		],
		[
			'with an object stream in an object stream',
			document(
				9,
				objectStream(7, {
					9: stream(8, packed({ 2: tree(3) }).content, packed({ 2: tree(3) }).entries),
				}),
			),
		],
		['with a trailer in an object stream', document(9, objectStream(7, { 9: TRAILER }))],
		[
			'with fewer objects in an object stream than it says',
			document(3, stream(7, content, entries.replace('/N 2', '/N 3'))),
		],
		[
			'with an object stream that says it has very many',
			document(
				3,
				stream(
					7,
					deflated(manyHeads),
					`/Type/ObjStm/N 400000/First ${manyHeads.length}/Filter/FlateDecode`,
				),
			),
		],
		['that ends in a text', `${document(3)}9 0 obj (`],
		['that ends in a dictionary', `${document(3)}9 0 obj <<`],
		['that ends in a stream', `${document(3)}9 0 obj <</Length 9>> stream\n`],
		['with brackets that do not match', document(3, object(9, '<<[>>]'))],
		['with an unknown filter', packedAs('/Filter/LZWDecode', content)],
		[
			'with parameters for its filter',
			packedAs('/Filter/FlateDecode/DecodeParms<</Predictor 12>>', deflated(content)),
		],
		[
			'whose object stream is broken',
			packedAs('/Filter/FlateDecode', deflated(content).slice(0, -20)),
		],
		[
			'that is small and would unpack to very much',
			packedAs('/Filter/FlateDecode', deflated(content + ' '.repeat(20_000_000))),
		],
		['with brackets in brackets without end', document(3, object(9, '['.repeat(100_000)))],
		['with parentheses in parentheses without end', document(3, object(9, '('.repeat(100_000)))],
	])('%s', async (_, file) => {
		expect(await count(file)).toBeUndefined();
		expect(await count(file, 1000)).toBeUndefined();
	});

	test('that cannot be read to its end', async () => {
		const pieces = async function* () {
			yield await Promise.resolve(Buffer.from(document(3)));
			throw new Error('The connection broke off');
		};
		expect(await pageCount(pieces())).toBeUndefined();
	});
});

describe('is cut short', () => {
	const long = stream(7, 'x'.repeat(2000));
	test.each([
		['a file that is empty', ''],
		['one that ends in its header', '%PDF-1'],
		['one without a trailer', document(3).replace(TRAILER, '')],
		['one that ends in a text', `${document(3)}9 0 obj (${'x'.repeat(2000)}`],
		['one that ends in a stream', (document(3) + long).slice(0, -1000)],
	])('%s', async (_, file) => {
		expect([await count(file), await count(file, 100)]).toEqual(['cut short', 'cut short']);
	});

	test.each([false, true])('a PDF of pdf-lib wherever it is cut, packed: %s', async (packs) => {
		const file = await withPages(40, packs);
		// Whoever reads it can do without the last line.
		const length = file.lastIndexOf('startxref');
		const ends = Array.from({ length: 50 }, (_, part) => Math.floor((part * length) / 50));
		for (const end of ends)
			expect([end, await count(file.subarray(0, end))]).toEqual([end, 'cut short']);
	});

	test('no file that has the pages of a version before', async () => {
		const file = document(3) + object(2, tree(5)) + objectStream(7, { 9: '<<>>' }) + XREF_STREAM;
		for (let length = 0; length < file.length; length++) {
			expect(['cut short', undefined, 3, 5]).toContain(await count(file.slice(0, length), 64));
		}
	});
});

test('a file without pages has none', async () => {
	expect(await count(document(0).replace('[3 0 R]', '[]'))).toBe(0);
	const empty = await (await PDFDocument.create()).save({ addDefaultPage: false });
	expect(await count(Buffer.from(empty))).toBe(0);
});

test('a file is closed when the rest of it does not matter any more', async () => {
	let isClosed = false;
	const pieces = async function* () {
		try {
			yield await Promise.resolve(Buffer.from(document(3, object(9, '<<]'))));
			yield Buffer.from(TRAILER);
		} finally {
			isClosed = true;
		}
	};
	expect(await pageCount(pieces())).toBeUndefined();
	expect(isClosed).toBe(true);
});

test('pages of 300 random documents are counted as pdf-lib counts them', async () => {
	const random = new Random(13);
	for (let round = 0; round < 300; round++) {
		const file = randomDocument(random);
		const pages = (await PDFDocument.load(Buffer.from(file, 'latin1'))).getPages().length;
		// A tree of nothing but empty trees has no pages, either.
		const expected = pages === 0 ? [0, undefined] : [pages];
		expect(expected).toContain(await count(file, 1 + random.below(300)));
	}
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
			elsewhere('', 0),
			stream(9, '', '', '99999999'),
			stream(9, '', '/Type/ObjStm/N 99999999/First 0'),
		],
	];
	const any = () => UNITS[random.below(UNITS.length)] ?? '';
	const inObjectStream = (text: string) =>
		stream(7, deflated(`9 0 ${text} `), '/Type/ObjStm/N 1/First 4/Filter/FlateDecode');

	test.each(UNITS)('is no more than its size allows: %j many times', async (unit) => {
		for (const size of [3000, 100_000]) {
			const text = repeated(unit, size);
			for (const file of [document(3, text), document(3, inObjectStream(text))]) {
				const steps = new Steps();
				await count(file, 4096, steps);
				expect(steps.taken).toBeLessThanOrEqual(500_000 + 10 * file.length);
			}
		}
	});

	test('is no more than its size allows, for 60 random files', async () => {
		for (let round = 0; round < 60; round++) {
			const parts = Array.from({ length: 1 + random.below(5) }, () => {
				const text = repeated(any(), random.below(20_000)) + any();
				return random.below(2) > 0 ? text : inObjectStream(text);
			});
			const file = document(3, ...parts);
			const steps = new Steps();
			const pages = await count(file, 1 + random.below(9999), steps);
			expect([0, 3, 9, undefined, 'cut short']).toContain(pages);
			expect([round, steps.taken <= 500_000 + 10 * file.length]).toEqual([round, true]);
		}
	});

	test('is little for what real programs make', async () => {
		const steps = new Steps();
		expect(await count(await withPages(3000, true), 65_536, steps)).toBe(3000);
		expect(steps.taken).toBeLessThan(100_000);
	});

	test.each([
		['tokens', document(3, object(9, `[${'1 '.repeat(500_000)}]`))],
		['texts', document(3, object(9, `(${'()'.repeat(3_000_000)})`))],
		['comments', document(3, '%\n'.repeat(3_000_000))],
		[
			'object streams',
			document(3, ...Array.from({ length: 50 }, () => inObjectStream(`[${'[]'.repeat(5000)}]`))),
		],
	])(
		'of nine files at once is not paid at once: others have their turn between %s',
		async (_, file) => {
			const all = Array.from({ length: 9 }, () => new Steps());
			let read = 0;
			const pieces = async function* () {
				for (let start = 0; start < file.length; start += 65_536) {
					const piece = Buffer.from(file.slice(start, start + 65_536), 'latin1');
					read += piece.length;
					yield await Promise.resolve(piece);
				}
			};
			let before = 0;
			let most = 0;
			const look = () => {
				const done = all.reduce((sum, { taken }) => sum + taken, 0) + read / 8;
				most = Math.max(most, done - before);
				before = done;
			};
			const next = () => {
				look();
				turn = setImmediate(next);
			};
			let turn = setImmediate(next);
			await Promise.all(all.map(async (steps) => await pageCount(pieces(), steps)));
			look();
			clearImmediate(turn);
			expect(most).toBeLessThan(150_000);
		},
	);
});
