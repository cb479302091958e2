import {
	content,
	ENTRIES,
	integer,
	isOfType,
	nameIn,
	objectsIn,
	reference,
	type Dictionary,
} from './objects';
import { Steps } from './steps';
import { Tokens } from './tokens';

/** How many tokens of an entry's value are kept. */
const VALUE_TOKENS = 4;

/** No real document comes near these limits. A file made to use up memory or time would. */
const DEEPEST = 500;
const MOST_OBJECTS = 500_000;
const LARGEST_STREAM = 16 * 1024 * 1024;

/** What takes as long as reading so many tokens. */
const STREAM_STEPS = 2000;
const OBJECT_STEPS = 10;
const BYTES_PER_STEP = 2;

/** Only the file itself has them, and no object stream: otherwise one could hold others without end. */
const ONLY_IN_FILE = new Set(['obj', 'stream', 'trailer']);

/** A number that no object has. */
const TRAILER = 0;

/**
 * How many pages a PDF has. Undefined if that cannot be told, for example because it is encrypted or would take too long.
 * Reads the file once, from start to end: a PDF that was changed defines an object again further on, and the last
 * definition counts.
 */
export async function pageCount(
	file: AsyncIterable<Uint8Array>,
	steps = new Steps(),
): Promise<number | 'cut short' | undefined> {
	const tokens = new Tokens(file, steps);
	try {
		return await new Pdf(tokens, steps).pageCount();
	} catch {
		return tokens.isCutShort ? 'cut short' : undefined;
	} finally {
		await tokens.close();
	}
}

class Pdf {
	/** Dictionaries that may lead from the trailer to the number of pages, and whole numbers. */
	private readonly objects = new Map<number, Dictionary | number>();
	/** Streams whose length is in another object: its number, and the length that was found. */
	private readonly lengths: Array<[number: number, length: number]> = [];
	private root: string[] | undefined;
	private number = TRAILER;
	private dictionary: Dictionary = new Map();
	private key = '';
	private value: string[] = [];
	/** The dictionaries and lists that are open, the outermost first: `<[<`. */
	private nesting = '';
	/** The last two tokens outside of them. */
	private before: string[] = [];

	constructor(
		private readonly file: Tokens,
		private readonly steps: Steps,
	) {}

	async pageCount(): Promise<number> {
		await this.file.takeUntil('%PDF-');
		await this.read(this.file);
		this.checkLengths();
		const catalog = this.dictionaryAt(reference(this.root));
		const tree = this.dictionaryAt(reference(catalog.get('/Pages')));
		const count = tree.get('/Count');
		const pages = integer(count) ?? this.integerAt(reference(count));
		const isEmpty = tree.get('/Kids')?.join('') === '[';
		if ((pages === 0) !== isEmpty) throw new Error('The tree of pages has another size');
		return pages;
	}

	/** Reads the file itself, or an object of an object stream. */
	private async read(tokens: Tokens) {
		for (let token; (token = tokens.next() ?? (await tokens.awaited())) !== undefined;) {
			if (this.steps.take(1, this.file.size)) await this.steps.pause();
			if (this.nesting !== '') this.inside(token);
			else if (tokens !== this.file && ONLY_IN_FILE.has(token))
				throw new Error('A stream in a stream');
			else if (token === 'stream') await this.stream();
			else this.outside(token);
		}
		if (this.nesting !== '') throw new Error('The last object is not complete');
	}

	private outside(token: string) {
		switch (token) {
			case '<<':
			case '[':
				this.open(token);
				break;
			case 'obj':
				this.begin(Number(this.before.at(-2)));
				break;
			case 'trailer':
				this.begin(TRAILER);
				break;
			case 'endobj': {
				const whole = this.before.length === 1 ? integer(this.before) : undefined;
				if (whole !== undefined) this.remember(whole);
				this.before = [];
				break;
			}
			default:
				this.before = [...this.before.slice(-1), token];
		}
	}

	private begin(number: number) {
		if (!Number.isSafeInteger(number)) throw new Error('An object has no number');
		this.objects.delete(number);
		this.number = number;
		this.dictionary = new Map();
		this.before = [];
	}

	private inside(token: string) {
		switch (token) {
			case '<<':
			case '[':
				this.add(token);
				this.open(token);
				break;
			case '>>':
			case ']':
				this.close(token === '>>' ? '<' : '[');
				break;
			case 'obj':
			case 'endobj':
			case 'stream':
				throw new Error('An object is not complete');
			default:
				this.add(token);
		}
	}

	private open(token: string) {
		if (this.nesting.length === DEEPEST) throw new Error('The objects are nested too deep');
		this.nesting += token.slice(0, 1);
	}

	private close(opened: string) {
		if (!this.nesting.endsWith(opened)) throw new Error('The brackets do not match');
		this.nesting = this.nesting.slice(0, -1);
		if (this.nesting !== '') return;
		this.endEntry();
		const { dictionary } = this;
		if (this.number === TRAILER || isOfType(dictionary, '/XRef')) this.endTrailer();
		const isTree = dictionary.has('/Count') && dictionary.has('/Kids');
		if (isTree || dictionary.has('/Pages')) this.remember(dictionary);
	}

	/** Reads the entries of the outermost dictionary, and those of a list in it. */
	private add(token: string) {
		const isKey = token.startsWith('/') && (this.key === '' || this.value.length > 0);
		if (this.nesting === '<' && isKey) {
			this.endEntry();
			this.key = nameIn(token);
		} else if (this.nesting === '<' || this.nesting === '<[') {
			if (this.value.length < VALUE_TOKENS) this.value.push(token);
		}
	}

	private endEntry() {
		if (ENTRIES.has(this.key)) this.dictionary.set(this.key, this.value);
		this.key = '';
		this.value = [];
	}

	private endTrailer() {
		if (this.dictionary.has('/Encrypt')) throw new Error('The file is encrypted');
		// The last trailer of a linearized file has no root.
		this.root = this.dictionary.get('/Root') ?? this.root;
	}

	private remember(object: Dictionary | number) {
		if (this.objects.size === MOST_OBJECTS) throw new Error('There are too many objects');
		this.objects.set(this.number, object);
	}

	private async stream() {
		const { file, dictionary } = this;
		const hasObjects = isOfType(dictionary, '/ObjStm');
		let data = '';
		const keep = (part: string) => {
			if (!hasObjects) return;
			data += part;
			if (data.length > LARGEST_STREAM) throw new Error('An object stream is too large');
		};
		await file.passLineEnd();
		const given = dictionary.get('/Length');
		const length = integer(given);
		if (length !== undefined) await file.take(length, keep);
		else this.lengths.push([reference(given), await file.takeUntil('endstream', keep)]);
		if ((await file.awaited()) !== 'endstream') throw new Error('A stream has another length');
		if (!hasObjects) return;
		const limit = Math.min(LARGEST_STREAM, this.steps.left(file.size) * BYTES_PER_STEP);
		await this.readObjects(dictionary, await content(dictionary, data, limit));
	}

	private async readObjects(stream: Dictionary, bytes: Buffer) {
		const count = integer(stream.get('/N'));
		const first = integer(stream.get('/First'));
		if (count === undefined || first === undefined) throw new Error('An entry is missing');
		const cost = STREAM_STEPS + count * OBJECT_STEPS + bytes.length / BYTES_PER_STEP;
		if (this.steps.take(cost, this.file.size)) await this.steps.pause();
		for (const object of objectsIn(bytes, count, first)) {
			this.begin(object.number);
			await this.read(new Tokens([object.bytes], this.steps));
			this.outside('endobj');
		}
	}

	/** The word `endstream` may also be in the data, so the length that was found has to be the one in the file. */
	private checkLengths() {
		for (const [number, length] of this.lengths) {
			const lineEnd = length - this.integerAt(number);
			if (!(lineEnd >= 0 && lineEnd <= 2)) throw new Error('A stream has another length');
		}
	}

	private integerAt(number: number): number {
		const found = this.objects.get(number);
		if (typeof found !== 'number') throw new Error('There is no such number');
		return found;
	}

	private dictionaryAt(number: number): Dictionary {
		const found = this.objects.get(number);
		if (typeof found !== 'object') throw new Error('There is no such dictionary');
		return found;
	}
}
