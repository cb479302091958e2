import type { IDataObject } from 'n8n-workflow';

import { signersWithoutSignature, type EnvelopeField } from '../api/envelope';
import { externalIdOf, isMadeUp, type NewDocument } from '../creation/newDocument';
import { asInRun } from '../creation/testRun';
import type { Values } from '../engine/input';
import { faultIn } from '../engine/inputFaults';
import type { Item } from '../engine/item';
import { Refusal, type Fault } from '../engine/refusal';
import { MASKED_ADDRESS } from '../engine/masking';
import { textUpTo } from '../engine/values';
import { metaOf, sortSettings } from '../envelope/settings';
import type { fillTemplate, send } from '../inputs/fillTemplate';
import { givenBy, type Given } from '../inputs/mapper';
import type { useByNumberFields } from '../inputs/settings';
import { checkBlanks, refuseEmptyRow } from './blanks';
import { matchColumns, refuseUnknown, type Matched } from './columnMatch';
import { DOCUMENT_TITLE, EXTERNAL_ID, type Column, type Template } from './columns';
import type { DateReading } from './dateValue';
import { readValue } from './prefillValue';
import { emailsOf, recipientOf, usedRecipients } from './recipients';

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
	throwIfTooMany(columns, 'Columns');
	throwIfTooMany(prefill, 'Prefill (JSON)');
	refuseEmptyRow(filling);
	const { recipientColumns, fieldColumns, documentColumns } = template;
	const faults = isToBeSent ? unsendable(template) : [];
	refuseUnknown(columns, [recipientColumns, fieldColumns, documentColumns], faults);
	refuseUnknown(prefill, [fieldColumns], faults);
	const { allowPlaceholders } = additionalFields;
	const sendingTo = { isToBeSent, allowPlaceholders };
	const recipients = usedRecipients(template, columns, sendingTo, faults);
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

/** No sheet has more: those of Google end at 18,278. A webhook takes far more, and to compare them takes long. */
const MOST_COLUMNS = 20_000;

function throwIfTooMany({ values }: Given, column: string) {
	const { length } = Object.keys(values);
	if (length <= MOST_COLUMNS) return;
	const fault = `are ${length}; at most ${MOST_COLUMNS} are read`;
	const advice =
		'Leave out what the template does not need before this step, for example with an Edit Fields node.';
	throw Refusal.of([{ column, fault, advice }]);
}

/** The filled template as it is in this run: in a test, it names all recipients, because Documenso keeps the others. */
export function filledInRun(
	filled: FilledTemplate,
	template: Template,
	item: Item,
): FilledTemplate {
	if (item.execution.testAddress === undefined) return filled;
	const { content } = filled;
	// As `fill` has made them.
	const given = content.recipients as Array<ReturnType<typeof recipientOf>>;
	const { title, externalId, recipients } = asInRun(item, {
		...{ title: filled.title, externalId: filled.externalId },
		recipients: template.recipients.map(
			(one) => given.find(({ id }) => id === one.id) ?? recipientOf(one),
		),
	});
	return {
		...filled,
		...{ title, externalId, emails: recipients.map(({ email }) => email) },
		content: {
			...content,
			...{ externalId: externalId.value, recipients },
			override: { ...(content.override as IDataObject), title },
		},
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
