import { MISSING } from '../../shared/n8n/parameters';
import type { Item } from '../../shared/n8n/item';
import type { Fault } from '../../shared/n8n/refusal';
import { unreadableIn } from '../inputs/readable';
import { isPlaceholder } from '../../shared/envelope/whoCanSign';
import {
	DOCUMENT_TITLE,
	documentColumns,
	EXTERNAL_ID,
	mayBeBlank,
	type Column,
	type Place,
	type RecipientColumn,
} from './columns';
import type { FillInputs } from './fill';
import type { LeftOut } from './leftOut';
import type { Match, Matches } from './matches';
import type { RunColumns } from './runColumns';

/** A template, and what the user has given to fill it in. */
export interface Filling {
	/** With those who are left out. */
	run: RunColumns;
	/** Without what belongs to them. */
	matches: Matches;
	leftOut: LeftOut;
	settings: FillInputs['additionalFields'];
	item: Item;
}

/** The same, and what gets no value. */
export interface Blanks extends Filling {
	given: ReadonlySet<Place>;
	/** All other places. */
	notGiven: Place[];
	/** Of these, the ones about which nothing was said. */
	open: Place[];
	/** Of these, the ones that an empty cell would leave as they are by mistake. */
	blank: ReadonlySet<Place>;
	/** What is empty on purpose. */
	mayStay: ReadonlySet<Place>;
	/** The columns of the item that the template does not have; none if they were chosen by hand. */
	unmatched: Match[];
}

/** Something that was probably not meant. */
export interface Mistake extends Fault {
	/** What stays blank because of it. */
	place?: Place;
}

export const MAY_STAY_BLANK =
	"If something may stay blank, choose it under 'Additional Fields > Fields That May Stay Blank'.";

const ONE_EXPRESSION = 'If a text may lack a part, write the whole text as one expression.';

const RENAME =
	"Rename the column in the sheet, or with an Edit Fields node before this one, or leave it out. To send nevertheless, choose 'Leave It to the Recipients' under 'Additional Fields > If a Field Stays Blank'.";

/** What stays blank on purpose is no excuse for a value that would be lost. */
export function misspelt(blanks: Blanks): Mistake[] {
	const { unmatched, open, notGiven } = blanks;
	// An empty cell leaves what the template fills in as it is.
	const fillable = open.filter(mayBeBlank);
	return unmatched.flatMap(({ name: column, key, near, isBlank }) => {
		const possible = isBlank ? fillable : notGiven;
		const place = possible.find((one) => near.includes(one)) ?? partCalled(key, blanks, possible);
		return place ? [{ place, ...nearly(column, place) }] : [];
	});
}

/** With no External ID, running the workflow again would make a second document. */
export function misspeltForDocument({ matches, settings, unmatched }: Blanks): Mistake[] {
	const { columns } = matches;
	const given = new Set(columns.flatMap(({ document, isBlank }) => (isBlank ? [] : document)));
	if (settings.externalId) given.add(EXTERNAL_ID);
	if (settings.title) given.add(DOCUMENT_TITLE);
	const open = documentColumns.all.filter((one) => !given.has(one));
	return unmatched.flatMap(({ name: column, near, isBlank }) => {
		// An empty cell is no ID under its right name either.
		const meant = isBlank ? undefined : open.find((one) => near.includes(one));
		return meant ? [nearly(column, meant)] : [];
	});
}

function nearly(column: string, { name }: Column): Fault {
	const fault = `(did you mean "${name}"?) matches nothing in the template`;
	return { column, fault, advice: RENAME };
}

const PARTS: ReadonlyMap<string, RecipientColumn['part']> = new Map([
	...['email', 'mail', 'emailaddress'].map((key) => [key, 'email'] as const),
	...['name', 'fullname'].map((key) => [key, 'name'] as const),
]);

/** A column "Email" or "Name" is probably for the one recipient who is not known yet, or who is the only one. */
function partCalled(key: string, { leftOut, run }: Filling, places: Place[]): Place | undefined {
	const wanted = PARTS.get(key);
	if (!wanted) return undefined;
	// Where there is a column for the address of somebody who is left out, it is empty on purpose.
	const isMeant = ({ recipient: { id } }: RecipientColumn) => {
		const email = leftOut.get(id);
		return email !== undefined && run.columns.has(email);
	};
	const parts = places.filter(
		(place): place is RecipientColumn =>
			'part' in place && place.part === wanted && !isMeant(place),
	);
	const missing = parts.filter(({ recipient }) => isPlaceholder(recipient.email));
	const [only, another] =
		missing.length > 0 || run.template.recipients.length > 1 ? missing : parts;
	// Whose name it is, the person who wrote the sheet knows; that it is nobody's, nobody would see.
	return another && wanted === 'email' ? undefined : only;
}

/** Cells, and values of Prefill (JSON). Who maps the columns one by one sees which boxes are empty. */
export function emptyValues({ matches, blank }: Blanks): Mistake[] {
	const { isAutomatic, columns, prefill } = matches;
	const empty = [...(isAutomatic ? columns : []), ...prefill].filter(({ isBlank }) => isBlank);
	return empty.flatMap((match) =>
		match.places
			.filter((place) => blank.has(place))
			.map((place) => ({
				place,
				column: match.name,
				fault: 'is empty',
				advice: `Fill it in. ${MAY_STAY_BLANK}`,
			})),
	);
}

/** A column that other items of the run have is an empty cell where it is missing. */
export function missingCells({ matches, run, blank }: Blanks): Mistake[] {
	if (!matches.isAutomatic) return [];
	return [...blank].flatMap((place) => {
		const column = run.columns.get(place);
		if (!column) return [];
		const { name, items } = column;
		const fault = `is missing here; ${items === 1 ? 'one other item has it' : `${items} other items have it`}`;
		return [{ place, column: name, fault, advice: `${LEFT_OUT} ${MAY_STAY_BLANK}` }];
	});
}

const LEFT_OUT =
	"Fill in the cell: n8n leaves out empty ones, and those in which a formula has failed. With 'Include Empty Cells' where the file is read, the node sees them even in a single row.";

export function unreadableValues({ matches: { columns, prefill } }: Filling): Mistake[] {
	return [...columns, ...prefill].flatMap((match) => {
		const { name: column, value } = match;
		const found = match.isKnown && typeof value === 'string' && unreadableIn(value);
		return found && !isOption(match, value) ? [{ column, ...found }] : [];
	});
}

/** Whatever it looks like, the template has it. */
function isOption({ fields }: Match, value: string): boolean {
	return fields.some(({ field }) => field.fieldMeta?.values?.some((one) => one.value === value));
}

/** Values that an expression for the whole object has made: nobody can see which part of it gives nothing. */
export function brokenTexts({ matches, item, mayStay }: Blanks): Mistake[] {
	const path = ['additionalFields', 'prefillJson'];
	if (item.execution.parameters.expressions(path).length !== 1) return [];
	return matches.prefill.flatMap((match) => {
		const { name: column, value } = match;
		const found = typeof value === 'string' && MISSING.exec(value);
		const place = match.places.find((one) => !mayStay.has(one));
		if (!found || !place) return [];
		const fault = `has "${found[0]}" in it: a part of the expression for Prefill (JSON) gives nothing`;
		return [{ place, column, fault, advice: MAY_STAY_BLANK }];
	});
}

/** Texts with an expression that gives nothing. Without an expression, n8n stores nothing for an empty box. */
export function emptyExpressions(blanks: Blanks): Mistake[] {
	const { matches, settings, item, blank, mayStay } = blanks;
	const { parameters } = item.execution;
	const mistakeIn = (column: string, found: string[], advice: string, place?: Place) => {
		if (found.length === 0) return [];
		const fault = `has an expression that gives nothing: ${found.join(', ')}`;
		return [{ place, column, fault, advice }];
	};
	const emptyIn = (path: string[], value: unknown) =>
		parameters.emptyExpressions(path, item.index, value);
	const inSetting = (column: string, name: 'title' | 'externalId', ...inside: string[]) =>
		mistakeIn(column, emptyIn([...inside, name], settings[name]), ONE_EXPRESSION);
	const isMeant = (place: Place) => mayStay.has(place) || isOptional(place);
	const boxes = matches.isAutomatic ? [] : matches.columns;
	const prefill = new Map(matches.prefill.map((match) => [match.name, match]));
	return [
		...boxes.flatMap((match) => {
			const { name, value, isBlank, places } = match;
			const place = places.find((one) => (isBlank ? blank.has(one) : !isMeant(one)));
			if (places.length > 0 && !place) return [];
			const advice = isBlank ? MAY_STAY_BLANK : ONE_EXPRESSION;
			return mistakeIn(name, emptyIn(['columns', 'value', name], value), advice, place);
		}),
		...inSetting('Title', 'title'),
		...inSetting('Title', 'title', 'additionalFields'),
		...inSetting('External ID', 'externalId', 'additionalFields'),
		...(prefill.size === 0 ? emptyPrefill(blanks) : []),
		...parameters
			.emptyExpressionsInJson(['additionalFields', 'prefillJson'], item.index)
			.flatMap(([column, found]) => {
				const match = prefill.get(column);
				// Of a blank value, it is told that it is empty.
				if (!match || match.isBlank) return [];
				const place = match.places.find((one) => !isMeant(one));
				return place ? mistakeIn(column, found, ONE_EXPRESSION, place) : [];
			}),
	];
}

function emptyPrefill({ item }: Filling): Mistake[] {
	const all = item.execution.parameters.expressions(['additionalFields', 'prefillJson']);
	if (all.length === 0) return [];
	const fault = `has an expression that gives no values: ${all.join(', ')}`;
	const advice =
		"Correct the expression, or remove it. If an item may have no values, choose 'Leave It to the Recipients' under 'Additional Fields > If a Field Stays Blank'.";
	return [{ column: 'Prefill (JSON)', fault, advice }];
}

/** What is often left out on purpose. */
function isOptional(place: Place): boolean {
	return 'field' in place ? place.field.type === 'CHECKBOX' : place.part === 'signingOrder';
}
