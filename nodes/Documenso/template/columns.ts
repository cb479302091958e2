import type { EnvelopeField, EnvelopeRecipient, FillableTemplate } from '../../shared/api/envelope';
import { comparable } from '../../shared/n8n/nearNames';
import { isBlank, isSameText } from '../../shared/n8n/values';
import { distinctlyNamed, labelOf, namedFields, nameOf } from '../../shared/envelope/labels';
import { signingOf, whoCanSign, type Obstacle } from '../../shared/envelope/whoCanSign';

/** Something that a template can be filled in with, as the editor and a spreadsheet name it. */
export interface Column {
	/** Its name in a spreadsheet; no other column of its kind has the same. */
	name: string;
	/** Shown in the editor. */
	label: string;
	/** A shorter name, which other columns may have too. */
	alias?: string;
}

/** A recipient of the template, under a name that no other one has. */
export interface Person extends Column {
	recipient: EnvelopeRecipient;
}

export interface RecipientColumn extends Person {
	part: 'email' | 'name' | 'signingOrder';
}

export interface FieldColumn extends Column {
	field: EnvelopeField;
}

/** What may stay blank in a document: a field, or the name or address of a recipient. */
export type Place = FieldColumn | RecipientColumn;

export function recipientIdOf(place: FieldColumn | Person): number {
	return 'field' in place ? place.field.recipientId : place.recipient.id;
}

/** What a document made from any template can be given. */
export const EXTERNAL_ID: Column = { name: 'External ID', label: 'External ID' };
/** Not "Title", because a column of that name usually holds a person's title. */
export const DOCUMENT_TITLE: Column = { name: 'Document title', label: 'Document Title' };

/** Only the recipients fill in signatures, names and the like (documenso-api.md: Prefilled values). */
const PREFILLABLE = ['TEXT', 'NUMBER', 'DATE', 'RADIO', 'CHECKBOX', 'DROPDOWN'];

/** A template, and what it can be filled in with. */
export interface Template extends FillableTemplate {
	people: Columns<Person>;
	recipientColumns: Columns<RecipientColumn>;
	fieldColumns: Columns<FieldColumn>;
	/** What keeps a document made from it from being signed to its end, whatever it is filled in with. */
	obstacles: Obstacle[];
}

export function templateOf(envelope: FillableTemplate): Template {
	const people = peopleOf(envelope);
	return {
		...envelope,
		people: new Columns(people),
		recipientColumns: new Columns(people.flatMap(columnsOf)),
		fieldColumns: new Columns(fieldColumns(envelope)),
		obstacles: obstaclesOf(envelope),
	};
}

/** Without locked fields for which a value may be given. */
export function obstaclesOf(envelope: FillableTemplate): Obstacle[] {
	const mayBeGiven = ({ kind, field }: Obstacle) =>
		kind === 'lockedField' && PREFILLABLE.includes(field?.type ?? '');
	return whoCanSign(signingOf(envelope)).filter((one) => !mayBeGiven(one));
}

/** Columns, to be found by the names that people and programs use. */
export class Columns<One extends Column> {
	private readonly byKey = new Map<string, One[]>();

	constructor(readonly all: One[]) {
		for (const column of all) {
			const { name, label, alias = name } = column;
			for (const key of new Set([name, label, alias].map(comparable))) {
				const alike = this.byKey.get(key);
				if (alike) alike.push(column);
				else this.byKey.set(key, [column]);
			}
		}
	}

	/** None if the name is unknown, several if it is ambiguous. `key` is the name in the form for comparisons. */
	called(name: string, key: string): One[] {
		const alike = this.byKey.get(key) ?? [];
		const named = alike.filter((column) => column.name === name);
		if (named.length > 0) return named;
		// "Rate" and "Rate %" differ only in what is not compared.
		const equal = alike.filter(({ alias, label }) => isSameText(alias ?? label, name));
		if (equal.length === 1) return equal;
		return alike.filter((column) => !isOtherUnit(name, column.name));
	}
}

/** What a document made from any template can be given, too. */
export const documentColumns: Columns<Column> = new Columns([EXTERNAL_ID, DOCUMENT_TITLE]);

/** "Rent $" is not "Rent €", though "Rent" is. */
function isOtherUnit(name: string, other: string): boolean {
	const [unit = '', otherUnit = ''] = [name, other].map((one) => UNIT.exec(one)?.[0]);
	return unit !== '' && otherUnit !== '' && unit !== otherUnit;
}

const UNIT = /[\p{Sc}%‰]/u;

export function recipientIdsOf({ people }: Template, names: string[]): Set<number> {
	const named = names.flatMap((name) => people.called(name, comparable(name)));
	return new Set(named.map(recipientIdOf));
}

function peopleOf({ recipients }: FillableTemplate): Person[] {
	const named = distinctlyNamed(recipients, [
		nameOf,
		(recipient) => `${nameOf(recipient)} (${recipient.role})`,
		(recipient) => `${nameOf(recipient)} (${recipient.email})`,
		(recipient) => `${nameOf(recipient)} (ID ${recipient.id})`,
	]);
	return named.map(({ thing: recipient, name }) => {
		const role = `(${recipient.role})`;
		const isToldApart = recipient.role === 'SIGNER' || name.endsWith(role);
		const label = isToldApart ? name : `${name} ${role}`;
		return { recipient, name, label, alias: nameOf(recipient) };
	});
}

function columnsOf({ recipient, name, label, alias }: Person): RecipientColumn[] {
	const role = label.slice(name.length);
	const column = (part: RecipientColumn['part'], word: string) => ({
		recipient,
		part,
		name: `${name} ${word.toLowerCase()}`,
		label: `${name} ${word}${role}`,
		alias: `${alias} ${word}`,
	});
	return [
		column('email', 'Email'),
		column('name', 'Name'),
		column('signingOrder', 'Signing Order'),
	];
}

/** Fields by file, page and place. */
export function inReadingOrder<Field extends EnvelopeField>(
	{ envelopeItems }: FillableTemplate,
	fields: Field[],
): Field[] {
	const files = new Map(envelopeItems.map(({ id }, index) => [id, index]));
	return [...fields].sort(
		(a, b) =>
			(files.get(a.envelopeItemId) ?? -1) - (files.get(b.envelopeItemId) ?? -1) ||
			a.page - b.page ||
			a.positionY - b.positionY ||
			a.positionX - b.positionX,
	);
}

function fieldColumns(envelope: FillableTemplate): FieldColumn[] {
	const inOrder = inReadingOrder(
		envelope,
		envelope.fields.filter(({ type }) => PREFILLABLE.includes(type)),
	);
	return namedFields(inOrder, envelope).map(({ field, name }) => {
		const notes = [field.fieldMeta?.readOnly && 'read-only', optionsNote(field)];
		const note = notes.filter(Boolean).join(', ');
		const label = note ? `${name} (${note})` : name;
		return { field, name, label, alias: labelOf(field) };
	});
}

/** A date field without a label gets the day on which its recipient signs. For any other date, users give it a label. */
export function isDateOfSigning({ type, fieldMeta }: EnvelopeField): boolean {
	return type === 'DATE' && !fieldMeta?.label;
}

/** Nobody can change it when it is signed. */
export function isReadOnly({ fieldMeta }: EnvelopeField): boolean {
	return Boolean(fieldMeta?.readOnly);
}

function isFilledByTemplate({ fieldMeta }: EnvelopeField): boolean {
	const { text, value, defaultValue, values = [] } = fieldMeta ?? {};
	return ![text, value, defaultValue].every(isBlank) || values.some(({ checked }) => checked);
}

/** What every document made from the template says, unless something else is given. */
export function isConstant(place: Place): boolean {
	return 'field' in place && isReadOnly(place.field) && isFilledByTemplate(place.field);
}

/**
 * Not boxes, which need no tick, nor orders, nor what the template fills in itself. But a text like "TBD" in a read-only
 * field would stay for ever.
 */
export function mayBeBlank(place: Place): boolean {
	if ('part' in place) return place.part !== 'signingOrder';
	const { field } = place;
	if (field.type === 'CHECKBOX' || isDateOfSigning(field)) return false;
	return isReadOnly(field) || !isFilledByTemplate(field);
}

/** Not for dropdowns, because the editor lists their options. */
function optionsNote({ type, fieldMeta }: EnvelopeField): string {
	const options = (fieldMeta?.values ?? []).map(({ value }) => value).join(', ');
	return type === 'CHECKBOX' && options ? `any of: ${options}` : '';
}
