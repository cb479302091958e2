import { encodingsOf } from '../api/mask';

/** What is kept from models: whole addresses, and whatever lets somebody sign or edit. */

const AT_SIGN = new RegExp(`(${inText('@')}|[＠﹫])`, 'giu');
/** Units of UTF-16 before an @. No slashes: `https://example.com/@user` is no address. */
const LETTER = /[a-z\d\u0080-\ud7ff\ue000-\uffff]/i;
const BETWEEN_LETTERS = /[.!#$%&'*+=?^_`{|}~-]/;

/** Addresses as a model sees them: `t…@example.com`. */
export function withMaskedAddresses(text: string): string {
	// The @ signs are the parts between the others.
	const parts = text.split(AT_SIGN);
	return parts
		.map((part, index) => {
			const next = index % 2 === 0 ? parts[index + 1] : undefined;
			return next === undefined ? part : maskedBefore(next, part);
		})
		.join('');
}

function maskedBefore(atSign: string, text: string): string {
	// There, the address may also contain `&#43;`.
	const isHtml = atSign.endsWith(';');
	let first: number | undefined;
	for (let at = text.length - 1; at >= 0; at--) {
		const unit = text.charAt(at);
		if (LETTER.test(unit)) first = at;
		else if (!BETWEEN_LETTERS.test(unit) && !(isHtml && unit === ';')) break;
	}
	return first === undefined ? text : `${text.slice(0, first + 1)}…`;
}

/** Documenso would accept it, and email nobody. Models write three dots for the mark, too. */
export const MASKED_ADDRESS = new RegExp(
	`[…⋯] ?${AT_SIGN.source}|[a-z\\d]\\.{3}@[a-z\\d-]{1,63}\\.`,
	'iu',
);

const SLASH = inText('/');
/** Links to Google's files have a `/d/`, too. */
const LINK = `${SLASH}(?:sign|direct|(?<!(?:document|file|forms|presentation|spreadsheets)${SLASH})d)${SLASH}`;
const SECRET = new RegExp(`(${LINK}|token${inText('=')})[\\w.~%-]{8,}`, 'gi');

/** JSON may put a backslash in front of it; JSON in JSON has three. */
function inText(character: string): string {
	return String.raw`\\{0,4}(?:${encodingsOf(character).join('|')})`;
}

export function withoutSecrets(text: string): string {
	return text.replace(SECRET, '$1…');
}
