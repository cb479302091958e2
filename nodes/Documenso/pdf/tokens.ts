import type { Steps } from './steps';

/** Bytes that are looked at in one go. A file may come in larger pieces. */
const PIECE_BYTES = 65_536;
/** No token that matters is longer. A longer one would be read as several. */
const LONGEST_TOKEN = 1024;
/** A PDF ends with `%%EOF`, but readers allow other bytes after it. */
const TAIL_BYTES = 1024;

const BLANKS = /[\0\t\n\f\r ]*/y;
/** Matches only the beginning of a text or comment. */
const TOKEN = /<<|>>|[()<>[\]{}%]|\/?[^\0\t\n\f\r ()<>[\]{}/%]+|\//y;
const LINE_END = /[\n\r]/g;
/** Parentheses nest in a text, unless a backslash stands before them. */
const PARENTHESES = /\\[^]?|[()]/g;

/** The tokens of a PDF, each byte a character. Holds only the piece that is being read, and an incomplete token. */
export class Tokens {
	/** How many bytes have been read. */
	size = 0;
	private text = '';
	private at = 0;
	private tail = '';
	private isWhole = false;
	private readonly pieces: AsyncGenerator<string, void>;

	constructor(
		bytes: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
		private readonly steps: Steps,
	) {
		this.pieces = piecesOf(bytes);
	}

	/** Whether the file was read to an end that is not the end of a PDF. */
	get isCutShort(): boolean {
		return this.isWhole && !this.tail.includes('%%EOF');
	}

	/**
	 * A keyword, number, name or bracket; `(` for a text and `<` for one in hexadecimals. Undefined if more has to be
	 * read first: to await every token would take longer than everything else.
	 */
	next(): string | undefined {
		for (;;) {
			this.at += lengthOf(BLANKS, this.text, this.at);
			const length = lengthOf(TOKEN, this.text, this.at);
			const end = this.at + length;
			if (end === this.text.length && !this.isWhole && length < LONGEST_TOKEN) return undefined;
			if (length === 0) return undefined;
			const token = this.text.slice(this.at, end);
			if (token === '%') {
				if (!this.pass(LINE_END, '%')) return undefined;
			} else if (token === '(') {
				return this.passText() ? token : undefined;
			} else if (token === '<') {
				return this.pass(/>/g, '<0') ? token : undefined;
			} else {
				this.at = end;
				return token;
			}
		}
	}

	/** Reads on. False at the end of the file. */
	private async more(): Promise<boolean> {
		if (this.isWhole) return false;
		const { value, done } = await this.pieces.next();
		if (done) this.isWhole = true;
		const piece = value ?? '';
		if (this.steps.pass(piece.length)) await this.steps.pause();
		this.size += piece.length;
		this.tail = (this.tail + piece).slice(-TAIL_BYTES);
		this.text = this.text.slice(this.at) + piece;
		this.at = 0;
		return true;
	}

	/** The next token, after reading on if necessary. Undefined at the end of the file. */
	async awaited(): Promise<string | undefined> {
		for (;;) {
			const token = this.next();
			if (token !== undefined || !(await this.more())) return token;
		}
	}

	/** Closes the file, even if it was not read to its end. */
	async close() {
		await this.pieces.return().catch(() => undefined);
	}

	/** Skips the line end after the keyword `stream`. */
	async passLineEnd() {
		while (this.text.length - this.at < 2 && (await this.more()));
		if (this.text[this.at] === '\r') this.at += 1;
		if (this.text[this.at] === '\n') this.at += 1;
	}

	/** Takes this many bytes and passes them to `keep`. */
	async take(bytes: number, keep: (text: string) => void) {
		let missing = bytes;
		for (;;) {
			const piece = this.text.slice(this.at, this.at + missing);
			keep(piece);
			this.at += piece.length;
			missing -= piece.length;
			if (missing === 0) return;
			if (!(await this.more())) throw new Error('The file ends too early');
		}
	}

	/** Takes everything before `mark`, passes it to `keep`, and returns how many bytes it was. */
	async takeUntil(mark: string, keep?: (text: string) => void): Promise<number> {
		let taken = 0;
		for (;;) {
			const found = this.text.indexOf(mark, this.at);
			// The mark may have begun.
			const end = found < 0 ? Math.max(this.at, this.text.length - mark.length + 1) : found;
			keep?.(this.text.slice(this.at, end));
			taken += end - this.at;
			this.at = end;
			if (found >= 0) return taken;
			if (!(await this.more())) throw new Error('The file ends too early');
		}
	}

	/** Skips everything up to the next `end`. If that has not been read yet, only `begun` is kept of what was read. */
	private pass(end: RegExp, begun: string): boolean {
		end.lastIndex = this.at;
		const isFound = end.test(this.text);
		if (isFound) this.at = end.lastIndex;
		else this.shorten(begun);
		return isFound;
	}

	private passText(): boolean {
		let depth = 0;
		let escape = '';
		PARENTHESES.lastIndex = this.at;
		for (let found; (found = PARENTHESES.exec(this.text));) {
			const [sign] = found;
			if (sign === '(') depth += 1;
			if (sign === ')') depth -= 1;
			if (depth === 0) {
				this.at = PARENTHESES.lastIndex;
				return true;
			}
			escape = sign === '\\' ? sign : '';
		}
		if (depth > LONGEST_TOKEN) throw new Error('Too many parentheses');
		this.shorten('('.repeat(depth) + escape);
		return false;
	}

	private shorten(begun: string) {
		// A comment may be the last thing in a file.
		if (this.isWhole && begun !== '%') throw new Error('The file ends too early');
		this.text = this.isWhole ? '' : begun;
		this.at = 0;
	}
}

function lengthOf(pattern: RegExp, text: string, at: number): number {
	pattern.lastIndex = at;
	return pattern.test(text) ? pattern.lastIndex - at : 0;
}

async function* piecesOf(file: Iterable<Uint8Array> | AsyncIterable<Uint8Array>) {
	for await (const { buffer, byteOffset, byteLength } of file) {
		const bytes = Buffer.from(buffer, byteOffset, byteLength);
		for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
			yield bytes.toString('latin1', start, start + PIECE_BYTES);
		}
	}
}
