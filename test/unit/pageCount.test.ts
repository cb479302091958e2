import { readdirSync, readFileSync } from 'node:fs';

import { PDFDocument } from '@cantoo/pdf-lib';

import { Random } from '../../emulator/random';
import { pageCount } from '../../nodes/Documenso/pdf/pageCount';
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
async function count(file: Buffer | string, size = 65_536) {
	const bytes = typeof file === 'string' ? Buffer.from(file, 'latin1') : file;
	const pieces = async function* () {
		for (let start = 0; start < bytes.length; start += size) {
			yield bytes.subarray(start, start + size);
		}
	};
	return await pageCount(pieces());
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
		['that is no PDF', 'PK\x03\x04'],
		['that is empty', ''],
		['that has no trailer', document(3).replace(TRAILER, '')],
		['without its catalog', document(3).replace('1 0 obj', '5 0 obj')],
		['without its tree of pages', document(3).replace('2 0 obj', '5 0 obj')],
		['whose catalog was changed into something else', document(3, object(1, '<<>>'))],
		['without any page', document(0)],
		['with a number of pages below 0', document(-3)],
		['whose stream is shorter than it says', document(3, stream(7, 'x', '', '12'))],
		['whose stream is longer than it says', document(3, stream(7, 'xyz', '', '1'))],
		[
			'with a PDF in a stream that tells its length elsewhere',
			document(3, elsewhere(document(9, stream(7, 'x')), 400)),
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

test('a file that was cut off has the pages of a version before, or nothing is said of it', async () => {
	const file = document(3) + object(2, tree(5)) + objectStream(7, { 9: '<<>>' }) + XREF_STREAM;
	for (let length = 0; length < file.length; length++) {
		expect([undefined, 3, 5]).toContain(await count(file.slice(0, length), 64));
	}
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
		expect([round, await count(file, 1 + random.below(300))]).toEqual([round, pages || undefined]);
	}
});
