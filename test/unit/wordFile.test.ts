import { Zip, ZipDeflate } from 'fflate';

import { isWordFile } from '../../nodes/shared/n8n/wordFile';
import { docx, zip } from '../support/docx';
import { pdf } from '../support/pdf';

/** As n8n hands a file on: in chunks of this many bytes. */
async function* inChunks(file: Buffer, size: number) {
	for (let at = 0; at < file.length; at += size) {
		yield await Promise.resolve(file.subarray(at, at + size));
	}
}

const isWord = async (file: Buffer, size = 64 * 1024) => await isWordFile(inChunks(file, size));

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
