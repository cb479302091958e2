import type { EnvelopeField } from '../api/envelope';
import type { LeftBlank } from '../creation/newDocument';
import type { Added } from '../engine/input';
import type { Item } from '../engine/item';
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
import { changesSince } from './changesSince';
import { isDateOfSigning, isPlaceholder, type RecipientColumn, type Template } from './columns';
import { MAY_STAY_BLANK, type Mistake, type Place } from './mistakes';
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
	}>;
	item: Item;
}

const ONE_EXPRESSION = 'If a text may lack a part, write the whole text as one expression.';

/** What n8n's form trigger and Google Sheets add to their items. */
const ADDED_BY_N8N = ['submittedAt', 'formMode', 'row_number'].map(comparable);

/** Refuses what was probably not meant to stay blank. Returns what is left to the recipients. */
export function checkBlanks(filling: Filling, faults: Fault[]): LeftBlank {
	const { template, columns, settings } = filling;
	const mayStay = new Set((settings.mayStayBlank ?? []).flatMap((name) => named(template, name)));
	const notGiven = placesNotGiven(filling).filter((place) => !mayStay.has(place));
	const blank = notGiven.filter((place) => !isAskedFor(place, filling));
	const unmatched = unmatchedIn(template, columns);
	const choice = choiceIn(settings);
	if (choice !== 'leave') {
		const mistakes = [
			...misspelt(unmatched, notGiven),
			...emptyValues(filling, blank),
			...emptyExpressions(filling, blank, mayStay),
			...changesSince(template, columns, blank),
		];
		faults.push(...mistakes.map(({ fault }) => fault));
		if (choice === 'refuse') faults.push(...stillBlank(blank, mistakes));
	}
	const fields = blank.filter((place) => 'field' in place).map(({ name }) => name);
	return { fields, columns: unmatched };
}

/** Workflows from before there were these choices say it in another way. */
function choiceIn({ ifFieldStaysBlank, unmatchedColumns }: Filling['settings']) {
	if (ifFieldStaysBlank !== undefined) return ifFieldStaysBlank;
	if (unmatchedColumns === 'fail') return 'refuse';
	return unmatchedColumns === 'ignore' ? 'leave' : 'refuseMistakes';
}

function named({ fieldColumns, recipientColumns }: Template, name: string): Place[] {
	return [...fieldColumns.calledOrWithId(name), ...recipientColumns.called(name)];
}

/** The fields that would be blank, and the names and addresses that would stay as in the template. */
function placesNotGiven({ template, columns, prefill }: Filling): Place[] {
	const values = [columns, prefill].flatMap((given) => Object.entries(given.values));
	const filled = values.filter(([, value]) => !isBlank(value));
	const given = new Set(filled.flatMap(([name]) => named(template, name)));
	const fields = template.fieldColumns.all.filter(({ field }) => canBeBlank(field));
	const people = template.recipientColumns.all.filter(({ part }) => part !== 'signingOrder');
	return [...fields, ...people].filter((place) => !given.has(place));
}

/** Not what the template fills in itself, nor boxes, which need no tick. */
export function canBeBlank(field: EnvelopeField): boolean {
	const { text, value, defaultValue, readOnly, values = [] } = field.fieldMeta ?? {};
	if (field.type === 'CHECKBOX' || isDateOfSigning(field) || readOnly) return false;
	return [text, value, defaultValue].every(isBlank) && !values.some(({ checked }) => checked);
}

/** Whether nobody is known yet: either the address is a fault of its own, or it is allowed to be missing. */
function isAskedFor(place: Place, { settings: { allowPlaceholders } }: Filling): boolean {
	if ('field' in place || !isPlaceholder(place.recipient.email)) return false;
	return place.part === 'email' || Boolean(allowPlaceholders);
}

/** The columns of the item that the template does not have; none if they were chosen by hand. */
function unmatchedIn(template: Template, { isAutomatic, values }: Given): string[] {
	if (!isAutomatic) return [];
	const known = [template.recipientColumns, template.fieldColumns, template.documentColumns];
	return Object.keys(values)
		.filter((name) => !ADDED_BY_N8N.includes(comparable(name)))
		.filter((name) => known.every((one) => one.called(name).length === 0));
}

/** Far more columns than anyone misspells. A form or webhook may send any number, and comparing takes long. */
const MOST_COMPARED = 100;

function misspelt(names: string[], places: Place[]): Mistake[] {
	return names.slice(0, MOST_COMPARED).flatMap((column) => {
		const place = nearTo(column, places, ({ name }) => name) ?? onlyAddress(column, places);
		if (!place) return [];
		const fault = `matches nothing in the template: did you mean "${place.name}"?`;
		return [{ place, fault: { column, fault, advice: MAY_STAY_BLANK } }];
	});
}

const EMAIL_WORDS = ['email', 'mail', 'emailaddress'];

/** A column "Email" is probably for the one recipient whose address is missing. */
function onlyAddress(column: string, places: Place[]): Place | undefined {
	if (!EMAIL_WORDS.includes(comparable(column))) return undefined;
	const missing = places.filter(
		(place) => 'part' in place && place.part === 'email' && isPlaceholder(place.recipient.email),
	);
	return missing.length === 1 ? missing[0] : undefined;
}

/** Cells, and values of Prefill (JSON). */
function emptyValues({ template, columns, prefill }: Filling, blank: Place[]): Mistake[] {
	const given = [...(columns.isAutomatic ? [columns] : []), prefill];
	const empty = given
		.flatMap(({ values }) => Object.entries(values))
		.filter(([, value]) => isBlank(value));
	return empty.flatMap(([column]) =>
		named(template, column)
			.filter((place) => blank.includes(place))
			.map((place) => ({ place, fault: { column, fault: 'is empty', advice: MAY_STAY_BLANK } })),
	);
}

/** Texts with an expression that gives nothing. Without an expression, n8n stores nothing for an empty box. */
function emptyExpressions(filling: Filling, blank: Place[], mayStay: Set<Place>): Mistake[] {
	const { template, columns, item } = filling;
	const empty = (column: string, path: string[], advice: string, place?: Place) => {
		const found = item.execution.parameters.emptyExpressions(path, item.index);
		if (found.length === 0) return [];
		const fault = `has an expression that gives nothing: ${found.join(', ')}`;
		return [{ place, fault: { column, fault, advice } }];
	};
	const boxes = Object.entries(columns.isAutomatic ? {} : columns.values);
	return [
		...boxes.flatMap(([column, value]) => {
			const places = named(template, column);
			const isWanted = (place: Place) =>
				isBlank(value) ? blank.includes(place) : !mayStay.has(place) && !isOptional(place);
			const place = places.find(isWanted);
			if (places.length > 0 && !place) return [];
			return empty(column, ['columns', 'value', column], MAY_STAY_BLANK, place);
		}),
		...empty('Title', ['additionalFields', 'title'], ONE_EXPRESSION),
		...empty('External ID', ['additionalFields', 'externalId'], ONE_EXPRESSION),
	];
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
		!isBlank(value) && !ADDED_BY_N8N.includes(comparable(name));
	const values = [columns, prefill].flatMap((given) => Object.entries(given.values));
	if (!columns.isAutomatic || values.length === 0 || values.some(isFilled)) return;
	if (choiceIn(settings) === 'leave') return;
	throw new Refusal(
		'The row is empty: all its cells are blank',
		'Delete empty rows in the sheet, or leave them out before this step, for example with a Filter node.',
	);
}
