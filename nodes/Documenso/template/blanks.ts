import type { LeftBlank } from '../creation/newDocument';
import { Refusal, type Fault } from '../engine/refusal';
import { isBlank } from '../engine/values';
import { comparable } from '../engine/nearNames';
import type { Given } from '../inputs/mapper';
import { changesSince } from './changesSince';
import {
	canBeBlank,
	isFixed,
	isPlaceholder,
	PREVIEW,
	type Place,
	type RecipientColumn,
	type Template,
} from './columns';
import {
	brokenTexts,
	emptyExpressions,
	emptyValues,
	failedFormulas,
	MAY_STAY_BLANK,
	misspelt,
	named,
	type Filling,
	type Mistake,
} from './mistakes';

/** What nodes add to their items: n8n's form trigger, Google Sheets, and this node's preview. */
const ADDED_BY_NODES = ['submittedAt', 'formMode', 'row_number', PREVIEW].map(comparable);

/** Refuses what was probably not meant to stay blank. Returns what is left to the recipients. */
export function checkBlanks(filling: Filling, faults: Fault[]): LeftBlank {
	const { template, columns, settings } = filling;
	const mayStay = new Set((settings.mayStayBlank ?? []).flatMap((name) => named(template, name)));
	const { given, notGiven } = placesIn(filling);
	const open = notGiven.filter((place) => !mayStay.has(place));
	const blank = open.filter((place) => canBeBlank(place) && !isAskedFor(place, filling));
	const blanks = new Set(blank);
	const unmatched = unmatchedIn(template, columns);
	const choice = choiceIn(settings);
	if (choice !== 'leave') {
		const mistakes = [
			...misspelt(filling, unmatched, { open, notGiven }),
			...emptyValues(filling, blanks),
			...failedFormulas(filling),
			...brokenTexts(filling, mayStay),
			...emptyExpressions(filling, blanks, mayStay),
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

const NOTHING_MATCHES: Fault = {
	column: 'Columns',
	fault: 'match no recipient and no field of the template',
	advice:
		"Check which step comes before this one. If the item is right, choose 'Leave It to the Recipients' under 'Additional Fields > If a Field Stays Blank'.",
};

/** What nothing has been said about. */
function stillBlank(blank: Place[], mistakes: Mistake[]): Fault[] {
	const explained = new Set(mistakes.map(({ place }) => place));
	return blank
		.filter((place) => !explained.has(place))
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
