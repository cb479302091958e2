import type { Unmatched } from '../creation/newDocument';
import { comparable } from '../envelope/labels';
import type { Given } from '../inputs/mapper';
import { isBlank } from './columnMatch';
import { isDateOfSigning, type Template } from './columns';

/** What n8n's form trigger and Google Sheets add to their items. */
const ADDED_BY_N8N = ['submittedAt', 'formMode', 'row_number'].map(comparable);

/** Looks for what a misspelt column would leave blank in the document. `prefilled` are names of fields filled otherwise. */
export function unmatchedBy(template: Template, given: Given, prefilled: string[]): Unmatched {
	if (!given.isAutomatic) return { columns: [], fields: [] };
	const known = [template.recipientColumns, template.fieldColumns, template.documentColumns];
	const names = known.flatMap(({ all }) =>
		all.map(({ name }) => ({ name, letters: lettersOf(name) })),
	);
	const columns = Object.entries(given.values)
		.filter(([name, value]) => !isBlank(value) && !ADDED_BY_N8N.includes(comparable(name)))
		.filter(([name]) => known.every((one) => one.called(name).length === 0))
		.map(([name], index) => ({
			name,
			meant: index < MOST_COMPARED ? nearTo(name, names) : undefined,
		}));
	return { columns, fields: fieldsWithout([...Object.keys(given.values), ...prefilled], template) };
}

function fieldsWithout(names: string[], { fieldColumns }: Template): string[] {
	const given = new Set(names.flatMap((name) => fieldColumns.calledOrWithId(name)));
	return fieldColumns.all
		.filter((column) => !given.has(column) && !isDateOfSigning(column.field))
		.map(({ name }) => name);
}

/** Shorter names have to match exactly: with one other letter they are another word. */
const LEAST_LETTERS = 3;
/** In longer names, one letter in this many may be wrong. */
const LETTERS_FOR_ANOTHER = 5;

/** Far more columns than anyone misspells. A form or webhook may send any number, and comparing takes long. */
const MOST_COMPARED = 100;

const lettersOf = (name: string) => Array.from(comparable(name));

/** The first of these names of which this one is probably a misspelling. */
function nearTo(
	wrong: string,
	names: Array<{ name: string; letters: string[] }>,
): string | undefined {
	const letters = lettersOf(wrong);
	return names.find(({ letters: meant }) => isNear(letters, meant))?.name;
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
