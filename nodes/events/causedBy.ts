import { actors, type DocumensoEvent, type SubjectRecipient } from './subject';

/**
 * The recipient who caused an event. Documenso lists all recipients and marks none (documenso-api.md: Delivery
 * payloads), so they are compared. Undefined if that leaves a doubt, or if a user of Documenso caused the event.
 */
export function causedBy({ name, subject }: DocumensoEvent): SubjectRecipient | undefined {
	const { recipients } = subject;
	switch (name) {
		case 'DOCUMENT_OPENED':
			// Opening has no date. Recipients who have also acted opened it earlier.
			return only(
				recipients.filter(({ readStatus, signedAt }) => readStatus === 'OPENED' && !signedAt),
			);
		case 'DOCUMENT_RECIPIENT_COMPLETED':
		case 'DOCUMENT_SIGNED':
		case 'DOCUMENT_COMPLETED':
			return latest(actors(recipients), ({ signedAt }) => signedAt);
		case 'DOCUMENT_REJECTED':
			return only(recipients.filter(({ signingStatus }) => signingStatus === 'REJECTED'));
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
