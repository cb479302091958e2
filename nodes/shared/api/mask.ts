/** Documenso's tokens are longer. Shorter text would be masked in ordinary words, too. */
const LEAST_LENGTH = 8;
/** Characters; what stands behind them is not shown. */
const MOST_LENGTH = 64 * 1024;

export type Mask = (text: string) => string;

/** Masks the token, however an answer that echoes a request encodes it. */
export function maskOf(secret: string): Mask {
	// It may be entered with blanks or "Bearer" around it.
	const token = secret.trim().replace(/^Bearer\s+/i, '');
	if (token.length < LEAST_LENGTH) return (text) => text;
	let pattern: RegExp | undefined;
	return (text) => text.slice(0, MOST_LENGTH).replace((pattern ??= patternOf(token)), '***');
}

function patternOf(token: string): RegExp {
	const forms = [token, ...inBase64(token)].map((form) => Array.from(form, inAnyBase64).join(''));
	return new RegExp(forms.join('|'), 'gi');
}

/** What is the same wherever in the encoded text the token stands: what is next to it shares characters with it. */
function inBase64(token: string): string[] {
	return [0, 1, 2].map((before) => {
		const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(token)]);
		const [start, end] = [Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6)];
		return bytes.toString('base64').slice(start, end);
	});
}

const HTML_NAMES: Readonly<Partial<Record<string, string>>> = {
	'"': 'quot',
	'&': 'amp',
	'/': 'sol',
	'=': 'equals',
	'@': 'commat',
	"'": 'apos',
	'<': 'lt',
	'>': 'gt',
};
const IN_URL_SAFE_BASE64: Readonly<Partial<Record<string, string>>> = { '+': '-', '/': '_' };

/** JSON may put one in front of a character; JSON in JSON has three. */
const BACKSLASHES = String.raw`(?:\\|%(?:25){0,2}5c){0,4}`;

function inAnyBase64(character: string): string {
	const other = IN_URL_SAFE_BASE64[character];
	const forms = [...encodingsOf(character), ...(other ? [other] : [])];
	return `${BACKSLASHES}(?:${forms.join('|')})`;
}

/** Patterns for a character, plain or as JSON, HTML or a URL has it, or twice encoded. Every repetition has a limit. */
export function encodingsOf(character: string): string[] {
	const hex = (unit: number, digits = 2) => unit.toString(16).padStart(digits, '0');
	const code = character.codePointAt(0) ?? 0;
	const name = HTML_NAMES[character];
	const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
	return [
		character.replace(/[$()*+.?[\\\]^{|}]/, String.raw`\$&`),
		[...Buffer.from(character)].map((byte) => `%(?:25){0,2}${hex(byte)}`).join(''),
		`&(?:amp;){0,2}(?:#0{0,4}${code}|#x0{0,4}${hex(code)}${name ? `|${name}` : ''});`,
		units.map((unit) => `u${hex(unit, 4)}`).join(BACKSLASHES),
	];
}
