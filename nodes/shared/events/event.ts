import { createHash } from 'node:crypto';

import { acts, hasRejected, hasSigned } from '../api/lifecycle';
import type { Subject, SubjectRecipient } from './subject';

/** Something that happened to a document or template: a delivery brings it, or a poll or a check finds it. */
export interface DocumensoEvent {
	/** For example `DOCUMENT_COMPLETED`. */
	name: string;
	/** The same in each delivery of it and each poll that finds it, as far as `eventIdOf` can tell. */
	eventId: string;
	/** The latest time at which it can have happened (milliseconds since the epoch). */
	at: number;
	/** As it was when this had just happened. The name, the ID and the filters are about that. */
	asItWas: Subject;
	/** As it is now, which is what workflows get. Undefined if it is gone: then `asItWas` is what was stored of it. */
	now?: Subject;
	/** The recipient who caused it, if one did and it can be told who. */
	by?: SubjectRecipient;
}

/** Whether an event is about a template itself; TEMPLATE_USED is about the document that was made. */
export function isAboutTemplate(name: string): boolean {
	return name.startsWith('TEMPLATE_') && name !== 'TEMPLATE_USED';
}

/**
 * The name of something that can happen once: the same in each delivery of it and each poll that finds it. Recipients are
 * counted, not named: how many had opened the document tells which opening it is, also where nothing tells who opened it.
 * Undefined for what can happen again without a trace in the document: reminders and events of templates.
 */
export function eventIdOf(
	name: string,
	{ id, status, deletedAt, recipients }: Subject,
): string | undefined {
	const named = (...parts: Array<string | number>) => digestOf([name, id, ...parts]);
	switch (name) {
		case 'DOCUMENT_CREATED':
		case 'DOCUMENT_SENT':
		case 'DOCUMENT_COMPLETED':
		case 'DOCUMENT_REJECTED':
			return named();
		case 'DOCUMENT_CANCELLED':
			// A cancelled document can be deleted as well, and each is this event.
			if (status === 'CANCELLED' && deletedAt) return named('deleted');
			return named(OPEN.includes(status) ? 'open' : status);
		case 'DOCUMENT_OPENED':
			return named(recipients.filter(({ readStatus }) => readStatus === 'OPENED').length);
		case 'DOCUMENT_RECIPIENT_COMPLETED':
		case 'DOCUMENT_SIGNED':
			return named(recipients.filter(hasSigned).length);
		case 'RECIPIENT_EXPIRED': {
			// Whose link has expired may get another deadline, which may pass, too.
			const expired = recipients.filter(({ expirationNotifiedAt }) => expirationNotifiedAt);
			return named(expired.length, ...expired.map(({ expiresAt }) => expiresAt ?? '').sort());
		}
		default:
			return undefined;
	}
}

const OPEN = ['DRAFT', 'PENDING'];

/** A text of fixed length that stands for a value. */
export function digestOf(value: unknown): string {
	return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}

/**
 * The recipient who caused an event. Documenso lists all recipients and marks none (documenso-api.md: Delivery
 * payloads), so they are compared. Undefined if that leaves a doubt, or if a user of Documenso caused the event.
 */
export function causedBy(name: string, { recipients }: Subject): SubjectRecipient | undefined {
	switch (name) {
		case 'DOCUMENT_OPENED':
			// Opening has no date. Recipients who have also acted opened it earlier.
			return only(
				recipients.filter(({ readStatus, signedAt }) => readStatus === 'OPENED' && !signedAt),
			);
		case 'DOCUMENT_RECIPIENT_COMPLETED':
		case 'DOCUMENT_SIGNED':
		case 'DOCUMENT_COMPLETED':
			return latest(recipients.filter(acts), ({ signedAt }) => signedAt);
		case 'DOCUMENT_REJECTED':
			return only(recipients.filter(hasRejected));
		case 'RECIPIENT_EXPIRED':
			return latest(recipients, ({ expirationNotifiedAt }) => expirationNotifiedAt);
		default:
			return undefined;
	}
}

function only<Thing>(things: Thing[]): Thing | undefined {
	return things.length === 1 ? things[0] : undefined;
}

/** Undefined if two share the latest date. */
function latest(
	recipients: SubjectRecipient[],
	dateOf: (recipient: SubjectRecipient) => string | null | undefined,
): SubjectRecipient | undefined {
	const times = recipients.map((recipient) => Date.parse(dateOf(recipient) ?? ''));
	const last = Math.max(...times.filter((time) => !Number.isNaN(time)));
	return only(recipients.filter((_, index) => times[index] === last));
}
