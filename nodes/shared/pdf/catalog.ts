import { attempt, type Objects, type Place } from './objects';
import { Values, type Dictionary, type Value } from './values';

const BLANK = /[\0\t\n\f\r ]/;

/** Characters at the end of a file, in which it tells where its last table is, and the most blanks behind them. */
export const TAIL = 1024;
const PADDING = 64 * 1024;
const START = 'startxref';

/** In a table: the number of an object and how many follow it, and the place of one of them. */
const SECTION = /^[\t\n\r ]*(\d+)[\t\n\r ]+(\d+)(?=[\t\n\r ])/;
const ENTRY = /^[\t\n\r ]*(\d{10}) *(\d{5}) *([nf])[^\n\r]*/;
const LONGEST_LINE = 200;

/** The beginning of an object; a file is searched for it piece by piece. */
const HEAD =
	/(?<![^\0\t\n\f\r ])(\d{1,7})[\0\t\n\f\r ]{1,9}\d{1,5}[\0\t\n\f\r ]{1,9}obj(?![^\0\t\n\f\r ()<>[\]{}/%])/g;
const LONGEST_HEAD = 40;
const PIECE = 4096;

const ENCRYPT = /\/Encrypt[\0\t\n\f\r ]*(?:\d|<<)/;

interface Table {
	places: Map<number, Place>;
	trailer: Dictionary;
}

/**
 * Finds out where the objects of a PDF are, and returns its catalog: all as Documenso does it, so that both find the
 * same pages (@libpdf/core 0.4.1, document-parser.ts and brute-force-parser.ts).
 */
export async function catalogOf(objects: Objects): Promise<Dictionary | 'encrypted'> {
	const trailer = await readTables(objects);
	const isEncrypted = trailer?.has('/Encrypt') ?? ENCRYPT.test(objects.text);
	if (isEncrypted) return 'encrypted';
	const catalog = await objects.get(trailer ? trailer.get('/Root') : await search(objects));
	if (catalog instanceof Map) return catalog;
	throw new Error('There is no catalog');
}

/** Reads the tables of objects, from the last to the first. Returns the last trailer, if that can be read. */
async function readTables(objects: Objects): Promise<Dictionary | undefined> {
	const { text, places } = objects;
	let end = text.length;
	while (end > text.length - PADDING && BLANK.test(text.charAt(end - 1))) end -= 1;
	const start = text.lastIndexOf(START, end);
	if (start < end - TAIL) return undefined;
	let at = await attempt(async () => await objects.read(new Values(text, start + START.length)));
	let last: Dictionary | undefined;
	for (const read = new Set<Value | undefined>(); typeof at === 'number' && !read.has(at);) {
		read.add(at);
		const table = await tableAt(objects, at);
		// A second table, for readers that know streams of objects.
		const second = table && (await tableAt(objects, table.trailer.get('/XRefStm')));
		// What a later table says of an object counts.
		for (const found of [second, table]) {
			for (const [number, place] of found?.places ?? []) {
				if (!places.has(number)) places.set(number, place);
				await objects.pass();
			}
		}
		last ??= table?.trailer;
		at = table?.trailer.get('/Prev');
	}
	return last;
}

async function tableAt(objects: Objects, at: Value | undefined): Promise<Table | undefined> {
	if (typeof at !== 'number') return undefined;
	const read = objects.text.startsWith('xref', at) ? plainTable : packedTable;
	return await attempt(async () => await read(objects, at));
}

async function plainTable(objects: Objects, start: number): Promise<Table> {
	const places = new Map<number, Place>();
	let at = start + 'xref'.length;
	let [number, left] = [0, 0];
	const line = () => objects.text.slice(at, at + LONGEST_LINE);
	for (let found; (found = (left > 0 ? ENTRY : SECTION).exec(line()));) {
		const [all, first, second, kind] = found;
		// The first free object is number 0, even if the table begins with 1.
		if (number === 1 && kind === 'f' && second === '65535') number = 0;
		if (kind) places.set(number, kind === 'n' ? { at: Number(first) } : undefined);
		[number, left] = kind ? [number + 1, left - 1] : [Number(first), Number(second)];
		at += all.length;
		await objects.pass();
	}
	const values = new Values(objects.text, at);
	const trailer = values.next() === 'trailer' ? await objects.read(values) : undefined;
	if (!(trailer instanceof Map)) throw new Error('A table is not complete');
	return { places, trailer };
}

async function packedTable(objects: Objects, start: number): Promise<Table> {
	const { entries: trailer, bytes } = await objects.stream(start);
	const places = new Map<number, Place>();
	const widths = numbersIn(trailer.get('/W'));
	const ranges = numbersIn(trailer.get('/Index') ?? [0, trailer.get('/Size') ?? null]);
	let at = 0;
	const next = (width: number) => {
		at += width;
		return width > 0 ? bytes.readUIntBE(at - width, width) : undefined;
	};
	for (let range = 0; range < ranges.length; range += 2) {
		const [first = 0, count = 0] = ranges.slice(range, range + 2);
		for (let number = first; number < first + count; number++) {
			const [kind = 1, one = 0, other = 0] = widths.slice(0, 3).map(next);
			if (kind > 2) throw new Error('A table has an unknown entry');
			const place = [undefined, { at: one }, { at: other, stream: one }][kind];
			if (!places.has(number)) places.set(number, place);
			await objects.pass();
		}
	}
	return { places, trailer };
}

function numbersIn(value: Value | undefined): number[] {
	const numbers = Array.isArray(value) ? value.map(Number) : [NaN];
	if (numbers.some(Number.isNaN)) throw new Error('A table is not complete');
	return numbers;
}

/**
 * Finds what looks like an object, in streams, too: the last one of each number counts, and those in streams of objects
 * before others. Returns the first that looks like the catalog.
 */
async function search(objects: Objects): Promise<Value | undefined> {
	const { text, places } = objects;
	for (let start = 0; start < text.length; start += PIECE) {
		const piece = text.slice(start, start + PIECE + LONGEST_HEAD);
		for (const { 1: number, index } of piece.matchAll(HEAD)) {
			places.set(Number(number), { at: start + index });
			await objects.pass();
		}
		await objects.pass();
	}
	const types = new Map<number, Value | undefined>();
	const look = async (number: number) => {
		const object = await objects.get(`${number} 0 R`);
		types.set(number, object instanceof Map ? object.get('/Type') : undefined);
	};
	for (const number of [...places.keys()]) await look(number);
	for (const [stream, type] of [...types]) {
		if (type !== '/ObjStm') continue;
		const pack = (await attempt(async () => await objects.pack(stream))) ?? [];
		for (const [at, { number }] of pack.entries()) {
			places.set(number, { at, stream });
			if (!types.has(number)) await look(number);
		}
	}
	const [root] = ['/Catalog', '/Pages'].flatMap((wanted) =>
		[...types.keys()].filter((number) => types.get(number) === wanted),
	);
	return root === undefined ? undefined : `${root} 0 R`;
}
