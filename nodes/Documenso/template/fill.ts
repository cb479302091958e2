import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import {
	isSequential,
	signersWithoutSignature,
	type EnvelopeField,
	type EnvelopeRecipient,
} from '../api/envelope';
import { externalIdOf, isMadeUp } from '../creation/externalId';
import type { NewDocument } from '../creation/newDocument';
import type { Values } from '../engine/input';
import { faultIn } from '../engine/inputFaults';
import type { Item } from '../engine/item';
import { Refusal, type Fault } from '../engine/refusal';
import { email, MASKED_ADDRESS, textUpTo, wholeNumber } from '../engine/values';
import { comparable, nameOf } from '../envelope/labels';
import { metaOf, sortSettings } from '../envelope/settings';
import type { fillTemplate, send } from '../inputs/fillTemplate';
import { givenBy, type Given } from '../inputs/mapper';
import type { useByNumberFields } from '../inputs/settings';
import { checkBlanks, refuseEmptyRow } from './blanks';
import { matchColumns, refuseUnknown, type Matched } from './columnMatch';
import {
	DOCUMENT_TITLE,
	EXTERNAL_ID,
	isPlaceholder,
	type Column,
	type RecipientColumn,
	type Template,
} from './columns';
import type { DateReading } from './dateValue';
import { readValue } from './prefillValue';

/** What the user entered to fill a template in. */
export type FillInputs = Values<
	ReturnType<typeof fillTemplate> & {
		send: typeof send;
		additionalFields: typeof useByNumberFields;
	}
>;

/** A template that is filled in and checked, with nothing created yet. */
export interface FilledTemplate extends Omit<NewDocument, 'create' | 'describe'> {
	title: string;
	/** What `/envelope/use` and `/template/use` both take (documenso-api.md: Using a template). */
	content: IDataObject;
}

/** Fills the template in with what the user entered. Throws one Refusal for all faults together. */
export function fill(template: Template, given: FillInputs, item: Item): FilledTemplate {
	const { send: isToBeSent, additionalFields } = given;
	const columns = givenBy(given.columns, item);
	const prefill = { isAutomatic: false, values: additionalFields.prefillJson ?? {} };
	const filling = { template, columns, prefill, settings: additionalFields, item };
	refuseEmptyRow(filling);
	const { recipientColumns, fieldColumns, documentColumns } = template;
	const faults = isToBeSent ? unsendable(template) : [];
	refuseUnknown(columns, [recipientColumns, fieldColumns, documentColumns], faults);
	refuseUnknown(prefill, [fieldColumns], faults);
	const recipients = usedRecipients(template, columns, given, faults);
	const dates = {
		timezone: item.context.getTimezone(),
		readsDayNumbers: additionalFields.readsDayNumbers,
	};
	const prefillFields = prefilledFields(template, [columns, prefill], dates, faults);
	const ofDocument = matchColumns(withoutOwnIds(columns), documentColumns, faults);
	const chosenId = additionalFields.externalId ?? givenText(ofDocument, EXTERNAL_ID, faults);
	const title = additionalFields.title ?? givenText(ofDocument, DOCUMENT_TITLE, faults);
	refuseMasked(
		[columns, prefill, { isAutomatic: false, values: { Title: title } }],
		template,
		faults,
	);
	const leftBlank = checkBlanks(filling, faults);
	if (faults.length > 0) throw Refusal.of(withAdvice(faults));

	const externalId = externalIdOf(item, chosenId, template.externalId);
	const ifExternalIdExists = additionalFields.ifExternalIdExists ?? 'create';
	const sending = isToBeSent ? 'whileCreating' : 'no';
	return {
		title: title ?? template.title,
		content: {
			externalId: externalId.value,
			recipients,
			prefillFields,
			...settingsOf(template, { ...additionalFields, title }),
		},
		emails: emailsOf(template, recipients),
		externalId,
		folderId: additionalFields.folderId,
		ifExternalIdExists,
		ifSendingFails: additionalFields.ifSendingFails ?? 'keep',
		sending,
		leftBlank,
	};
}

/** Most faults need no advice: they already say what to do. */
function withAdvice(faults: Fault[]): Fault[] {
	const isAdvised = faults.some(({ advice }) => advice !== undefined);
	return isAdvised ? faults : faults.map((fault) => ({ ...fault, advice: CORRECT_DATA }));
}

const CORRECT_DATA = 'Correct the data of the item, or what is entered in the node for it.';

function settingsOf(template: Template, given: FillInputs['additionalFields']): IDataObject {
	const { title, folderId } = given;
	const settings = sortSettings(given);
	return {
		...settings.content,
		...(folderId ? { folderId } : {}),
		override: {
			...(title ? { title } : {}),
			...metaOf(settings, template),
		},
	};
}

/** An ID that a Documenso node before this one made up belongs to that node's document. */
function withoutOwnIds({ values, ...rest }: Given): Given {
	const isOwn = (value: unknown) => typeof value === 'string' && isMadeUp(value);
	const others = Object.entries(values).filter(([, value]) => !isOwn(value));
	return { ...rest, values: Object.fromEntries(others) };
}

/** A model that was shown a masked address may write it into a contract. */
function refuseMasked(given: Given[], template: Template, faults: Fault[]) {
	const { recipientColumns, fieldColumns } = template;
	const isUsed = (column: string) =>
		column === 'Title' ||
		[recipientColumns, fieldColumns].some((one) => one.calledOrWithId(column).length > 0);
	const known = new Set(faults.map(({ column }) => column));
	for (const [column, value] of given.flatMap(({ values }) => Object.entries(values))) {
		if (typeof value !== 'string' || !MASKED_ADDRESS.test(value)) continue;
		if (known.has(column) || !isUsed(column)) continue;
		faults.push({ column, fault: `holds a masked address: "${value.slice(0, SHOWN_LENGTH)}"` });
	}
}

/** An error shows at most so much of a value. */
const SHOWN_LENGTH = 100;

/** What the service takes as the title or external ID of a document. */
const documentText = textUpTo(255);

function givenText(
	matched: Map<Column, Matched>,
	column: Column,
	faults: Fault[],
): string | undefined {
	const match = matched.get(column);
	if (!match) return undefined;
	const { data, error } = documentText.safeParse(match.value);
	if (error) faults.push({ column: match.name, fault: faultIn(error) });
	return data;
}

/** Why Documenso would not send a document made from the template. */
function unsendable(template: Template): Fault[] {
	const { recipients, title } = template;
	if (recipients.length === 0) {
		const fault = `cannot be sent: "${title}" has no recipients`;
		return [{ column: 'Template', fault, advice: 'Add them to the template in Documenso.' }];
	}
	const signers = signersWithoutSignature(template);
	if (signers.length === 0) return [];
	return [
		{
			column: 'Template',
			fault: `cannot be sent: in "${title}", these signers have no signature field: ${signers.join(', ')}`,
			advice:
				"Add one in Documenso, or make a draft: 'Template: Create Document' with 'Send Now' turned off.",
		},
	];
}

/** The recipients that the user gave something for; the template's others stay as they are. */
function usedRecipients(template: Template, people: Given, given: FillInputs, faults: Fault[]) {
	const { recipientColumns } = template;
	const matched = matchColumns(people, recipientColumns, faults);
	return template.recipients.flatMap((recipient) => {
		const columns = recipientColumns.all.filter((column) => column.recipient === recipient);
		const parts = columns.flatMap((column) => {
			const match = matched.get(column);
			return match ? [[column.part, match] as const] : [];
		});
		const missing = missingEmail(recipient, columns, parts, people, given);
		if (missing) faults.push(missing);
		if (missing || parts.length === 0) return [];
		return usedRecipient(template, recipient, parts, faults);
	});
}

/** The known addresses of all recipients. */
function emailsOf(template: Template, used: Array<{ id: number; email: string }>): string[] {
	const kept = template.recipients.filter(({ id }) => !used.some((one) => one.id === id));
	return [...used, ...kept].map(({ email }) => email).filter((email) => !isPlaceholder(email));
}

/** An error lists at most this many columns. */
const LISTED_COLUMNS = 30;

function namesOf({ values }: Given): string {
	const names = Object.keys(values);
	const more = names.length > LISTED_COLUMNS ? ', …' : '';
	return names.slice(0, LISTED_COLUMNS).join(', ') + more || 'none';
}

type Parts = Array<readonly [RecipientColumn['part'], Matched]>;

function missingEmail(
	recipient: EnvelopeRecipient,
	columns: RecipientColumn[],
	parts: Parts,
	people: Given,
	{ send: isToBeSent, additionalFields: { allowPlaceholders } }: FillInputs,
): Fault | undefined {
	if (!isPlaceholder(recipient.email)) return undefined;
	// A document for an address that Documenso has made up would go to nobody.
	if (allowPlaceholders && !(isToBeSent && recipient.email !== '')) return undefined;
	if (parts.some(([part]) => part === 'email')) return undefined;
	const name = columns.find(({ part }) => part === 'email')?.name ?? '';
	const isEmpty = Object.keys(people.values).some((one) => comparable(one) === comparable(name));
	const has =
		people.isAutomatic && !isEmpty ? `. The item has the columns: ${namesOf(people)}` : '';
	return {
		column: name,
		fault: `is ${isEmpty ? 'empty' : 'missing'}: the template has nobody yet for "${nameOf(recipient)} (${recipient.role})"`,
		advice: `Fill it in${has}. To create a draft without this address, use 'Template: Create Document' with 'Send Now' turned off and 'Allow Placeholder Recipients' under 'Additional Fields' turned on.`,
	};
}

/** What the user may give for a recipient; the order 0 stands for the template's own. */
const templateRecipient = z.object({
	email,
	name: textUpTo(255),
	signingOrder: wholeNumber(0).transform((order) => order || undefined),
});

/** A recipient as the service takes it for a new document (documenso-api.md: Using a template). */
function usedRecipient(
	template: Template,
	{ id, email, name, signingOrder }: EnvelopeRecipient,
	parts: Parts,
	faults: Fault[],
) {
	const used: Partial<z.infer<typeof templateRecipient>> = {};
	for (const [part, { name: column, value }] of parts) {
		const read = templateRecipient.shape[part].safeParse(value);
		if (!read.success) {
			faults.push({ column, fault: faultIn(read.error) });
		} else if (part === 'signingOrder' && read.data !== undefined && !isSequential(template)) {
			faults.push({ column, fault: NO_ORDER, advice: NO_ORDER_ADVICE });
		}
		Object.assign(used, { [part]: read.data });
	}
	return recipientOf({
		id,
		email: used.email ?? email,
		name: used.name ?? name,
		signingOrder: used.signingOrder ?? signingOrder,
	});
}

/** Without a name the service would empty the template's. */
export function recipientOf({ id, email: address, name, signingOrder }: UsedRecipient) {
	const order = typeof signingOrder === 'number' ? { signingOrder } : {};
	return { id, email: address, name, ...order };
}

type UsedRecipient = Pick<EnvelopeRecipient, 'id' | 'email' | 'name' | 'signingOrder'>;

const NO_ORDER = 'has no effect: the template lets everyone sign at once';
/** The service cannot change that for a document alone (documenso-api.md: Using a template). */
const NO_ORDER_ADVICE =
	'Turn on the signing order of the template in Documenso, or leave the column out.';

/**
 * The values in the form that the service takes, each checked against its field of the template. If a field is given
 * more than once, the last one counts.
 */
function prefilledFields(template: Template, given: Given[], dates: DateReading, faults: Fault[]) {
	const matches = given.flatMap((one) => [...matchColumns(one, template.fieldColumns, faults)]);
	const matched = new Map(matches);
	return [...matched].flatMap(([{ field }, { name, value }]) => {
		const read = readValue(field, value, dates);
		if ('fault' in read) {
			faults.push({ column: name, fault: read.fault });
			return [];
		}
		const { id, type } = field;
		return [{ id, type: type.toLowerCase(), ...keptFromTemplate(field), value: read.value }];
	});
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
