import type { EnvelopeField } from '../api/envelope';
import type { LeftBlank } from '../creation/newDocument';
import type { Added, Input } from '../engine/input';
import type { Item } from '../engine/item';
import { MISSING } from '../engine/parameters';
import { Refusal, type Fault } from '../engine/refusal';
import { isBlank } from '../engine/values';
import { comparable } from '../envelope/labels';
import type {
	allowPlaceholders,
	ifFieldStaysBlank,
	mayStayBlank,
	unmatchedColumns,
} from '../inputs/creation';
import type { Given } from '../inputs/mapper';
import { changesSince, MAY_STAY_BLANK, type Mistake, type Place } from './changesSince';
import {
	isDateOfSigning,
	isPlaceholder,
	PREVIEW,
	type RecipientColumn,
	type Template,
} from './columns';
import { nearTo } from './nearNames';

interface Filling {
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

const ONE_EXPRESSION = 'If a text may lack a part, write the whole text as one expression.';

/** What nodes add to their items: n8n's form trigger, Google Sheets, and this node's preview. */
const ADDED_BY_NODES = ['submittedAt', 'formMode', 'row_number', PREVIEW].map(comparable);

/** Refuses what was probably not meant to stay blank. Returns what is left to the recipients. */
export function checkBlanks(filling: Filling, faults: Fault[]): LeftBlank {
	const { template, columns, settings } = filling;
	const mayStay = new Set((settings.mayStayBlank ?? []).flatMap((name) => named(template, name)));
	const { given, notGiven } = placesIn(filling);
	const open = notGiven.filter((place) => !mayStay.has(place));
	const blank = open.filter((place) => canBeBlank(place) && !isAskedFor(place, filling));
	const unmatched = unmatchedIn(template, columns);
	const choice = choiceIn(settings);
	if (choice !== 'leave') {
		const mistakes = [
			...misspelt(filling, unmatched, { open, notGiven }),
			...emptyValues(filling, blank),
			...failedFormulas(filling),
			...brokenTexts(filling, mayStay),
			...emptyExpressions(filling, blank, mayStay),
			...changesSince(template, columns, blank),
		];
		const fields = blank.filter((place) => 'field' in place);
		if (columns.isAutomatic && given.size === 0 && fields.length > 0) faults.push(NOTHING_MATCHES);
		const known = new Set(faults.map(({ column }) => column));
		faults.push(...mistakes.flatMap(({ fault }) => (known.has(fault.column) ? [] : [fault])));
		if (choice === 'refuse') faults.push(...stillBlank(blank, mistakes));
	}
	// Who maps the columns one by one sees which boxes are empty.
	const left = columns.isAutomatic ? blank.filter((place) => 'field' in place) : [];
	return { fields: left.map(({ name }) => name), columns: unmatched };
}

/** Workflows from before there were these choices say it in another way. */
function choiceIn({ ifFieldStaysBlank, unmatchedColumns }: Filling['settings']) {
	if (ifFieldStaysBlank !== undefined) return ifFieldStaysBlank;
	if (unmatchedColumns === 'fail') return 'refuse';
	return unmatchedColumns === 'ignore' ? 'leave' : 'refuseMistakes';
}

/** A column of a spreadsheet is no ID. */
function named(
	{ fieldColumns, recipientColumns }: Template,
	name: string,
	isAutomatic = false,
): Place[] {
	const fields = isAutomatic ? fieldColumns.called(name) : fieldColumns.calledOrWithId(name);
	return [...fields, ...recipientColumns.called(name)];
}

/** What gets a value here, and what stays as in the template: fields, and recipients' names, addresses and orders. */
function placesIn({ template, columns, prefill }: Filling) {
	const given = new Set<Place>();
	for (const { isAutomatic, values } of [columns, prefill]) {
		const filled = Object.entries(values).filter(([, value]) => !isBlank(value));
		for (const place of filled.flatMap(([name]) => named(template, name, isAutomatic))) {
			given.add(place);
		}
	}
	const fields = template.fieldColumns.all.filter(({ field }) => !isFixed(field));
	const all = [...fields, ...template.recipientColumns.all];
	return { given, notGiven: all.filter((place) => !given.has(place)) };
}

/** Documenso fills it in, or the template does and nobody can change it. */
function isFixed(field: EnvelopeField): boolean {
	return isDateOfSigning(field) || Boolean(field.fieldMeta?.readOnly);
}

/** Not what the template fills in itself, nor boxes, which need no tick, nor orders. */
export function canBeBlank(place: Place): boolean {
	if ('part' in place) return place.part !== 'signingOrder';
	const { type, fieldMeta } = place.field;
	if (type === 'CHECKBOX' || isFixed(place.field)) return false;
	const { text, value, defaultValue, values = [] } = fieldMeta ?? {};
	return [text, value, defaultValue].every(isBlank) && !values.some(({ checked }) => checked);
}

/** Whether nobody is known yet: another fault says so, or the address is allowed to be missing. */
function isAskedFor(place: Place, { settings: { allowPlaceholders } }: Filling): boolean {
	if ('field' in place || !isPlaceholder(place.recipient.email)) return false;
	return place.part === 'email' || Boolean(allowPlaceholders);
}

/** The columns of the item that the template does not have; none if they were chosen by hand. */
function unmatchedIn(template: Template, { isAutomatic, values }: Given): string[] {
	if (!isAutomatic) return [];
	const known = [template.recipientColumns, template.fieldColumns, template.documentColumns];
	return Object.keys(values)
		.filter((name) => !ADDED_BY_NODES.includes(comparable(name)))
		.filter((name) => known.every((one) => one.called(name).length === 0));
}

/** Far more columns than anyone misspells. A form or webhook may send any number, and comparing takes long. */
const MOST_COMPARED = 1000;

const RENAME =
	"Rename the column in the sheet, or with an Edit Fields node before this one, or leave it out. To send nevertheless, choose 'Leave It to the Recipients' under 'Additional Fields > If a Field Stays Blank'.";

/** What stays blank on purpose is no excuse for a value that would be lost. */
function misspelt(
	{ template, columns }: Filling,
	names: string[],
	{ open, notGiven }: { open: Place[]; notGiven: Place[] },
): Mistake[] {
	return names.slice(0, MOST_COMPARED).flatMap((column) => {
		// An empty cell leaves what the template fills in as it is.
		const possible = isBlank(columns.values[column]) ? open.filter(canBeBlank) : notGiven;
		const place =
			nearTo(column, possible, ({ name }) => name) ?? onlyAddress(template, column, possible);
		if (!place) return [];
		const fault = `(did you mean "${place.name}"?) matches nothing in the template`;
		return [{ place, fault: { column, fault, advice: RENAME } }];
	});
}

const NOTHING_MATCHES: Fault = {
	column: 'Columns',
	fault: 'match no recipient and no field of the template',
	advice:
		"Check which step comes before this one. If the item is right, choose 'Leave It to the Recipients' under 'Additional Fields > If a Field Stays Blank'.",
};

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

/** What spreadsheets write where a formula fails. */
const FAILED_FORMULA = /^(#N\/A|#NV|#[\p{Lu}\d/]+[!?]|Loading\.\.\.)$/u;

function failedFormulas({ template, columns: { isAutomatic, values } }: Filling): Mistake[] {
	return Object.entries(values).flatMap(([column, value]) => {
		if (typeof value !== 'string' || !FAILED_FORMULA.test(value.trim())) return [];
		if (named(template, column, isAutomatic).length === 0) return [];
		const fault = `is ${value.trim()}: a formula in the sheet has failed`;
		return [{ fault: { column, fault, advice: 'Correct the formula in the sheet.' } }];
	});
}

/** Cells, and values of Prefill (JSON). */
function emptyValues({ template, columns, prefill }: Filling, blank: Place[]): Mistake[] {
	const given = [...(columns.isAutomatic ? [columns] : []), prefill];
	return given.flatMap(({ isAutomatic, values }) =>
		Object.entries(values)
			.filter(([, value]) => isBlank(value))
			.flatMap(([column]) =>
				named(template, column, isAutomatic)
					.filter((place) => blank.includes(place))
					.map((place) => ({
						place,
						fault: { column, fault: 'is empty', advice: MAY_STAY_BLANK },
					})),
			),
	);
}

/** Texts with an expression that gives nothing. Without an expression, n8n stores nothing for an empty box. */
function emptyExpressions(filling: Filling, blank: Place[], mayStay: Set<Place>): Mistake[] {
	const { template, columns, prefill, settings, item } = filling;
	const { parameters } = item.execution;
	const told = (column: string, found: string[], advice: string, place?: Place) => {
		if (found.length === 0) return [];
		const fault = `has an expression that gives nothing: ${found.join(', ')}`;
		return [{ place, fault: { column, fault, advice } }];
	};
	const empty = (
		column: string,
		{ path, value }: { path: string[]; value: unknown },
		advice: string,
		place?: Place,
	) => told(column, parameters.emptyExpressions(path, item.index, value), advice, place);
	const isMeant = (place: Place) => mayStay.has(place) || isOptional(place);
	const setting = (name: 'title' | 'externalId') => {
		return { path: ['additionalFields', name], value: settings[name] };
	};
	const boxes = Object.entries(columns.isAutomatic ? {} : columns.values);
	return [
		...boxes.flatMap(([column, value]) => {
			const places = named(template, column);
			const isWanted = (place: Place) => (isBlank(value) ? blank.includes(place) : !isMeant(place));
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
				return place ? told(column, found, ONE_EXPRESSION, place) : [];
			}),
	];
}

/** Values that an expression for the whole object has made: nobody can see which part of it gives nothing. */
function brokenTexts({ template, prefill, item }: Filling, mayStay: Set<Place>): Mistake[] {
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

/** What nothing has been said about. */
function stillBlank(blank: Place[], mistakes: Mistake[]): Fault[] {
	const told = new Set(mistakes.map(({ place }) => place));
	return blank
		.filter((place) => !told.has(place))
		.filter((place) => 'field' in place || isNameless(place))
		.map(({ name }) => ({ column: name, fault: 'stays blank', advice: MAY_STAY_BLANK }));
}

function isNameless({ part, recipient }: RecipientColumn): boolean {
	return part === 'name' && recipient.name.trim() === '';
}

/** Refuses an item whose cells are all empty, as in the rows below a table. */
export function refuseEmptyRow({ columns, prefill, settings }: Filling) {
	const isFilled = ([name, value]: [string, unknown]) =>
		!isBlank(value) && !ADDED_BY_NODES.includes(comparable(name));
	const values = [columns, prefill].flatMap((given) => Object.entries(given.values));
	if (!columns.isAutomatic || values.length === 0 || values.some(isFilled)) return;
	if (choiceIn(settings) === 'leave') return;
	throw new Refusal(
		'The row is empty: all its cells are blank',
		'Delete empty rows in the sheet, or leave them out before this step, for example with a Filter node.',
	);
}
