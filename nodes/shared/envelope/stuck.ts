import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { envelopeSchema } from '../api/envelope';
import { acts, hasExpired, hasToAct, openRecipients } from '../api/lifecycle';
import { isPlaceholder, whoIs } from './whoCanSign';

const recipient = envelopeSchema.shape.recipients.element
	.pick({ email: true, name: true, role: true, signingStatus: true, expiresAt: true })
	.extend({ signedAt: z.coerce.date().nullish() });

const document = z.object({
	status: z.string(),
	updatedAt: z.coerce.date(),
	recipients: z.array(recipient),
});

type Document = z.infer<typeof document>;

/** Documenso finishes a document within seconds; how long until something must have gone wrong, in milliseconds. */
const SEALING_MS = 15 * 60_000;

/** Why nothing goes on with a document that was sent. */
interface Stuck extends IDataObject {
	reason: 'notFinished' | 'linkExpired' | 'placeholderAddress';
	message: string;
	advice: string;
	/** ISO 8601. */
	since?: string;
}

/** Since when everyone has acted, or somebody has rejected, without Documenso finishing the document. */
export function unfinishedSince(record: IDataObject): Date | undefined {
	const { data } = document.safeParse(record);
	return data && sinceIn(data);
}

function sinceIn({ status, recipients, updatedAt }: Document): Date | undefined {
	if (status !== 'PENDING' || openRecipients({ recipients }).length > 0) return undefined;
	const times = recipients.filter(acts).flatMap(({ signedAt }) => signedAt?.getTime() ?? []);
	return times.length > 0 ? new Date(Math.max(...times)) : updatedAt;
}

/** Undefined while a document goes its way; `now` in milliseconds, by Documenso's clock. */
export function stuckIn(record: IDataObject, now: number): Stuck | undefined {
	const { data } = document.safeParse(record);
	if (data?.status !== 'PENDING') return undefined;
	const since = sinceIn(data);
	if (since) {
		if (!isOverdue(since, now)) return undefined;
		return { reason: 'notFinished', ...unfinished(since), since: since.toISOString() };
	}
	// Who gets the link by hand may have no address; a list does not tell whether that is so.
	const lost = data.recipients.find(
		(one) => hasToAct(one) && one.email !== '' && isPlaceholder(one.email),
	);
	if (lost) {
		return {
			reason: 'placeholderAddress',
			message: `${whoIs(lost) || 'A recipient'} has no real address, so nobody was asked to act`,
			advice: "Enter the address with 'Recipient: Update', and use 'Document: Resend'.",
		};
	}
	const late = data.recipients.filter((one) => hasExpired(one, now));
	const [first] = late;
	if (!first) return undefined;
	return {
		reason: 'linkExpired',
		message: `The signing links of these recipients have expired: ${late.map(whoIs).join(', ')}`,
		advice: "Renew them with 'Document: Resend'.",
		...(first.expiresAt ? { since: first.expiresAt.toISOString() } : {}),
	};
}

/** What to say of a document that Documenso should have finished long ago. */
export function unfinished(since: Date) {
	return {
		message: `Nobody has to act any more since ${since.toISOString()}, but Documenso has not finished the document`,
		advice:
			'Its job for that has probably failed, for example because a required field belongs to somebody who could not fill it in. An administrator of Documenso can seal the document again in the admin panel; or cancel it and send it again.',
	};
}

/** Whether Documenso should have finished a document by now. */
export function isOverdue(since: Date, now: number): boolean {
	return now - since.getTime() >= SEALING_MS;
}
