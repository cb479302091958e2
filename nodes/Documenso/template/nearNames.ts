import { comparable } from '../envelope/labels';

/** Shorter names have to match exactly: with one other letter they are another word. */
const LEAST_LETTERS = 3;
/** In longer names, one letter in this many may be wrong. */
const LETTERS_FOR_ANOTHER = 5;

/** Whether one name is probably the other, misspelt. */
export function isNear(one: string, other: string): boolean {
	const [a, b] = [Array.from(comparable(one)), Array.from(comparable(other))];
	const tolerance = Math.max(1, Math.floor(b.length / LETTERS_FOR_ANOTHER));
	return b.length >= LEAST_LETTERS && distance(a, b, tolerance) <= tolerance;
}

/**
 * How many letters have to be added, removed or replaced to get from one word to the other (Levenshtein 1965); more than
 * `most` is not counted.
 */
function distance(from: string[], to: string[], most: number): number {
	if (Math.abs(from.length - to.length) > most) return Infinity;
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
