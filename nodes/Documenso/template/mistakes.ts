import type { Added, Input } from '../engine/input';
import type { Item } from '../engine/item';
import { MISSING } from '../engine/parameters';
import type { Fault } from '../engine/refusal';
import { isBlank } from '../engine/values';
import { comparable, nearTo } from '../engine/nearNames';
import type {
	allowPlaceholders,
	ifFieldStaysBlank,
	mayStayBlank,
	unmatchedColumns,
} from '../inputs/creation';
import type { Given } from '../inputs/mapper';
import { canBeBlank, isPlaceholder, type Place, type Template } from './columns';

/** A template, and what the user has given to fill it in. */
export interface Filling {
	template: Template;
	columns: Given;
	/** Values by the labels of fields; they override the columns. */
	prefill: Given;
	settings: Added<{
		allowPlaceholders: typeof allowPlaceholders;
		ifFieldStaysBlank: typeof ifFieldStaysBlank;
		mayStayBlank: typeof mayStayBlank;
		unmatchedColumns: typeof unmatchedColumns;
		title: Input<string>;
		externalId: Input<string | null>;
	}>;
	item: Item;
}

/** Something that was probably not meant. */
export interface Mistake {
	fault: Fault;
	/** What stays blank because of it. */
	place?: Place;
}

export const MAY_STAY_BLANK =
	"If something may stay blank, choose it under 'Additional Fields > Fields That May Stay Blank'.";

const ONE_EXPRESSION = 'If a text may lack a part, write the whole text as one expression.';

/** What a column of this name is for. A column of a spreadsheet is no ID. */
export function named(
	{ fieldColumns, recipientColumns }: Template,
	name: string,
	isAutomatic = false,
): Place[] {
	const fields = isAutomatic ? fieldColumns.called(name) : fieldColumns.calledOrWithId(name);
	return [...fields, ...recipientColumns.called(name)];
}

/** Far more columns than anyone misspells. A form or webhook may send any number, and comparing takes long. */
const MOST_COMPARED = 1000;

const RENAME =
	"Rename the column in the sheet, or with an Edit Fields node before this one, or leave it out. To send nevertheless, choose 'Leave It to the Recipients' under 'Additional Fields > If a Field Stays Blank'.";

/** What stays blank on purpose is no excuse for a value that would be lost. */
export function misspelt(
	{ template, columns }: Filling,
	names: string[],
	{ open, notGiven }: { open: Place[]; notGiven: Place[] },
): Mistake[] {
	// An empty cell leaves what the template fills in as it is.
	const fillable = open.filter(canBeBlank);
	return names.slice(0, MOST_COMPARED).flatMap((column) => {
		const possible = isBlank(columns.values[column]) ? fillable : notGiven;
		const place =
			nearTo(column, possible, ({ name }) => name) ?? onlyAddress(template, column, possible);
		if (!place) return [];
		const fault = `(did you mean "${place.name}"?) matches nothing in the template`;
		return [{ place, fault: { column, fault, advice: RENAME } }];
	});
}

const EMAIL_WORDS = ['email', 'mail', 'emailaddress'];

/** A column "Email" is probably for the one recipient whose address is missing, or who is the only one. */
function onlyAddress({ recipients }: Template, column: string, places: Place[]): Place | undefined {
	if (!EMAIL_WORDS.includes(comparable(column))) return undefined;
	const addresses = places.filter((place) => 'part' in place && place.part === 'email');
	const missing = addresses.filter(
		(place) => 'recipient' in place && isPlaceholder(place.recipient.email),
	);
	const [only, another] = missing.length > 0 || recipients.length > 1 ? missing : addresses;
	return another ? undefined : only;
}

/** What spreadsheets write where a formula fails, with blanks around it. */
const FAILED_FORMULA = /^(#N\/A|#NV|#[\p{Lu}\d/]+[!?]|Loading\.\.\.)$/u;

const LONGEST_FAILURE = 50;

export function failedFormulas({ template, columns: { isAutomatic, values } }: Filling): Mistake[] {
	return Object.entries(values).flatMap(([column, value]) => {
		if (typeof value !== 'string' || value.length > LONGEST_FAILURE) return [];
		if (!FAILED_FORMULA.test(value.trim())) return [];
		if (named(template, column, isAutomatic).length === 0) return [];
		const fault = `is ${value.trim()}: a formula in the sheet has failed`;
		return [{ fault: { column, fault, advice: 'Correct the formula in the sheet.' } }];
	});
}

/** Cells, and values of Prefill (JSON). */
export function emptyValues(
	{ template, columns, prefill }: Filling,
	blank: ReadonlySet<Place>,
): Mistake[] {
	const given = [...(columns.isAutomatic ? [columns] : []), prefill];
	return given.flatMap(({ isAutomatic, values }) =>
		Object.entries(values)
			.filter(([, value]) => isBlank(value))
			.flatMap(([column]) =>
				named(template, column, isAutomatic)
					.filter((place) => blank.has(place))
					.map((place) => ({
						place,
						fault: { column, fault: 'is empty', advice: MAY_STAY_BLANK },
					})),
			),
	);
}

/** Texts with an expression that gives nothing. Without an expression, n8n stores nothing for an empty box. */
export function emptyExpressions(
	filling: Filling,
	blank: ReadonlySet<Place>,
	mayStay: ReadonlySet<Place>,
): Mistake[] {
	const { template, columns, prefill, settings, item } = filling;
	const { parameters } = item.execution;
	const mistakeIn = (column: string, found: string[], advice: string, place?: Place) => {
		if (found.length === 0) return [];
		const fault = `has an expression that gives nothing: ${found.join(', ')}`;
		return [{ place, fault: { column, fault, advice } }];
	};
	const empty = (
		column: string,
		{ path, value }: { path: string[]; value: unknown },
		advice: string,
		place?: Place,
	) => mistakeIn(column, parameters.emptyExpressions(path, item.index, value), advice, place);
	const isMeant = (place: Place) => mayStay.has(place) || isOptional(place);
	const setting = (name: 'title' | 'externalId') => {
		return { path: ['additionalFields', name], value: settings[name] };
	};
	const boxes = Object.entries(columns.isAutomatic ? {} : columns.values);
	return [
		...boxes.flatMap(([column, value]) => {
			const places = named(template, column);
			const isWanted = (place: Place) => (isBlank(value) ? blank.has(place) : !isMeant(place));
			const place = places.find(isWanted);
			if (places.length > 0 && !place) return [];
			const advice = isBlank(value) ? MAY_STAY_BLANK : ONE_EXPRESSION;
			return empty(column, { path: ['columns', 'value', column], value }, advice, place);
		}),
		...empty('Title', setting('title'), ONE_EXPRESSION),
		...empty('External ID', setting('externalId'), ONE_EXPRESSION),
		...(Object.keys(prefill.values).length === 0 ? emptyPrefill(filling) : []),
		...parameters
			.emptyExpressionsInJson(['additionalFields', 'prefillJson'], item.index)
			// Of a blank value, it is told that it is empty.
			.filter(([column]) => !isBlank(prefill.values[column]))
			.flatMap(([column, found]) => {
				const place = named(template, column).find((one) => !isMeant(one));
				return place ? mistakeIn(column, found, ONE_EXPRESSION, place) : [];
			}),
	];
}

/** Values that an expression for the whole object has made: nobody can see which part of it gives nothing. */
export function brokenTexts({ template, prefill, item }: Filling, mayStay: Set<Place>): Mistake[] {
	const path = ['additionalFields', 'prefillJson'];
	if (item.execution.parameters.expressions(path).length !== 1) return [];
	return Object.entries(prefill.values).flatMap(([column, value]) => {
		const found = typeof value === 'string' && MISSING.exec(value);
		const place = named(template, column).find((one) => !mayStay.has(one));
		if (!found || !place) return [];
		const fault = `has "${found[0]}" in it: a part of the expression for Prefill (JSON) gives nothing`;
		return [{ place, fault: { column, fault, advice: MAY_STAY_BLANK } }];
	});
}

function emptyPrefill({ item }: Filling): Mistake[] {
	const all = item.execution.parameters.expressions(['additionalFields', 'prefillJson']);
	if (all.length === 0) return [];
	const fault = `has an expression that gives no values: ${all.join(', ')}`;
	const advice =
		"Correct the expression, or remove it. If an item may have no values, choose 'Leave It to the Recipients' under 'Additional Fields > If a Field Stays Blank'.";
	return [{ fault: { column: 'Prefill (JSON)', fault, advice } }];
}

/** What is often left out on purpose. */
function isOptional(place: Place): boolean {
	return 'field' in place ? place.field.type === 'CHECKBOX' : place.part === 'signingOrder';
}
