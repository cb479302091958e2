import { catalogOf, TAIL } from './catalog';
import { Objects } from './objects';
import { Steps } from './steps';
import { isReference, type Dictionary, type Value } from './values';

/**
 * Larger files are not read. What leads to a page is at both ends of a file and may be anywhere between them, so the file
 * is read into memory: from a stream, pages could only be guessed.
 */
const LARGEST_BYTES = 32 * 1024 * 1024;
const PIECE_BYTES = 64 * 1024;

/** What a page may inherit and has to do with its size. */
const INHERITED = ['/MediaBox', '/CropBox', '/Rotate'];

/** A page: what it says of its size itself, and the same with what it inherits. */
export interface Page {
	own: Dictionary;
	whole: Dictionary;
}

/** `text`: an earlier step read the file as text, so that most of it is lost. */
export type Unreadable = 'encrypted' | 'cut short' | 'text' | 'unknown';

/** The pages of a PDF as Documenso finds them, or why that cannot be told. */
export async function pagesOf(
	file: AsyncIterable<Uint8Array>,
	steps = new Steps(),
): Promise<Page[] | Unreadable> {
	const bytes = await read(file).catch(() => undefined);
	if (!bytes) return 'unknown';
	steps.bytes = bytes.length;
	await steps.pass(bytes.length);
	if (await isText(bytes, steps)) return 'text';
	const text = bytes.toString('latin1');
	await steps.pass(bytes.length);
	try {
		if (await isCutShort(text, steps)) return 'cut short';
		const objects = new Objects(text, steps);
		const catalog = await catalogOf(objects);
		return catalog === 'encrypted' ? catalog : await leavesOf(catalog, objects);
	} catch {
		return text.slice(-TAIL).includes('%%EOF') ? 'unknown' : 'cut short';
	}
}

async function read(file: AsyncIterable<Uint8Array>): Promise<Buffer | undefined> {
	const parts: Uint8Array[] = [];
	let size = 0;
	for await (const part of file) {
		size += part.length;
		if (size > LARGEST_BYTES) return undefined;
		parts.push(part);
	}
	return Buffer.concat(parts);
}

/** Whether bytes that are no text were replaced, as whatever reads a file as text does. */
async function isText(bytes: Buffer, steps: Steps): Promise<boolean> {
	// Some bytes in front only say that the file is no text: without them, nothing is lost.
	if (bytes.indexOf('\ufffd', bytes.indexOf('obj')) < 0) return false;
	const decoder = new TextDecoder('utf-8', { fatal: true });
	try {
		for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
			decoder.decode(bytes.subarray(start, start + PIECE_BYTES), { stream: true });
			await steps.pass(PIECE_BYTES);
		}
		return true;
	} catch {
		return false;
	}
}

/** Bytes between the number of an object and its `obj`. */
const LONGEST_GAP = 20;

/** Whether objects come behind the end. A file for the web has another end, behind its first page. */
async function isCutShort(text: string, steps: Steps): Promise<boolean> {
	const end = Math.max(text.lastIndexOf('startxref'), text.lastIndexOf('%%EOF'));
	for (let at = end; (at = text.indexOf('obj', at + 1)) >= 0;) {
		await steps.take(LONGEST_GAP);
		if (/(\d[\0\t\n\f\r ]+|end)$/.test(text.slice(Math.max(end + 1, at - LONGEST_GAP), at)))
			return true;
	}
	return false;
}

/**
 * The leaves of the tree of pages. Each counts once, only references lead to them, and `/Count` does not matter
 * (@libpdf/core 0.4.1, pdf-page-tree.ts).
 */
async function leavesOf(catalog: Dictionary, objects: Objects): Promise<Page[]> {
	const tree = catalog.get('/Pages');
	if (!isReference(tree)) return [];
	if (!((await objects.get(tree)) instanceof Map)) throw new Error('There is no tree of pages');
	const pages: Page[] = [];
	const seen = new Set<string>();
	const open: Array<[Value, Dictionary]> = [[tree, new Map<string, Value>()]];
	for (let next; (next = open.pop());) {
		const [kid, inherited] = next;
		if (!isReference(kid) || seen.has(kid)) continue;
		seen.add(kid);
		const node = await objects.get(kid);
		if (!(node instanceof Map)) continue;
		const own: Dictionary = new Map();
		for (const name of INHERITED) {
			const value = await objects.get(node.get(name));
			if (value !== undefined) own.set(name, value);
		}
		const whole = new Map([...inherited, ...own]);
		const [type, kids] = [node.get('/Type'), node.get('/Kids')];
		if (type === '/Page') pages.push({ own, whole });
		else if (type === '/Pages' && Array.isArray(kids)) {
			open.push(...kids.map((one): [Value, Dictionary] => [one, whole]).reverse());
		}
	}
	return pages;
}
