import { comparable } from '../envelope/labels';

/** Shorter names have to match exactly: with one other letter they are another word. */
const LEAST_LETTERS = 3;
/** In longer names, one letter in this many may be wrong. */
const LETTERS_FOR_ANOTHER = 5;

/** The same things are compared with the columns of many items. */
const known = new WeakMap<object, string[]>();

/** The first of these things of whose name this one is probably a misspelling. */
export function nearTo<Thing extends object>(
	wrong: string,
	things: Thing[],
	nameOf: (thing: Thing) => string,
): Thing | undefined {
	const letters = lettersOf(wrong);
	return things.find((thing) => {
		const meant = known.get(thing) ?? lettersOf(nameOf(thing));
		known.set(thing, meant);
		return isNear(letters, meant);
	});
}

function lettersOf(name: string): string[] {
	return Array.from(comparable(name));
}

function isNear(wrong: string[], meant: string[]): boolean {
	const tolerance = Math.max(1, Math.floor(meant.length / LETTERS_FOR_ANOTHER));
	if (meant.length < LEAST_LETTERS) return false;
	// Each letter more or less counts.
	if (Math.abs(wrong.length - meant.length) > tolerance) return false;
	// "Rate" is another word than "Date", and "Address 2" another line than "Address 3".
	if (meant.length < LETTERS_FOR_ANOTHER && wrong[0] !== meant[0]) return false;
	if (withoutDigits(wrong) === withoutDigits(meant)) return false;
	return distance(wrong, meant) <= tolerance;
}

function withoutDigits(letters: string[]): string {
	return letters.join('').replace(/\p{N}/gu, '');
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
