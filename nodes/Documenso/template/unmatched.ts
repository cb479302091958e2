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
	const names = known.flatMap(({ all }) => all.map(({ name }) => name));
	const columns = Object.entries(given.values)
		.filter(([name, value]) => !isBlank(value) && !ADDED_BY_N8N.includes(comparable(name)))
		.filter(([name]) => known.every((one) => one.called(name).length === 0))
		.map(([name]) => ({ name, meant: names.find((one) => isNear(name, one)) }));
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

/** Whether one is probably the other, misspelt. */
function isNear(one: string, other: string): boolean {
	const [a, b] = [Array.from(comparable(one)), Array.from(comparable(other))];
	const tolerance = Math.max(1, Math.floor(b.length / LETTERS_FOR_ANOTHER));
	return b.length >= LEAST_LETTERS && distance(a, b) <= tolerance;
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
