import type { Unmatched } from '../envelope/newDocument';
import { isBlank, type Given } from './columnMatch';
import { comparable, type Column, type Columns, type FieldColumn, type Template } from './columns';

/** The external ID, and what n8n's form trigger and Google Sheets add to their items. */
const NOT_FOR_TEMPLATES = ['External ID', 'submittedAt', 'formMode', 'row_number'].map(comparable);

/**
 * Looks for what a misspelt column would leave blank in the document. If only one of the two mappers takes the columns
 * as they are, the others may be used in the other one, so only near matches count.
 */
export function unmatchedBy(template: Template, people: Given, prefill: Given): Unmatched {
	const mappers: Array<[Given, Columns<Column>]> = [
		[people, template.recipientColumns],
		[prefill, template.fieldColumns],
	];
	const automatic = mappers.filter(([{ isAutomatic }]) => isAutomatic);
	const [first] = automatic;
	if (!first) return { columns: [], fields: [] };
	const known = automatic.flatMap(([, { all }]) => all.map(({ name }) => name));
	const columns = Object.entries(first[0].values)
		.filter(([name, value]) => !isBlank(value) && !NOT_FOR_TEMPLATES.includes(comparable(name)))
		.filter(([name]) => automatic.every(([, one]) => one.called(name).length === 0))
		.map(([name]) => ({ name, meant: known.find((one) => isNear(name, one)) }))
		.filter(({ meant }) => meant !== undefined || automatic.length === mappers.length);
	return { columns, fields: prefill.isAutomatic ? fieldsWithout(prefill, template) : [] };
}

function fieldsWithout({ values }: Given, { fieldColumns }: Template): string[] {
	const given = new Set(Object.keys(values).flatMap((name) => fieldColumns.called(name)));
	return fieldColumns.all
		.filter((column) => !given.has(column) && !isDateOfSigning(column))
		.map(({ name }) => name);
}

/** Such a field gets its value when its recipient signs; somebody who wants another date gives it a label. */
function isDateOfSigning({ field: { type, fieldMeta } }: FieldColumn): boolean {
	return type === 'DATE' && !fieldMeta?.label;
}

/** In shorter names, a wrong letter makes another word. */
const LEAST_LETTERS = 3;
/** In longer names, one of so many letters may be wrong. */
const LETTERS_FOR_ANOTHER = 5;

/** Whether one is the other with a letter or two wrong. */
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
