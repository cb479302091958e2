import type { IDataObject } from 'n8n-workflow';
import type { z } from 'zod';

import { Refusal, type Fault } from '../engine/refusal';
import type { Given, Params } from '../params';
import type { Safety } from '../schemas/settings';
import { externalIdColumn, templateRecipient, useSchema } from '../schemas/template';
import { isBlank, matchColumns, type Matched } from './columnMatch';
import { comparable, isPlaceholder, nameOf, type RecipientColumn, type Template } from './columns';
import { isSequential, signersWithoutSignature, type EnvelopeRecipient } from '../api/envelope';
import { traceFor, type Trace } from '../envelope/externalId';
import { givenPrefill, prefilledFields } from './prefill';
import { metaOver } from '../envelope/settings';

/** What a document is made with, read from the item alone. */
export interface Filling {
	isSent: boolean;
	settings: ReturnType<typeof useSchema.parse>;
	/** As it was entered, or as it stands in a column. */
	externalId: unknown;
	recipients: Given;
	prefill: Given;
}

/** A document to be made of a template, checked against it, with nothing created yet. */
export interface TemplateUse {
	/** As `/envelope/use` and `/template/use` both take it (contract §1.12). */
	content: IDataObject;
	trace: Trace;
	isSent: boolean;
	safety: Safety;
}

/** Reads nothing from the service, so that bad input costs no request. */
export function fillingOf(params: Params): Filling {
	const isSent = params.boolean('send');
	// Hidden, and without a value, while nothing is to be sent.
	const delivery = isSent ? params.string('delivery') : 'template';
	const given = params.collection('additionalFields', useSchema);
	const meta =
		delivery === 'template' ? given.meta : { ...given.meta, distributionMethod: delivery };
	const recipients = params.columns('templateRecipients');
	const prefill = givenPrefill(params);
	const externalId = given.data.externalId ?? externalIdIn(recipients) ?? externalIdIn(prefill);
	return { isSent, settings: { ...given, meta }, externalId, recipients, prefill };
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

/** Fills the template in. Throws one error for all that does not fit. */
export function useOf(params: Params, template: Template, filling: Filling): TemplateUse {
	const { isSent, settings } = filling;
	const { title, folderId } = settings.data;
	const faults: Fault[] = [];
	if (isSent) faults.push(...unsendable(template));
	const recipients = usedRecipients(template, filling, faults);
	const prefillFields = prefilledFields(params, template, filling.prefill, faults);
	const externalId = externalIdOf(filling, faults);
	if (faults.length > 0) throw Refusal.of(faults);

	const emails = emailsOf(template, recipients);
	const inherited = template.externalId;
	const trace = traceFor(params, { externalId, inherited, folderId, emails });
	const content = {
		externalId: trace.externalId,
		distributeDocument: isSent,
		recipients,
		prefillFields,
		...(folderId ? { folderId } : {}),
		...(settings.content as IDataObject),
		override: { ...(title ? { title } : {}), ...metaOver(template, settings) },
	};
	return { content, trace, isSent, safety: settings };
}

function externalIdOf({ externalId: given }: Filling, faults: Fault[]): string | undefined {
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

/** Of everyone who is to get the document, as far as they are known. */
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
	{ isSent, settings: { allowPlaceholders }, recipients: given }: Filling,
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

/** One of the template's recipients as the service takes it for a new document (contract §1.12). */
interface UsedRecipient extends IDataObject {
	id: number;
	email: string;
	name: string;
	signingOrder?: number;
}

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
/** The service cannot change that for a document alone (contract §1.12). */
const NO_ORDER_ADVICE =
	'Switch the signing order on in the template in Documenso, or leave the column out.';
