import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { isSequential, signersWithoutSignature, type EnvelopeRecipient } from '../api/envelope';
import { externalIdOf } from '../envelope/externalId';
import type { NewDocument } from '../envelope/newDocument';
import { metaOver } from '../envelope/settings';
import type { Values } from '../engine/input';
import type { Item } from '../engine/item';
import { Refusal, type Fault } from '../engine/refusal';
import { email, textUpTo, wholeNumber } from '../engine/values';
import type { fillTemplate } from '../inputs/fillTemplate';
import { givenBy } from '../inputs/mapper';
import { sortSettings, type Settings, type useFields } from '../inputs/settings';
import { isBlank, matchColumns, type Given, type Matched } from './columnMatch';
import { comparable, isPlaceholder, nameOf, type RecipientColumn, type Template } from './columns';
import { prefilledFields } from './prefill';

/** What the user entered to fill a template in. */
export type FillInputs = Values<
	ReturnType<typeof fillTemplate> & { additionalFields: typeof useFields }
>;

/** What a document is made with, read from the item alone. */
interface Filling {
	isSent: boolean;
	settings: Settings;
	allowPlaceholders: boolean;
	/** As it was entered, or as it stands in a column. */
	externalId: unknown;
	recipients: Given;
	prefill: Given;
}

/** A template that is filled in and checked, with nothing created yet. */
export interface FilledTemplate extends Pick<
	NewDocument,
	'emails' | 'externalId' | 'folderId' | 'ifExternalIdExists' | 'ifSendingFails' | 'sending'
> {
	/** As `/envelope/use` and `/template/use` both take it (documenso-api.md: Using a template). */
	content: IDataObject;
}

/** Fills the template in with what the user entered. Throws one Refusal for everything that does not fit. */
export function fill(template: Template, given: FillInputs, item: Item): FilledTemplate {
	const filling = fillingOf(given, item);
	const { isSent, settings } = filling;
	const { title, folderId } = settings.data as { title?: string; folderId?: string };
	const faults: Fault[] = [];
	if (isSent) faults.push(...unsendable(template));
	const recipients = usedRecipients(template, filling, faults);
	const timezone = item.context.getTimezone();
	const prefillFields = prefilledFields(template, filling.prefill, timezone, faults);
	const chosenId = chosenIdOf(filling, faults);
	if (faults.length > 0) throw Refusal.of(faults);

	const externalId = externalIdOf(item, chosenId, template.externalId);
	const { ifExternalIdExists = 'create', ifSendingFails = 'keep' } = given.additionalFields;
	return {
		content: {
			externalId: externalId.value,
			distributeDocument: isSent,
			recipients,
			prefillFields,
			...(folderId ? { folderId } : {}),
			...settings.content,
			override: { ...(title ? { title } : {}), ...metaOver(template, settings) },
		},
		emails: emailsOf(template, recipients),
		externalId,
		folderId,
		ifExternalIdExists,
		ifSendingFails,
		sending: isSent ? 'whileCreating' : 'no',
	};
}

function fillingOf(given: FillInputs, item: Item): Filling {
	const { send: isSent, delivery = 'template', additionalFields } = given;
	const { allowPlaceholders = false, ...rest } = additionalFields;
	const sorted = sortSettings(rest);
	const meta =
		delivery === 'template' ? sorted.meta : { ...sorted.meta, distributionMethod: delivery };
	const recipients = givenBy(given.templateRecipients, item);
	const prefill = given.prefillJson
		? { isAutomatic: false, values: given.prefillJson }
		: givenBy(given.prefillFields, item);
	const externalId = sorted.data.externalId ?? externalIdIn(recipients) ?? externalIdIn(prefill);
	const settings = { ...sorted, meta };
	return { isSent, settings, allowPlaceholders, externalId, recipients, prefill };
}

/** A column of this name is taken like all others that are mapped automatically. */
function externalIdIn({ isAutomatic, values }: Given): unknown {
	if (!isAutomatic) return undefined;
	const given = Object.entries(values)
		.filter(([name]) => comparable(name) === 'externalid')
		.map(([, value]) => value)
		.filter((value) => !isBlank(value));
	// The ID that a Documenso node before this one has made up is that node's.
	return given.find((id) => typeof id !== 'string' || !id.startsWith('n8n:'));
}

const externalIdColumn = textUpTo(255).optional();

function chosenIdOf({ externalId: given }: Filling, faults: Fault[]): string | undefined {
	const { data, error } = externalIdColumn.safeParse(given ?? undefined);
	if (error) faults.push({ column: 'External ID', fault: faultIn(error) });
	return data;
}

/** A template that cannot be sent is refused before a document is made of it. */
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
			fault: `cannot be sent: in "${title}", ${signers.join(', ')} must sign but has no signature field`,
			advice: "Add the field to the template in Documenso, or switch 'Send Now' off.",
		},
	];
}

/** The people who take the places of a template's recipients; who is not named keeps theirs. */
function usedRecipients(template: Template, filling: Filling, faults: Fault[]): UsedRecipient[] {
	const { recipientColumns } = template;
	const matched = matchColumns(filling.recipients, recipientColumns, faults);
	return template.recipients.flatMap((recipient) => {
		const columns = recipientColumns.all.filter((column) => column.recipient === recipient);
		const parts = columns.flatMap((column) => {
			const match = matched.get(column);
			return match ? [[column.part, match] as const] : [];
		});
		const missing = missingEmail(recipient, columns, parts, filling);
		if (missing) faults.push(missing);
		if (missing || parts.length === 0) return [];
		return usedRecipient(template, recipient, parts, faults);
	});
}

/** The known addresses of all recipients. */
function emailsOf(template: Template, used: UsedRecipient[]): string[] {
	const kept = template.recipients.filter(({ id }) => !used.some((one) => one.id === id));
	return [...used, ...kept].map(({ email }) => email).filter((email) => !isPlaceholder(email));
}

/** Names of columns that an error can list. */
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
	{ isSent, allowPlaceholders, recipients: given }: Filling,
): Fault | undefined {
	if (!isPlaceholder(recipient.email)) return undefined;
	// A document for an address that Documenso has made up would go to nobody.
	if (allowPlaceholders && !(isSent && recipient.email !== '')) return undefined;
	if (parts.some(([part]) => part === 'email')) return undefined;
	const name = columns.find(({ part }) => part === 'email')?.name ?? '';
	const has = given.isAutomatic ? `; the columns are: ${namesOf(given)}` : '';
	return {
		column: name,
		fault: `is missing: the template has nobody yet for "${nameOf(recipient)} (${recipient.role})"`,
		advice: `Fill it in${has}. To keep a draft without them, switch 'Send Now' off and 'Allow Placeholder Recipients' on under 'Additional Fields'.`,
	};
}

/**
 * One of the template's recipients as the service takes it for a new document
 * (documenso-api.md: Using a template).
 */
interface UsedRecipient extends IDataObject {
	id: number;
	email: string;
	name: string;
	signingOrder?: number;
}

/** What is said of one of a template's recipients; 0 stands for the template's own order. */
const templateRecipient = z.object({
	email,
	name: textUpTo(255),
	signingOrder: wholeNumber(0).transform((order) => order || undefined),
});

function usedRecipient(
	template: Template,
	{ id, email, name, signingOrder }: EnvelopeRecipient,
	parts: Parts,
	faults: Fault[],
): UsedRecipient {
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
	const order = used.signingOrder ?? signingOrder;
	return {
		id,
		email: used.email ?? email,
		// Without a name the service would empty the template's.
		name: used.name ?? name,
		...(typeof order === 'number' ? { signingOrder: order } : {}),
	};
}

function faultIn({ issues }: z.ZodError): string {
	return `cannot be used: ${issues[0]?.message ?? 'unexpected value'}`;
}

const NO_ORDER = 'has no effect: the template lets everyone sign at once';
/** The service cannot change that for a document alone (documenso-api.md: Using a template). */
const NO_ORDER_ADVICE =
	'Switch the signing order on in the template in Documenso, or leave the column out.';
