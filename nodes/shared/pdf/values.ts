import { CannotTell } from './steps';

/** A value in a PDF: a name is `/Page`, a reference `3 0 R`. Texts and words do not matter here: they are null. */
export type Value = number | string | null | Value[] | Dictionary;
export type Dictionary = Map<string, Value>;

/** Characters. What leads to a page is shorter, and may be read without a pause. */
const LONGEST = 128 * 1024;
const DEEPEST = 500;

const BLANKS = /[\0\t\n\f\r ]*/y;
const COMMENT = /[^\n\r]*/y;
const TOKEN = /[+-]*(?:\d+(?:\.\d*)?|\.\d+)|<<|>>?|[[\](<]|\/?[^\0\t\n\f\r ()<>[\]{}/%]+|\//y;
const DIGITS = /^\d+$/;
const REST_OF_REFERENCE = /[\0\t\n\f\r ]+\d+[\0\t\n\f\r ]+R(?![^\0\t\n\f\r ()<>[\]{}/%])/y;
const GAPS = /[\0\t\n\f\r ]+/g;
const HEXADECIMALS = /[^>]*>?/y;
/** Parentheses nest in a text, unless a backslash stands before them. */
const PARENTHESIS = /\\[^]|[()]/g;

/** Reads what a PDF says from one place on; each character is a byte. */
export class Values {
	/** How many characters have been read. */
	length = 0;
	private readonly text: string;
	private readonly isPart: boolean;

	constructor(whole: string, start = 0) {
		this.text = whole.slice(start, start + LONGEST);
		this.isPart = start + LONGEST < whole.length;
	}

	/** A number, name, reference, word or bracket; only `(` or `<` for a text. Undefined at the end. */
	next(): string | undefined {
		for (this.skip(BLANKS); this.text[this.length] === '%'; this.skip(BLANKS)) this.skip(COMMENT);
		const start = this.length;
		if (start >= this.text.length) {
			if (this.isPart) throw new CannotTell('An object is too long');
			return undefined;
		}
		if (!this.skip(TOKEN)) throw new Error('A bracket is where none can be');
		const token = this.text.slice(start, this.length);
		if (token === '(') this.skipText();
		if (token === '<') this.skip(HEXADECIMALS);
		if (token === '>') return '>>';
		const isReference = DIGITS.test(token) && this.skip(REST_OF_REFERENCE);
		return isReference ? this.text.slice(start, this.length).replace(GAPS, ' ') : token;
	}

	/** Passes over `3 0 obj`, or throws. */
	head() {
		const [number = '', , word] = [this.next(), this.next(), this.next()];
		if (!DIGITS.test(number) || word !== 'obj') throw new Error('There is no object');
	}

	/** Throws if there is none. */
	value(token = this.next(), depth = 0): Value {
		if (token === undefined || token === ']' || token === '>>' || depth > DEEPEST) {
			throw new Error('There is no value');
		}
		if (token === '[') return this.list(depth + 1);
		if (token === '<<') return this.dictionary(depth + 1);
		if (token.startsWith('/')) return decoded(token);
		if (isReference(token)) return token;
		const number = Number(token);
		return Number.isNaN(number) ? null : number;
	}

	/** Whether something matches here, which is then passed over. */
	skip(pattern: RegExp): boolean {
		pattern.lastIndex = this.length;
		const isThere = pattern.test(this.text);
		if (isThere) this.length = pattern.lastIndex;
		return isThere;
	}

	private list(depth: number): Value[] {
		const list: Value[] = [];
		for (let token; (token = this.next()) !== undefined && token !== ']';) {
			list.push(this.value(token, depth));
		}
		return list;
	}

	private dictionary(depth: number): Dictionary {
		const dictionary: Dictionary = new Map();
		for (let key; (key = this.next()) !== undefined && key !== '>>';) {
			// Documenso skips it, and something behind it.
			if (!key.startsWith('/')) throw new CannotTell('A key is no name');
			const token = this.next();
			if (token === '>>') break;
			dictionary.set(decoded(key), this.value(token, depth));
		}
		return dictionary;
	}

	private skipText() {
		PARENTHESIS.lastIndex = this.length;
		let depth = 1;
		for (let found; depth > 0 && (found = PARENTHESIS.exec(this.text));) {
			if (found[0] === '(') depth += 1;
			if (found[0] === ')') depth -= 1;
		}
		this.length = depth > 0 ? this.text.length : PARENTHESIS.lastIndex;
	}
}

export function isReference(value: Value | undefined): value is string {
	return typeof value === 'string' && value.endsWith(' R');
}

/** A name may contain codes, such as `/P#61ges` for `/Pages`. */
function decoded(name: string): string {
	if (!name.includes('#')) return name;
	return name.replace(/#([\da-f]{2})/gi, (_, code: string) =>
		String.fromCharCode(parseInt(code, 16)),
	);
}
