import { hasRejected, hasSigned } from '../api/lifecycle';
import { timeOf, type Document, type Step } from './document';
import type { SeenRecipient } from './state';

type Recipient = Document['recipients'][number];

/** What is stored of a recipient as a list shows them. */
export function seenOf(recipient: Recipient): SeenRecipient {
	return {
		email: recipient.email,
		id: recipient.id,
		hasOpened: recipient.readStatus === 'OPENED',
		hasSigned: hasSigned(recipient),
		expiredAt: recipient.expirationNotifiedAt ?? null,
	};
}

const NOT_SIGNED = { signingStatus: 'NOT_SIGNED', signedAt: null };

/** Something that a recipient does, or does not do in time. */
interface Kind {
	steps: Step[];
	/** How a list shows it, and how it looked before. */
	isDone: (now: Recipient, before?: SeenRecipient) => boolean;
	/** ISO 8601; none if Documenso keeps no date of it. */
	dateOf: (recipient: Recipient) => string | null | undefined;
	/** How the recipient looked before it. */
	undone: Partial<Recipient>;
	/** What was still ahead of the recipient then. */
	ahead: Partial<Recipient>;
}

const KINDS: Kind[] = [
	{
		steps: ['DOCUMENT_OPENED'],
		isDone: ({ readStatus }, before) => readStatus === 'OPENED' && !before?.hasOpened,
		// Opening has no date, but comes before signing.
		dateOf: ({ signedAt }) => signedAt,
		undone: { readStatus: 'NOT_OPENED' },
		ahead: NOT_SIGNED,
	},
	{
		steps: ['DOCUMENT_RECIPIENT_COMPLETED', 'DOCUMENT_SIGNED'],
		isDone: (now, before) => hasSigned(now) && !before?.hasSigned,
		dateOf: ({ signedAt }) => signedAt,
		undone: NOT_SIGNED,
		ahead: {},
	},
	{
		steps: ['RECIPIENT_EXPIRED'],
		isDone: ({ expirationNotifiedAt: at }, before) => Boolean(at) && at !== before?.expiredAt,
		dateOf: ({ expirationNotifiedAt }) => expirationNotifiedAt,
		undone: { expirationNotifiedAt: null },
		ahead: NOT_SIGNED,
	},
];

/**
 * What recipients have done since they were as `before`; without it, the document is new. With each step come all recipients
 * as they were when it had just happened, as far as the event and the filters depend on it.
 */
export function recipientSteps(before: readonly SeenRecipient[] | undefined, document: Document) {
	const { recipients } = document;
	const known = new Map(before?.map((one) => [one.id, one]));
	return KINDS.flatMap(({ steps, isDone, dateOf, undone, ahead }) => {
		const done = recipients
			.filter((recipient) => isDone(recipient, known.get(recipient.id)))
			.sort((a, b) => timeOrLast(dateOf(a)) - timeOrLast(dateOf(b)));
		return done.flatMap((by, index) => {
			const later = done.slice(index + 1);
			const then = (one: Recipient): Recipient => {
				if (one === by) return { ...one, ...ahead };
				// Nobody does anything after a rejection.
				if (hasRejected(one)) return { ...one, ...NOT_SIGNED };
				return later.includes(one) ? { ...one, ...undone } : one;
			};
			const date = dateOf(by);
			return steps.map((step) => {
				const at = date ? Date.parse(date) : timeOf(step, document);
				return { step, at, by, recipients: recipients.map(then) };
			});
		});
	});
}

/** The recipients of a document that was just sent, or is not sent yet. */
export function untouched(recipients: Recipient[]): Recipient[] {
	const undone = Object.assign({}, ...KINDS.map((kind) => kind.undone)) as Partial<Recipient>;
	return recipients.map((one) => ({ ...one, ...undone }));
}

/** Whoever has no date comes last. */
function timeOrLast(date: string | null | undefined): number {
	return date ? Date.parse(date) : Number.MAX_SAFE_INTEGER;
}
