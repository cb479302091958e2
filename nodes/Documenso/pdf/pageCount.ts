import { Tokens } from './tokens';

/** The entries of a dictionary that matter here. */
const ENTRIES = new Set([
	'/Count',
	'/DecodeParms',
	'/Encrypt',
	'/Filter',
	'/First',
	'/Kids',
	'/Length',
	'/N',
	'/Pages',
	'/Root',
	'/Type',
]);

/** The first tokens of each entry's value, such as `3 0 R` or `[ /FlateDecode`. */
type Dictionary = Map<string, string[]>;
const VALUE_TOKENS = 4;

/** No real document comes near these limits. A file made to use up memory or time would. */
const DEEPEST = 500;
const MOST_OBJECTS = 500_000;
const LARGEST_STREAM = 16 * 1024 * 1024;
const MOST_UNPACKED = 512 * 1024 * 1024;

/** A number that no object has. */
const TRAILER = 0;

/**
 * How many pages a PDF has. Undefined if it is encrypted or broken. Reads the file once, from start to end: a PDF that
 * was changed defines an object again further on, and the last definition counts.
 */
export async function pageCount(file: AsyncIterable<Uint8Array>): Promise<number | undefined> {
	const tokens = new Tokens(file);
	try {
		return await new Pdf(tokens).pageCount();
	} catch {
		return undefined;
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
	private unpacked = 0;
	private number = TRAILER;
	private dictionary: Dictionary = new Map();
	private key = '';
	private value: string[] = [];
	/** The dictionaries and lists that are open, the outermost first: `<[<`. */
	private nesting = '';
	/** The last two tokens outside of them. */
	private before: string[] = [];

	constructor(private readonly tokens: Tokens) {}

	async pageCount(): Promise<number | undefined> {
		await this.tokens.takeUntil('%PDF-');
		for (let token; (token = this.tokens.next() ?? (await this.tokens.awaited())) !== undefined;) {
			if (this.nesting !== '') this.inside(token);
			else if (token === 'stream') await this.stream();
			else this.outside(token);
		}
		if (this.nesting !== '') throw new Error('The last object is not complete');
		this.checkLengths();
		const catalog = this.dictionaryAt(reference(this.root));
		const tree = this.dictionaryAt(reference(catalog.get('/Pages')));
		const count = tree.get('/Count');
		return (integer(count) ?? this.integerAt(reference(count))) || undefined;
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
		const { tokens, dictionary } = this;
		const hasObjects = isOfType(dictionary, '/ObjStm');
		let data = '';
		const keep = (part: string) => {
			if (!hasObjects) return;
			data += part;
			if (data.length > LARGEST_STREAM) throw new Error('An object stream is too large');
		};
		await tokens.passLineEnd();
		const given = dictionary.get('/Length');
		const length = integer(given);
		if (length !== undefined) await tokens.take(length, keep);
		else this.lengths.push([reference(given), await tokens.takeUntil('endstream', keep)]);
		if ((await tokens.awaited()) !== 'endstream') throw new Error('A stream has another length');
		if (!hasObjects) return;
		const text = objectsIn(dictionary, await content(dictionary, data));
		this.unpacked += text.length;
		if (this.unpacked > MOST_UNPACKED) throw new Error('The object streams are too large');
		tokens.insert(text);
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

/** The objects of an object stream as they would stand in the file itself. */
function objectsIn(dictionary: Dictionary, text: string): string {
	const first = integer(dictionary.get('/First')) ?? NaN;
	const count = integer(dictionary.get('/N')) ?? NaN;
	const head = text.slice(0, first).match(/\d+/g)?.map(Number) ?? [];
	if (!(head.length >= 2 * count)) throw new Error('An object stream is not complete');
	const objects = Array.from({ length: count }, (_, index) => ({
		number: head[2 * index] ?? 0,
		start: first + (head[2 * index + 1] ?? 0),
	})).sort((a, b) => a.start - b.start);
	const texts = objects.map(({ number, start }, index) => {
		const body = text.slice(start, objects[index + 1]?.start);
		return `${number} 0 obj ${body}\nendobj `;
	});
	return texts.join('');
}

/** The content of a stream, from the data that the file has for it. */
async function content(dictionary: Dictionary, data: string): Promise<string> {
	const filter = dictionary.get('/Filter')?.filter((token) => token !== '[') ?? [];
	if (filter.length === 0) return data;
	const isKnown = filter.length === 1 && filter[0] === '/FlateDecode';
	if (!isKnown || dictionary.has('/DecodeParms')) throw new Error('An unknown filter');
	return await inflated(data);
}

async function inflated(data: string): Promise<string> {
	const stream: AsyncIterable<Uint8Array> = new Blob([Buffer.from(data, 'latin1')])
		.stream()
		.pipeThrough(new DecompressionStream('deflate'));
	const parts: Uint8Array[] = [];
	let size = 0;
	try {
		for await (const part of stream) {
			parts.push(part);
			size += part.length;
			if (size > LARGEST_STREAM) break;
		}
	} catch {
		// For example a line end after the data. If data is missing, the objects turn out incomplete.
	}
	if (size > LARGEST_STREAM) throw new Error('An object stream is too large');
	return Buffer.concat(parts).toString('latin1');
}

function isOfType(dictionary: Dictionary, type: string): boolean {
	return nameIn(dictionary.get('/Type')?.[0] ?? '') === type;
}

function integer(value: string[] = []): number | undefined {
	const [token = ''] = value;
	return value.length === 1 && /^\+?\d+$/.test(token) ? Number(token) : undefined;
}

/** The number of the object in a reference such as `3 0 R`. */
function reference(value: string[] = []): number {
	const [number, , sign] = value;
	if (sign !== 'R') throw new Error('There is no reference');
	return Number(number);
}

/** A name may contain codes, such as `/P#61ges` for `/Pages`. */
function nameIn(token: string): string {
	if (!token.includes('#')) return token;
	return token.replace(/#([\da-f]{2})/gi, (_, code: string) =>
		String.fromCharCode(parseInt(code, 16)),
	);
}
