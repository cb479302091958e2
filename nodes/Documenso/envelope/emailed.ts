import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { envelopeSchema, type EnvelopeRecipient } from '../../shared/api/envelope';
import type { Emailing } from '../../shared/envelope/whoCanSign';
import type { Execution } from '../../shared/n8n/execution';
import type { Item } from '../../shared/n8n/item';

const withAddresses = z.array(z.object({ email: z.string() }));

/** Keeps to whom Documenso emails a document that was sent, now or when it is their turn. */
export function keepEmailed(execution: Execution, recipients: unknown, { isInvited }: Emailing) {
	if (!isInvited) {
		execution.hints.say(NOT_INVITED);
		return;
	}
	for (const { email } of withAddresses.safeParse(recipients).data ?? []) {
		if (email !== '') execution.emailed.add(email);
	}
}

const NOT_INVITED =
	"Documenso asks nobody to sign by email, because the document's 'Delivery' is 'By Yourself', or this email is turned off. Pass on the signing links yourself: 'Options > Include Signing Links' gives them.";

const judged = envelopeSchema.pick({ status: true, recipients: true, documentMeta: true });
type Before = IDataObject | z.infer<typeof judged>;

/** What a test reads to say whom a change emails. What cannot be read is no failure of the change. */
export async function readInTest({ client, execution }: Item, id: string): Promise<IDataObject> {
	return execution.isTest ? await client.envelope(id).catch(() => ({})) : {};
}

/** Of a document that was sent before, those whom a new sending emails: nobody a second time. */
export function notAskedBefore(before: IDataObject): EnvelopeRecipient[] | undefined {
	const { data } = judged.safeParse(before);
	if (data?.status !== 'PENDING') return undefined;
	return data.recipients.filter(({ sendStatus }) => sendStatus !== 'SENT');
}

/**
 * Keeps whom Documenso tells by email that a document has ended: those whom it has asked to sign, and who rejects it
 * (documenso-api.md: Emails about an end).
 */
export function keepTold(execution: Execution, before: Before, rejecting?: number) {
	const { isOn, recipients } = readBefore(before);
	for (const recipient of recipients) {
		const { id, signingStatus } = recipient;
		const isTold =
			id === rejecting
				? isOn('recipientSigningRequest')
				: isOn('documentDeleted') && isAsked(recipient) && signingStatus !== 'REJECTED';
		if (isTold) execution.emailed.add(recipient.email);
	}
}

/** Keeps a recipient whom Documenso tells that they were removed from a document. */
export function keepRemoved(execution: Execution, before: Before, id: number) {
	const { isOn, recipients } = readBefore(before);
	const removed = recipients.find((one) => one.id === id && one.sendStatus === 'SENT');
	if (!removed || removed.role === 'CC' || !isOn('recipientRemoved')) return;
	execution.emailed.add(removed.email);
}

/** Those with an address, in a document that is under way. */
function readBefore(before: Before) {
	const { data } = judged.safeParse(before);
	const { distributionMethod, emailSettings } = data?.documentMeta ?? {};
	return {
		isOn: (setting: string) => distributionMethod !== 'NONE' && emailSettings?.[setting] !== false,
		recipients: data?.status === 'PENDING' ? data.recipients.filter(({ email }) => email) : [],
	};
}

function isAsked({ role, sendStatus, readStatus }: EnvelopeRecipient): boolean {
	return role !== 'CC' && (sendStatus === 'SENT' || readStatus === 'OPENED');
}
