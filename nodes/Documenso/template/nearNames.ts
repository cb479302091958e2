import { comparable } from '../envelope/labels';

/** Shorter names have to match exactly: with one other letter they are another word. */
const LEAST_LETTERS = 3;
/** In longer names, one letter in this many may be wrong. */
const LETTERS_FOR_ANOTHER = 5;

const lettersOf = (name: string) => Array.from(comparable(name));

/** The first of these things of whose name this one is probably a misspelling. */
export function nearTo<Thing>(
	wrong: string,
	things: Thing[],
	nameOf: (thing: Thing) => string,
): Thing | undefined {
	const letters = lettersOf(wrong);
	return things.find((thing) => isNear(letters, lettersOf(nameOf(thing))));
}

function isNear(wrong: string[], meant: string[]): boolean {
	const tolerance = Math.max(1, Math.floor(meant.length / LETTERS_FOR_ANOTHER));
	if (meant.length < LEAST_LETTERS) return false;
	// Each letter more or less counts.
	if (Math.abs(wrong.length - meant.length) > tolerance) return false;
	return distance(wrong, meant) <= tolerance;
}

/** How many letters have to be added, removed or replaced to get from one word to the other (Levenshtein 1965). */
function distance(from: string[], to: string[]): number {
	let before = [0, ...to.map((_, index) => index + 1)];
	for (const [row, letter] of from.entries()) {
		const now = [row + 1];
		for (const [column, other] of to.entries()) {
			const replaced = (before[column] ?? 0) + (letter === other ? 0 : 1);
			now.push(Math.min(replaced, (before[column + 1] ?? 0) + 1, (now[column] ?? 0) + 1));
		}
		before = now;
	}
	return before.at(-1) ?? 0;
}
