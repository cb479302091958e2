import { z } from 'zod';

import type { EnvelopeRecipient } from '../../shared/api/envelope';
import { isSequential } from '../../shared/api/lifecycle';
import { faultIn, specialAdviceIn } from '../../shared/n8n/inputFaults';
import type { Fault } from '../../shared/n8n/refusal';
import {
	email as emailAddress,
	groupedBy,
	listed,
	orderNumber,
	textUpTo,
} from '../../shared/n8n/values';
import { nameOf } from '../../shared/envelope/labels';
import { addressProblem, isPlaceholder } from '../../shared/envelope/whoCanSign';
import type { RecipientColumn, Template } from './columns';
import { chosenAmong, type Chosen, type Matches } from './matches';

/** What decides whether a recipient may have no address yet. */
interface Sending {
	/** Where people open Documenso. */
	site: string;
	isToBeSent: boolean;
	allowPlaceholders?: boolean;
}

/** The recipients that the user gave something for; the template's others stay as they are. */
export function usedRecipients(template: Template, matches: Matches, given: Sending) {
	const { chosen, faults } = chosenAmong(matches.columns, 'recipients');
	const nameless: string[] = [];
	const columnsOf = groupedBy(template.recipientColumns.all, ({ recipient }) => recipient);
	const recipients = template.recipients.flatMap((recipient) => {
		const columns = columnsOf.get(recipient) ?? [];
		const parts = columns.flatMap((column) => {
			const value = chosen.get(column);
			return value ? [[column.part, value] as const] : [];
		});
		const missing = missingEmail(recipient, columns, parts, matches, given);
		if (missing) faults.push(missing);
		if (missing || parts.length === 0) return [];
		const read = usedRecipient(template, recipient, parts, given);
		faults.push(...read.faults);
		const name = columns.find(({ part }) => part === 'name');
		if (name && read.recipient.name === '') nameless.push(name.name);
		return read.recipient;
	});
	return { recipients, given: new Set(chosen.keys()), nameless, faults };
}

export function emailsOf(template: Template, used: Array<{ id: number; email: string }>): string[] {
	const kept = template.recipients.filter(({ id }) => !used.some((one) => one.id === id));
	return [...used, ...kept].map(({ email }) => email).filter((email) => !isPlaceholder(email));
}

/** The name of whoever signs first, or without one the address. */
export function firstSigner(template: Template, used: UsedRecipient[]): string | undefined {
	const order = ({ signingOrder }: EnvelopeRecipient) => signingOrder ?? Number.MAX_SAFE_INTEGER;
	const [first] = template.recipients
		.filter(({ role }) => role === 'SIGNER')
		.map((one) => ({ ...one, ...used.find(({ id }) => id === one.id) }))
		.sort((a, b) => order(a) - order(b));
	return first && (first.name || first.email);
}

/** An error lists at most this many columns. */
const LISTED_COLUMNS = 30;

type Parts = Array<readonly [RecipientColumn['part'], Chosen]>;

function missingEmail(
	recipient: EnvelopeRecipient,
	columns: RecipientColumn[],
	parts: Parts,
	{ columns: given, isAutomatic }: Matches,
	{ isToBeSent, allowPlaceholders }: Sending,
): Fault | undefined {
	if (!isPlaceholder(recipient.email)) return undefined;
	// A document for an address that Documenso has made up would go to nobody.
	if (allowPlaceholders && !(isToBeSent && recipient.email !== '')) return undefined;
	if (parts.some(([part]) => part === 'email')) return undefined;
	const email = columns.find(({ part }) => part === 'email');
	const isEmpty = given.some(({ recipients }) => recipients.some((one) => one === email));
	const names = given.map(({ name }) => name);
	const columnsHere = listed(names, LISTED_COLUMNS) || 'none';
	const has = isAutomatic && !isEmpty ? `. The item has the columns: ${columnsHere}` : '';
	return {
		column: email?.name ?? '',
		fault: `is ${isEmpty ? 'empty' : 'missing'}: the template has nobody yet for "${nameOf(recipient)} (${recipient.role})"`,
		advice: `Fill it in${has}. If not every document needs this recipient, choose it under 'Additional Fields > Recipients That May Be Left Out'. To create a draft without this address, use 'Template: Create Document' with 'Send Now' turned off and 'Allow Placeholder Recipients' under 'Additional Fields' turned on.`,
	};
}

/** What the user may give for a recipient; the order 0 stands for the template's own. */
const templateRecipient = z.object({
	email: emailAddress,
	name: textUpTo(255),
	signingOrder: orderNumber.transform((order) => order || undefined),
});

/** A recipient as the service takes it for a new document (documenso-api.md: Using a template). */
function usedRecipient(
	template: Template,
	{ id, email, name, signingOrder }: EnvelopeRecipient,
	parts: Parts,
	{ site, isToBeSent }: Sending,
) {
	const faults: Fault[] = [];
	const used: Partial<z.infer<typeof templateRecipient>> = {};
	for (const [part, { name: column, value }] of parts) {
		const read = templateRecipient.shape[part].safeParse(value);
		if (!read.success) {
			faults.push({ column, fault: faultIn(read.error), advice: specialAdviceIn(read.error) });
		} else if (part === 'signingOrder' && read.data !== undefined && !isSequential(template)) {
			faults.push({ column, fault: NO_ORDER, advice: NO_ORDER_ADVICE });
		}
		Object.assign(used, { [part]: read.data });
		if (part !== 'email' || !used.email || (!isToBeSent && isPlaceholder(used.email))) continue;
		const wrong = addressProblem(used.email, { isEmailed: true, site });
		if (wrong) faults.push({ column, fault: wrong.problem, advice: wrong.advice });
	}
	// What a placeholder is called is no person's name.
	const isNew = used.email !== undefined && isPlaceholder(email);
	const recipient = recipientOf({
		id,
		email: used.email ?? email,
		name: used.name ?? (isNew ? '' : name),
		signingOrder: used.signingOrder ?? signingOrder,
	});
	return { recipient, faults };
}

/** Without a name the service would empty the template's. */
export function recipientOf({ id, email: address, name, signingOrder }: UsedRecipient) {
	const order = typeof signingOrder === 'number' ? { signingOrder } : {};
	return { id, email: address, name, ...order };
}

/** A recipient for whom a row has something. */
export type UsedRecipient = Pick<EnvelopeRecipient, 'id' | 'email' | 'name' | 'signingOrder'>;

const NO_ORDER = 'has no effect: the template lets everyone sign at once';
/** The service cannot change that for a document alone (documenso-api.md: Using a template). */
const NO_ORDER_ADVICE =
	'Turn on the signing order of the template in Documenso, or leave the column out.';
