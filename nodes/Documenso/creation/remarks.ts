import { inBrief, LISTED_ITEMS } from './existingMessages';
import type { Asked } from './newDocument';
import { groupedBy } from '../../shared/n8n/values';

/** A value of which Documenso shows only so many characters. */
export interface Cut {
	name: string;
	shown: number;
	length: number;
}

/** The names of what a person should know about a document made from a template, though it is no fault. */
export interface Remarks {
	/** The names of those who are left out of the document. */
	leftOut: string[];
	/** Of these, the ones with an address in the template, for whom no item has a column. */
	unasked: string[];
	/** Left for the recipients to fill in. */
	blank: string[];
	/** The names of people for whom the template has a placeholder, and the item no name. */
	nameless: string[];
	/** The columns of the item that match nothing: one of them may have been meant for a field. */
	unmatched: string[];
	/** Filled in, but not locked. */
	erasable: string[];
	/** What does not fit into its field. */
	cut: Cut[];
	/** Times that were given for a date, and so depend on the workflow's time zone. */
	withTime: string[];
	/** Text fields with a number that may be a day in the sheet. */
	dayNumbers: string[];
}

/** The remarks on one item; `column` names the value. */
export function warningsIn({ cut, erasable, nameless, withTime, dayNumbers }: Remarks) {
	const about = (column: string, message: string, advice: string) => ({ column, message, advice });
	return [
		...cut.map((one) => about(one.name, `'${one.name}' ${shownOf(one)}`, ENLARGE)),
		...nameless.map((name) => about(name, `'${name}' stays blank: no column gives it`, '')),
		...withTime.map((name) =>
			about(name, `'${name}' has a time of day, and was read in the workflow's time zone`, ''),
		),
		...dayNumbers.map((name) =>
			about(name, `'${name}' is a number which in a spreadsheet may be a day`, AS_TEXT),
		),
		...(erasable.length > 0 ? [about(erasable.join(', '), `${ERASABLE}.`, LOCK)] : []),
	];
}

/** Lists for all items what stays blank, how dates were read, what is cut off, and what can be erased. */
export function hintAtRemarks(all: Asked[]) {
	const [first] = all;
	if (!first) return;
	const { hints } = first.item.execution;
	const remarked = all.flatMap(({ item: { index }, document: { remarks } }) =>
		remarks ? [{ index, remarks }] : [],
	);
	const unmatched = new Set(remarked.flatMap(({ remarks }) => remarks.unmatched));
	const erasable = new Set(remarked.flatMap(({ remarks }) => remarks.erasable));
	const [cut] = remarked.flatMap(({ remarks }) => remarks.cut);
	const told = (kind: Exclude<keyof Remarks, 'erasable' | 'unmatched'>) => {
		const said = remarked.flatMap(({ index, remarks }) =>
			remarks[kind].map((one) => ({ index, name: typeof one === 'string' ? one : one.name })),
		);
		return said.length > 0 ? namesInBrief(said, all.length) : '';
	};
	const leftOut = told('leftOut');
	if (leftOut) hints.say(`${LEFT_OUT}: ${leftOut}.`, 'info');
	const unasked = told('unasked');
	if (unasked) hints.say(`${UNASKED}: ${unasked}. ${ADD_COLUMN}`, 'warning');
	const blank = told('blank');
	const nameless = told('nameless');
	const left = [
		...(blank ? [`Left for the recipients to fill in: ${blank}.`] : []),
		...(nameless ? [`These names stay blank, because no column gives them: ${nameless}.`] : []),
	];
	if (left.length > 0 && unmatched.size > 0) {
		left.push(`Columns that match nothing in the template: ${inBrief(unmatched, LISTED_NAMES)}.`);
	}
	if (left.length > 0) hints.say(left.join(' '), 'warning');
	const withTime = told('withTime');
	if (withTime) hints.say(`${WITH_TIME}: ${withTime}.`, 'warning');
	const dayNumbers = told('dayNumbers');
	if (dayNumbers) hints.say(`${DAY_NUMBERS}: ${dayNumbers}. ${AS_TEXT}`, 'warning');
	if (cut) {
		const example = `'${inBrief([cut.name], 1)}' ${shownOf(cut)}`;
		hints.say(`${CUT_OFF}: ${told('cut')}. ${example}. ${ENLARGE}`, 'warning');
	}
	if (erasable.size === 0) return;
	hints.say(`${ERASABLE}: ${inBrief(erasable, LISTED_NAMES)}. ${LOCK}`, 'info');
}

const LISTED_NAMES = 20;

/** Nobody knows the sizes of the pages, and of letters other than Latin ones only about how wide they are. */
function shownOf({ shown, length }: Cut): string {
	return `shows about ${shown} of ${length} characters`;
}

const LEFT_OUT =
	'Left out of these documents, with their fields, because no email address is given for them';
const UNASKED =
	'The template has an address for these recipients, but they are left out, because no item has a column for it';
const ADD_COLUMN =
	"If they should be in every document, remove them from 'Additional Fields > Recipients That May Be Left Out'.";
const WITH_TIME = "These dates have a time of day, and were read in the workflow's time zone";
const DAY_NUMBERS =
	'These text fields get a number which in a spreadsheet may be a day, and is printed as a number';
const AS_TEXT = 'If it is a day, give it as text: in the sheet with =TEXT(A2,"yyyy-mm-dd").';
const CUT_OFF = 'These values are too long for their fields, so Documenso cuts them off';
const ENLARGE =
	"Enlarge the field in the template, or choose a smaller font size or another overflow for it: in Documenso's editor, or with 'Field: Update'.";
const ERASABLE =
	'Signers can change these filled-in fields, and one click on such a field erases its value';
const LOCK =
	"To lock them, turn on Read Only for these fields in the template: in Documenso's editor, or with 'Field: Update'.";

/** Each name with the items that it is told of; without them, if these are all. */
function namesInBrief(said: Array<{ name: string; index: number }>, total: number): string {
	const each = [...groupedBy(said, ({ name }) => name)].map(([name, of]) => {
		if (of.length === total) return name;
		const items = inBrief(
			of.map(({ index }) => index),
			LISTED_ITEMS,
		);
		return `${name} (${of.length === 1 ? 'item' : 'items'} ${items})`;
	});
	return inBrief(each, LISTED_NAMES);
}
