/** Shorter names have to match exactly: with one other letter they are another word. */
const LEAST_LETTERS = 3;
/** In longer names, one letter in this many may be wrong. */
const LETTERS_FOR_ANOTHER = 5;
/**
 * Characters. Strangers choose the names of columns: the questions of a form are so long, and longer ones are only
 * compared for equality.
 */
const LONGEST_COMPARED = 200;

interface Name {
	text: string;
	withoutDigits: string;
	words: string[];
	/** The words that say whose address it is; none if it is no address, or nobody's. */
	addressOf: string[];
}

/** The same things are compared with the columns of many items. */
const known = new WeakMap<object, Name>();

/** The things of whose names this one is probably a misspelling. */
export function nearTo<Thing extends object>(
	wrong: string,
	things: Thing[],
	nameOf: (thing: Thing) => string,
): Thing[] {
	if (wrong.length > LONGEST_COMPARED) return [];
	const name = nameIn(wrong);
	return things.filter((thing) => {
		const meant = known.get(thing) ?? nameIn(nameOf(thing));
		known.set(thing, meant);
		return isNear(name, meant);
	});
}

function nameIn(text: string): Name {
	const words = wordsIn(withoutNote(text));
	const name = words.join('');
	const withoutDigits = name.replace(/[\p{N}.]/gu, '');
	// "landlordEmail" is two words.
	const apart = wordsIn(text.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' '));
	return { text: name, withoutDigits, words, addressOf: wordsOfAddress(apart) };
}

/** Words for an email address. A "mail address" may be a house. */
const EMAILS = ['email', 'emailaddress', 'emailadresse', 'mailadresse'];
/** These do not say whose address it is: "The e-mail address of", and the s of "Tenant's". */
const OF_ADDRESSES = [...EMAILS, 'e', 'mail', 'address', 'adresse', 'id', 'the', 'of', 'for', 's'];

function wordsOfAddress(words: string[]): string[] {
	const isAddress =
		words.some((word) => EMAILS.includes(word)) || words[words.indexOf('mail') - 1] === 'e';
	return isAddress ? words.filter((word) => !OF_ADDRESSES.includes(word)) : [];
}

/** Without a unit or note in brackets at the end: "Rent (EUR)". */
function withoutNote(text: string): string {
	const end = text.trimEnd();
	const at = end.search(/[([]/);
	return at >= 0 && (end.endsWith(')') || end.endsWith(']')) ? end.slice(0, at) : text;
}

function isNear(wrong: Name, meant: Name): boolean {
	if (wrong.text === meant.text) return true;
	// "Email of Landlord" is "Anna Landlord email".
	const { addressOf } = wrong;
	if (addressOf.length > 0 && addressOf.every((word) => meant.addressOf.includes(word)))
		return true;
	// "Address 2" is another line than "Address 3".
	if (wrong.withoutDigits === meant.withoutDigits) return false;
	if (wrong.words.length !== meant.words.length) {
		// "internalId" is not "External ID": to write words together allows no more wrong letters than the longest has.
		const longest = Math.max(...meant.words.map((word) => word.length));
		return isNearWord(wrong.text, meant.text, toleranceOf(longest));
	}
	// "Tenant rate" is not "Tenant name": each word has to be near.
	return meant.words.every((word, index) => isNearWord(wrong.words[index] ?? '', word));
}

function toleranceOf(letters: number): number {
	return Math.max(1, Math.floor(letters / LETTERS_FOR_ANOTHER));
}

function isNearWord(wrong: string, meant: string, tolerance = toleranceOf(meant.length)): boolean {
	if (wrong === meant || wrong === `${meant}s`) return true;
	if (meant.length < LEAST_LETTERS) return false;
	// Each letter more or less counts.
	if (Math.abs(wrong.length - meant.length) > tolerance) return false;
	// "Rate" is another word than "Date".
	if (meant.length < LETTERS_FOR_ANOTHER && wrong[0] !== meant[0]) return false;
	return distance(Array.from(wrong), Array.from(meant)) <= tolerance;
}

/**
 * How many letters have to be added, removed, replaced or swapped with the next one to get from one word to the other
 * (optimal string alignment).
 */
function distance(from: string[], to: string[]): number {
	let beforeThat: number[] = [];
	let before = [0, ...to.map((_, index) => index + 1)];
	for (const [row, letter] of from.entries()) {
		const now = [row + 1];
		for (const [column, other] of to.entries()) {
			const replaced = (before[column] ?? 0) + (letter === other ? 0 : 1);
			const isSwapped = letter === to[column - 1] && from[row - 1] === other;
			const swapped = isSwapped ? (beforeThat[column - 1] ?? 0) + 1 : Infinity;
			const longer = Math.min((before[column + 1] ?? 0) + 1, (now[column] ?? 0) + 1);
			now.push(Math.min(replaced, swapped, longer));
		}
		beforeThat = before;
		before = now;
	}
	return before.at(-1) ?? 0;
}

const BETWEEN_DIGITS = /(?<=\p{N})[^\p{L}\p{M}\p{N}]+(?=\p{N})/gu;
const OTHER_SEPARATORS = /[^\p{L}\p{M}\p{N}.]+|(?<!\p{N})\.|\.(?!\p{N})/gu;

/** A name in the form for comparisons: spreadsheets write "tenant_email" or "Tenant E-mail" for "Tenant email". */
export function comparable(name: string): string {
	return name.length > LONGEST_COMPARED ? name : wordsIn(name).join('');
}

function wordsIn(name: string): string[] {
	const text = name.normalize('NFKC').toLowerCase();
	// "Section 1.1" is another one than "Section 11".
	const words = text.replace(BETWEEN_DIGITS, '.').split(OTHER_SEPARATORS).filter(Boolean);
	// A name may have no letters at all, such as "★".
	return words.length > 0 ? words : [text.trim()];
}
