import type { IDataObject } from 'n8n-workflow';

import type { EnvelopeField } from '../../shared/api/envelope';
import { chosenFor, cutTitle, externalIdOf, type NewDocument } from '../creation/newDocument';
import type { Cut } from '../creation/remarks';
import { asInRun } from '../creation/testRun';
import type { Added, Values } from '../../shared/n8n/input';
import { faultIn } from '../../shared/n8n/inputFaults';
import type { Item } from '../../shared/n8n/item';
import { Refusal, type Fault } from '../../shared/n8n/refusal';
import { MASKED_ADDRESS } from '../../shared/n8n/masking';
import { textUpTo } from '../../shared/n8n/values';
import { isLeftOut, leftOutAddress } from '../../shared/envelope/leftOut';
import type { FieldValue } from '../../shared/envelope/filledValues';
import { isMadeUp } from '../../shared/envelope/madeUpId';
import { nameOf } from '../../shared/envelope/labels';
import { metaOf, sortSettings } from '../envelope/settings';
import {
	hasOddDots,
	isLocked,
	isPlaceholder,
	ODD_DOTS,
	emailingOf,
	sharedTurns,
	unreachable,
	type Emailing,
	type Obstacle,
} from '../../shared/envelope/whoCanSign';
import type { ifExternalIdExistsOrDiffers } from '../inputs/creation';
import type { fillTemplate, mayBeLeftOut, send } from '../inputs/fillTemplate';
import { givenBy } from '../inputs/mapper';
import type { useByNumberFields } from '../inputs/settings';
import { checkBlanks, throwIfEmptyRow } from './blanks';
import {
	DOCUMENT_TITLE,
	EXTERNAL_ID,
	isReadOnly,
	recipientIdsOf,
	type Column,
	type FieldColumn,
	type RecipientColumn,
	type Template,
} from './columns';
import type { DateReading } from './dateValue';
import { leaveOut, type LeftOut, type Reduced } from './leftOut';
import { chosenAmong, matchesOf, unknownNames, type Matches } from './matches';
import { cutOff, cutPeople, drawn } from './fit';
import { readValue } from './prefillValue';
import {
	emailsOf,
	firstSigner,
	recipientOf,
	usedRecipients,
	type UsedRecipient,
} from './recipients';
import { MOST_COLUMNS, RunColumns } from './runColumns';

/** What the user entered to fill a template in. */
export type FillInputs = Values<
	ReturnType<typeof fillTemplate> & {
		ifExternalIdExists: typeof ifExternalIdExistsOrDiffers;
		send: typeof send;
	} & typeof useByNumberFields
> & { additionalFields: Added<{ mayBeLeftOut: typeof mayBeLeftOut }> };

/** A template that is filled in and checked, with nothing created yet. */
export interface FilledTemplate extends Omit<NewDocument, 'content' | 'create' | 'describe'> {
	title: string;
	/** The IDs of the recipients who may be left out, whether or not they are. */
	mayBeLeftOut: ReadonlySet<number>;
	/** What the item says of recipients; the rest is as in the template. */
	given: ReadonlySet<RecipientColumn>;
	content: Content;
}

/** What `/envelope/use` and `/template/use` both take, among other settings (documenso-api.md: Using a template). */
interface Content {
	externalId: string;
	recipients: UsedRecipient[];
	prefillFields: Array<{ id: number; type: string; value: FieldValue }>;
	override: IDataObject;
}

/** The template as it is filled in for an item, and as it is in this run. */
export async function filledFor(template: Template, given: FillInputs, item: Item) {
	const filled = fill(await RunColumns.of(template, item), given, item);
	return { filled, inRun: filledInRun(filled, template, item) };
}

/** Fills the template in with what the user entered. Throws one Refusal for all faults together. */
function fill(run: RunColumns, given: FillInputs, item: Item): FilledTemplate {
	const { send: isToBeSent } = given;
	const { title: titleBefore, ...added } = given.additionalFields;
	const additionalFields = { ...added, title: given.title ?? titleBefore };
	const columns = givenBy(given.columns, item);
	const { site } = item.client;
	const { allowPlaceholders, readsDayNumbers, prefillJson = {} } = additionalFields;
	throwIfTooMany('Columns', run.tooMany.get(columns.values));
	throwIfTooMany('Prefill (JSON)', Object.keys(prefillJson).length);
	const all = matchesOf(run, columns, prefillJson);
	throwIfEmptyRow({ matches: all, settings: additionalFields });
	const reduced = leaveOut(run, all, additionalFields.mayBeLeftOut);
	const { template, matches, leftOut } = reduced;
	const people = usedRecipients(template, matches, { site, isToBeSent, allowPlaceholders });
	const dates = { timezone: item.context.getTimezone(), readsDayNumbers };
	const fields = prefilledFields(matches, dates, template);
	const document = ofDocument(matches, additionalFields);
	const settings = sortSettings(additionalFields);
	const meta = metaOf(settings, template);
	const emailing = emailingOf({ ...template.documentMeta, ...meta });
	const blanks = checkBlanks({ run, matches, leftOut, settings: additionalFields, item });
	const faults = [
		...reduced.faults,
		...(isToBeSent ? unsendable(reduced, site) : []),
		...(isToBeSent ? sharedOrders(template, people.recipients, emailing) : []),
		...(isToBeSent ? stillLocked(template, fields) : []),
		...unknownNames(matches, run.template),
		...people.faults,
		...fields.faults,
		...document.faults,
		...maskedAddresses(matches, document.title),
		...blanks.faults,
	];
	if (faults.length > 0) throw Refusal.of(withAdvice(onePerColumn(faults)));
	const { recipients } = people;
	for (const { email } of recipients) {
		if (hasOddDots(email)) item.execution.hints.add(ODD_DOTS, email, 'warning');
	}
	const { chosenId, title: ownTitle } = document;
	const signer = additionalFields.signerInTitle ? firstSigner(template, recipients) : undefined;
	const title = signer ? cutTitle(`${ownTitle ?? template.title}, ${signer}`) : ownTitle;

	const externalId = externalIdOf(item, chosenId, template.externalId);
	const nobody = peopleIn(run.template, leftOut);
	return {
		title: title ?? template.title,
		given: people.given,
		mayBeLeftOut: recipientIdsOf(run.template, additionalFields.mayBeLeftOut ?? []),
		content: {
			externalId: externalId.value,
			recipients: [...recipients, ...[...leftOut.values()].map(inDraftOnly)],
			prefillFields: fields.prefillFields,
			...settings.content,
			...(additionalFields.folderId ? { folderId: additionalFields.folderId } : {}),
			override: { ...(title ? { title } : {}), ...meta },
		},
		emails: emailsOf(template, recipients),
		emailing,
		leftOut: nobody,
		...chosenFor(externalId, given.ifExternalIdExists, additionalFields),
		sending: isToBeSent ? 'whileCreating' : 'no',
		remarks: {
			leftOut: nobody.map(({ name }) => name),
			unasked: peopleIn(run.template, unasked(run, all, leftOut)).map(({ name }) => name),
			blank: blanks.left,
			unmatched: blanks.unmatched,
			nameless: people.nameless,
			...fields.remarks,
			cut: [...fields.remarks.cut, ...cutPeople(template, recipients)],
		},
	};
}

/** Documenso keeps who is not named, and somebody real might get a draft that is sent by hand. */
function inDraftOnly({ recipient }: RecipientColumn) {
	return recipientOf({ ...recipient, email: leftOutAddress(recipient.id) });
}

/** Those whom the template would send it to, and whom nobody has thought of. */
function unasked(run: RunColumns, { columns }: Matches, leftOut: LeftOut): LeftOut {
	const hasAddress = ({ recipient }: RecipientColumn) => !isPlaceholder(recipient.email);
	const isAsked = (email: RecipientColumn) =>
		run.columns.has(email) || columns.some(({ recipients }) => recipients.includes(email));
	return new Map([...leftOut].filter(([, email]) => hasAddress(email) && !isAsked(email)));
}

function peopleIn({ people }: Template, leftOut: LeftOut) {
	const their = people.all.filter(({ recipient: { id } }) => leftOut.has(id));
	return their.map(({ name, recipient: { role } }) => ({ name, role }));
}

function throwIfTooMany(column: string, length = 0) {
	if (length <= MOST_COLUMNS) return;
	const fault = `are ${length}; at most ${MOST_COLUMNS} are read`;
	const advice =
		'Leave out what the template does not need before this step, for example with an Edit Fields node.';
	throw Refusal.about(column, fault, advice);
}

/** In a test, it names all recipients, because Documenso keeps the others. */
function filledInRun(filled: FilledTemplate, template: Template, item: Item): FilledTemplate {
	if (item.execution.testAddress === undefined) return filled;
	const { content } = filled;
	const { title, externalId, recipients } = asInRun(item, {
		...{ title: filled.title, externalId: filled.externalId },
		recipients: template.recipients.map(
			(one) => content.recipients.find(({ id }) => id === one.id) ?? recipientOf(one),
		),
	});
	const kept = recipients.filter((one) => !isLeftOut(one));
	return {
		...filled,
		...{ title, externalId, emails: kept.map(({ email }) => email) },
		content: {
			...content,
			...{ externalId: externalId.value, recipients },
			override: { ...content.override, title },
		},
	};
}

/** What is wrong with a value explains why its field would stay blank. */
function onePerColumn(faults: Fault[]): Fault[] {
	const known = new Map<string, Fault>();
	for (const fault of faults) if (!known.has(fault.column)) known.set(fault.column, fault);
	return [...known.values()];
}

/** Most faults need no advice: they already say what to do. */
function withAdvice(faults: Fault[]): Fault[] {
	const isAdvised = faults.some(({ advice }) => advice !== undefined);
	return isAdvised ? faults : faults.map((fault) => ({ ...fault, advice: CORRECT_DATA }));
}

const CORRECT_DATA = 'Correct the data of the item, or what is entered in the node for it.';

/** The External ID and the title that the columns give, unless a setting gives them. */
function ofDocument(
	{ columns }: Matches,
	settings: Pick<FillInputs['additionalFields'], 'externalId' | 'title'>,
) {
	const { chosen, faults } = chosenAmong(
		// An ID that a Documenso node before this one made up belongs to that node's document.
		columns.filter(
			({ document, value }) =>
				document.length > 0 && !(typeof value === 'string' && isMadeUp(value)),
		),
		'document',
	);
	const textOf = (column: Column): string | undefined => {
		const given = chosen.get(column);
		if (!given) return undefined;
		const { data, error } = documentText.safeParse(given.value);
		if (error) faults.push({ column: given.name, fault: faultIn(error) });
		return data;
	};
	const chosenId = settings.externalId ?? textOf(EXTERNAL_ID);
	const title = settings.title ?? textOf(DOCUMENT_TITLE);
	return { chosenId, title, faults };
}

/** What the service takes as the title or external ID of a document. */
const documentText = textUpTo(255);

/** A model that was shown a masked address may write it into a contract. */
function maskedAddresses({ columns, prefill }: Matches, title?: string): Fault[] {
	const used = [...columns, ...prefill].filter(({ places }) => places.length > 0);
	const texts = [...used, { name: 'Title', value: title }];
	return texts.flatMap(({ name: column, value }) => {
		if (typeof value !== 'string' || !MASKED_ADDRESS.test(value.slice(0, LONGEST_READ))) return [];
		return [{ column, fault: `holds a masked address: "${value.slice(0, SHOWN_LENGTH)}"` }];
	});
}

/** Characters: a model writes less, and a stranger may send more than can be searched in time. */
const LONGEST_READ = 1_000_000;
/** An error shows at most so much of a value. */
const SHOWN_LENGTH = 100;

/** Why a document made from the template could not be sent, or not be signed to its end. */
function unsendable({ template, leftOut }: Reduced, site: string): Fault[] {
	const { recipients, title, obstacles } = template;
	if (recipients.length === 0 && leftOut.size === 0) {
		const fault = `cannot be sent: "${title}" has no recipients`;
		return [{ column: 'Template', fault, advice: 'Add them to the template in Documenso.' }];
	}
	const known = recipients.filter(({ email }) => !isPlaceholder(email));
	const parties = known.map((one) => ({ ...one, fields: [] }));
	const lost = unreachable({ parties }, { isEmailed: true, site });
	return [...obstacles, ...lost].map((one) => faultFor(title, one));
}

/** A row may give its recipients another order. */
function sharedOrders(template: Template, used: UsedRecipient[], emailing: Emailing): Fault[] {
	const ofRow = new Map(used.map((one) => [one.id, one]));
	const parties = template.recipients.map((one) => ({ ...one, ...ofRow.get(one.id), fields: [] }));
	const shared = sharedTurns({ parties, ...emailing });
	const isChanged = ({ part, recipient }: RecipientColumn) => {
		const order = ofRow.get(recipient.id)?.signingOrder ?? recipient.signingOrder;
		return part === 'signingOrder' && order !== recipient.signingOrder;
	};
	return shared.map((one) => {
		const { id, signingOrder } = one.party;
		const changed = template.recipientColumns.all.filter(isChanged);
		const column =
			changed.find(({ recipient }) => recipient.id === id) ??
			changed.find(({ recipient }) => ofRow.get(recipient.id)?.signingOrder === signingOrder);
		const fault = faultFor(template.title, one);
		if (!column) return fault;
		const said = `gives two people one turn: ${nameOf(one.party)} ${one.problem}`;
		return { ...fault, column: column.name, fault: said };
	});
}

function faultFor(title: string, { kind, party, problem, advice }: Obstacle): Fault {
	return {
		column: 'Template',
		fault: `cannot be sent: in "${title}", ${nameOf(party)} ${problem}`,
		advice: kind === 'noSignature' ? `${IN_TEMPLATE} ${AS_DRAFT}` : `${advice} ${AS_DRAFT}`,
	};
}

const IN_TEMPLATE = 'Add a field of type Signature for them in Documenso.';
const AS_DRAFT =
	"To make a draft nevertheless, use 'Template: Create Document' with 'Send Now' turned off.";

/** What must be filled in, and can be filled in only here. */
function stillLocked(
	template: Template,
	{ given, unticked }: { given: ReadonlySet<FieldColumn>; unticked: ReadonlySet<FieldColumn> },
): Fault[] {
	const isBlank = (column: FieldColumn) => {
		const { field } = column;
		return unticked.has(column)
			? isLocked({ ...field, fieldMeta: { ...field.fieldMeta, values: [] } })
			: !given.has(column) && isLocked(field);
	};
	return template.fieldColumns.all.filter(isBlank).map(({ name }) => ({
		column: name,
		fault: 'is required and read only in the template, but has no value',
		advice: 'Give it one, or turn off Read Only for the field: nobody else could fill it in.',
	}));
}

/** The values in the form that the service takes, each checked against its field of the template. */
function prefilledFields({ columns, prefill }: Matches, dates: DateReading, template: Template) {
	const fromColumns = chosenAmong(columns, 'fields');
	const fromPrefill = chosenAmong(prefill, 'fields');
	const faults = [...fromColumns.faults, ...fromPrefill.faults];
	const chosen = new Map([...fromColumns.chosen, ...fromPrefill.chosen]);
	const prefillFields: Content['prefillFields'] = [];
	const unticked = new Set<FieldColumn>();
	const erasable: string[] = [];
	const withTime: string[] = [];
	const dayNumbers: string[] = [];
	const cut: Cut[] = [];
	for (const [column, { name, value: given }] of chosen) {
		const { field } = column;
		const read = readValue(field, given, dates);
		if ('fault' in read) {
			faults.push({ column: name, fault: read.fault });
			continue;
		}
		const { value } = read;
		if (value.length === 0) unticked.add(column);
		if (!isReadOnly(field)) erasable.push(column.name);
		if (read.hasTime) withTime.push(name);
		if (read.mayBeDay) dayNumbers.push(name);
		const shown = cutOff(field, drawn(template, field, value));
		if (shown) cut.push({ name, ...shown });
		const { id, type } = field;
		prefillFields.push({ id, type: type.toLowerCase(), ...keptFromTemplate(field), value });
	}
	const remarks = { erasable, withTime, dayNumbers, cut };
	return { given: new Set(chosen.keys()), unticked, prefillFields, remarks, faults };
}

/** The service would erase them from the document if they were left out (documenso-api.md: Prefilled values). */
function keptFromTemplate({ type, fieldMeta }: EnvelopeField) {
	if (type === 'DATE') return {};
	const placeholder = type === 'TEXT' || type === 'NUMBER' ? fieldMeta?.placeholder : undefined;
	return {
		...(fieldMeta?.label ? { label: fieldMeta.label } : {}),
		...(placeholder ? { placeholder } : {}),
	};
}
