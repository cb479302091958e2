import type { EnvelopeRecipient } from '../../shared/api/envelope';
import { acts } from '../../shared/api/lifecycle';
import type { Fault } from '../../shared/n8n/refusal';
import { readChoices } from './choiceValue';
import {
	Columns,
	obstaclesOf,
	recipientIdOf,
	recipientIdsOf,
	type Place,
	type RecipientColumn,
	type Template,
} from './columns';
import type { Match, Matches } from './matches';
import type { RunColumns } from './runColumns';

/** Those who are left out: by their IDs, the columns in which they have no address. */
export type LeftOut = ReadonlyMap<number, RecipientColumn>;

/** A template without the recipients whom an item leaves out, and what the item gives for the others. */
export interface Reduced {
	template: Template;
	matches: Matches;
	leftOut: LeftOut;
	faults: Fault[];
}

/** Takes those recipients out of the template who may be left out and get no address, with all that is theirs. */
export function leaveOut(run: RunColumns, matches: Matches, names: string[] = []): Reduced {
	const whole = run.template;
	const nobody: Reduced = { template: whole, matches, leftOut: new Map(), faults: [] };
	if (names.length === 0) return nobody;
	const unknown = names.filter((name) => recipientIdsOf(whole, [name]).size === 0);
	if (unknown.length > 0)
		return { ...nobody, faults: unknown.map((name) => isNobody(whole, name)) };
	const mayBe = recipientIdsOf(whole, names);
	const given = new Set(matches.columns.flatMap((one) => (one.isBlank ? [] : one.recipients)));
	const leftOut = new Map(
		whole.recipientColumns.all
			.filter((one) => one.part === 'email' && mayBe.has(one.recipient.id) && !given.has(one))
			.map((email) => [email.recipient.id, email]),
	);
	if (leftOut.size === 0) return nobody;
	const template = without(whole, leftOut);
	const { columns, prefill } = matches;
	const rest = (all: Match[]) => all.flatMap((match) => restOf(match, leftOut) ?? []);
	return {
		template,
		matches: { ...matches, columns: rest(columns), prefill: rest(prefill) },
		leftOut,
		faults: [
			...[...columns, ...prefill].flatMap((match) => valueOfNobody(match, leftOut)),
			...nobodySigns(whole, template, leftOut),
		],
	};
}

function isNobody({ people }: Template, name: string): Fault {
	const names = people.all.map((one) => `"${one.name}"`).join(', ');
	return {
		column: 'Recipients That May Be Left Out',
		fault: `has "${name}", who is no recipient of the template`,
		advice: `The template has: ${names}. If it has changed, choose again.`,
	};
}

/** What was given for others; undefined if it was only for those who are left out. */
function restOf(match: Match, leftOut: LeftOut): Match | undefined {
	const isKept = (place: Place) => !leftOut.has(recipientIdOf(place));
	const places = match.places.filter(isKept);
	if (places.length === match.places.length) return match;
	if (places.length === 0 && match.document.length === 0) return undefined;
	const { fields, recipients } = match;
	return { ...match, places, fields: fields.filter(isKept), recipients: recipients.filter(isKept) };
}

/** A value that is only for those who are left out: their address has probably been forgotten. */
function valueOfNobody(match: Match, leftOut: LeftOut): Fault[] {
	if (match.isBlank || restOf(match, leftOut) || ticksNothing(match)) return [];
	const emails = match.places.flatMap((place) => leftOut.get(recipientIdOf(place)) ?? []);
	const { name: column } = match;
	return emails.slice(0, 1).map(({ name }) => ({
		column,
		fault: `has a value for a recipient who is left out: '${name}' has no address`,
		advice: `Fill in '${name}', or leave '${column}' empty.`,
	}));
}

/** Spreadsheets have false in a box that nobody has ticked. */
function ticksNothing({ fields, recipients, value }: Match): boolean {
	if (recipients.length > 0) return false;
	return fields.every(({ field }) => {
		const read = field.type === 'CHECKBOX' ? readChoices(field, value) : undefined;
		return read && 'value' in read && read.value.length === 0;
	});
}

/** Who signs: the signers; in a template without any, whoever has something to do; in one with CCs only, they. */
const SIGNING: Array<(recipient: EnvelopeRecipient) => boolean> = [
	({ role }) => role === 'SIGNER',
	acts,
	() => true,
];

/** Documenso would complete such a document without any signature. */
function nobodySigns(whole: Template, { recipients }: Template, leftOut: LeftOut): Fault[] {
	const signs = SIGNING.find((one) => whole.recipients.some(one));
	if (!signs || recipients.some(signs)) return [];
	const names = [...leftOut.values()].map(({ name }) => `'${name}'`).join(' and ');
	return [
		{
			column: 'Recipients That May Be Left Out',
			fault: `leaves nobody who signs: ${names} ${leftOut.size === 1 ? 'has' : 'have'} no address`,
			advice: "Fill in a signer's address.",
		},
	];
}

/** The items of a run leave the same few recipients out. */
const known = new WeakMap<Template, Map<string, Template>>();

function without(whole: Template, leftOut: LeftOut): Template {
	const reduced = known.get(whole) ?? new Map<string, Template>();
	known.set(whole, reduced);
	const key = [...leftOut.keys()].join(' ');
	const template = reduced.get(key) ?? reducedBy(whole, leftOut);
	reduced.set(key, template);
	return template;
}

/** The columns of the others keep their names. */
function reducedBy(whole: Template, leftOut: LeftOut): Template {
	const isKept = (place: Place) => !leftOut.has(recipientIdOf(place));
	const rest = {
		...whole,
		recipients: whole.recipients.filter(({ id }) => !leftOut.has(id)),
		fields: whole.fields.filter(({ recipientId }) => !leftOut.has(recipientId)),
	};
	return {
		...rest,
		obstacles: obstaclesOf(rest),
		recipientColumns: new Columns(whole.recipientColumns.all.filter(isKept)),
		fieldColumns: new Columns(whole.fieldColumns.all.filter(isKept)),
	};
}
