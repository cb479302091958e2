import { comparable } from '../../shared/n8n/nearNames';
import { Refusal, type Fault } from '../../shared/n8n/refusal';
import { isPlaceholder } from '../../shared/envelope/whoCanSign';
import { ADDED } from '../engine/output';
import { changesSince } from './changesSince';
import {
	isConstant,
	isDateOfSigning,
	isReadOnly,
	mayBeBlank,
	recipientIdOf,
	type FieldColumn,
	type Place,
	type RecipientColumn,
} from './columns';
import {
	brokenTexts,
	emptyExpressions,
	emptyValues,
	MAY_STAY_BLANK,
	misspelt,
	misspeltForDocument,
	missingCells,
	unreadableValues,
	type Blanks,
	type Filling,
	type Mistake,
} from './mistakes';

/** Each finds mistakes of one kind. What nobody has given is often no mistake; what is lost or empty probably is. */
const MISTAKES: Array<(blanks: Blanks) => Mistake[]> = [
	misspelt,
	misspeltForDocument,
	emptyValues,
	missingCells,
	unreadableValues,
	brokenTexts,
	emptyExpressions,
	changesSince,
];

/** What nodes add to their items: n8n's form trigger, Google Sheets, and this node. */
const ADDED_BY_NODES = ['submittedAt', 'formMode', 'row_number', ...Object.values(ADDED)].map(
	comparable,
);

/** What was probably not meant to stay blank, and what is left to the recipients. */
export function checkBlanks(filling: Filling) {
	const { matches, settings } = filling;
	const blanks = blanksOf(filling);
	const { given, blank, unmatched } = blanks;
	const stays = [...blank].filter((place) => !isConstant(place));
	const fields = stays.filter((place): place is FieldColumn => 'field' in place);
	const choice = choiceIn(settings);
	const faults: Fault[] = [];
	if (choice !== 'leave') {
		const mistakes = onePerPlace(MISTAKES.flatMap((kind) => kind(blanks)));
		const isNothingGiven = matches.isAutomatic && given.size === 0;
		if (isNothingGiven && fields.length > 0) faults.push(nothingMatches(filling));
		faults.push(...mistakes.map(({ place: _, ...fault }) => fault));
		if (choice === 'refuse') faults.push(...stillBlank(stays, mistakes));
	}
	const left = fields.filter(({ field }) => !isReadOnly(field)).map(({ name }) => name);
	return { faults, left, unmatched: unmatched.map(({ name }) => name) };
}

/** Workflows from before there were these choices say it in another way. */
function choiceIn({ ifFieldStaysBlank, unmatchedColumns }: Filling['settings']) {
	if (ifFieldStaysBlank !== undefined) return ifFieldStaysBlank;
	if (unmatchedColumns === 'fail') return 'refuse';
	return unmatchedColumns === 'ignore' ? 'leave' : 'refuseMistakes';
}

/** Fields, and recipients' names, addresses and orders. */
function blanksOf(filling: Filling): Blanks {
	const { run, matches, settings } = filling;
	const { fieldColumns, recipientColumns } = run.template;
	const names = settings.mayStayBlank ?? [];
	const chosen = names.flatMap((name) => run.calledOrWithId(name).places);
	const mayStay = new Set([...chosen, ...ofLeftOut(filling)]);
	const cells = [...matches.columns, ...matches.prefill];
	const given = new Set(cells.flatMap(({ isBlank, places }) => (isBlank ? [] : places)));
	const places = [...fieldColumns.all, ...recipientColumns.all];
	const isSigningDate = (one: Place) => 'field' in one && isDateOfSigning(one.field);
	const notGiven = places.filter((one) => !given.has(one) && !isSigningDate(one));
	const open = notGiven.filter((place) => !mayStay.has(place));
	const blank = new Set(open.filter((place) => mayBeBlank(place) && !isAskedFor(place, filling)));
	const unmatched = matches.isAutomatic
		? matches.columns.filter(({ isKnown, key }) => !isKnown && !ADDED_BY_NODES.includes(key))
		: [];
	return { ...filling, given, notGiven, open, blank, mayStay, unmatched };
}

/** What belongs to those who are left out. */
function ofLeftOut({ run: { template }, leftOut }: Filling): Place[] {
	if (leftOut.size === 0) return [];
	const places = [...template.fieldColumns.all, ...template.recipientColumns.all];
	return places.filter((place) => leftOut.has(recipientIdOf(place)));
}

/** Whether nobody is known yet: another fault says so, or the address is allowed to be missing. */
function isAskedFor(place: Place, { settings: { allowPlaceholders } }: Filling): boolean {
	if ('field' in place || !isPlaceholder(place.recipient.email)) return false;
	return place.part === 'email' || Boolean(allowPlaceholders);
}

/** Airtable and Webhook hand on an object with what they have read. */
function nothingMatches({ run, matches }: Filling): Fault {
	const nothing = 'match no recipient and no field of the template';
	const outer = matches.columns.find(({ value }) =>
		firstKeys(value).some((name) => run.called(name).isKnown),
	);
	if (outer) {
		return {
			column: 'Columns',
			fault: `${nothing}, but those inside "${outer.name}" do`,
			advice: `Take them out before this step, with an Edit Fields node: Mode "JSON", and {{ $json[${JSON.stringify(outer.name)}] }}.`,
		};
	}
	return {
		column: 'Columns',
		fault: nothing,
		advice:
			"Check which step comes before this one. If the item is right, choose 'Leave It to the Recipients' under 'Additional Fields > If a Field Stays Blank'.",
	};
}

/** Of an object; a stranger may send one with a million. */
function firstKeys(value: unknown): string[] {
	const keys: string[] = [];
	if (typeof value !== 'object' || Array.isArray(value)) return keys;
	for (const key in value) if (keys.push(key) === 100) break;
	return keys;
}

/** The first mistake explains why a place stays blank. */
function onePerPlace(mistakes: Mistake[]): Mistake[] {
	const explained = new Set<Place>();
	return mistakes.filter(({ place }) => {
		if (!place) return true;
		return !explained.has(place) && explained.add(place);
	});
}

/** What nothing has been said about. */
function stillBlank(blank: Place[], mistakes: Mistake[]): Fault[] {
	const explained = new Set(mistakes.map(({ place }) => place));
	return blank
		.filter((place) => !explained.has(place))
		.filter((place) => 'field' in place || isNameless(place))
		.map(({ name }) => ({ column: name, fault: 'stays blank', advice: MAY_STAY_BLANK }));
}

/** The name of a placeholder is nobody's name. */
function isNameless({ part, recipient }: RecipientColumn): boolean {
	return part === 'name' && (recipient.name.trim() === '' || isPlaceholder(recipient.email));
}

/** Refuses an item whose cells are all empty, as in the rows below a table. */
export function throwIfEmptyRow({ matches, settings }: Pick<Filling, 'matches' | 'settings'>) {
	const cells = [...matches.columns, ...matches.prefill];
	const isFilled = cells.some(({ isBlank, key }) => !isBlank && !ADDED_BY_NODES.includes(key));
	if (!matches.isAutomatic || cells.length === 0 || isFilled) return;
	if (choiceIn(settings) === 'leave') return;
	throw new Refusal(
		'The row is empty: all its cells are blank',
		'Delete empty rows in the sheet, or leave them out before this step, for example with a Filter node.',
	);
}
