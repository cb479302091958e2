import { hasRejected, hasSigned } from '../api/lifecycle';
import type { Document } from './document';
import type { SeenRecipient } from './state';
import type { Step } from './steps';

type Recipient = Document['recipients'][number];

/** What is stored of a recipient as a list shows them. */
export function seenOf(recipient: Recipient): SeenRecipient {
	return {
		email: recipient.email,
		id: recipient.id,
		hasOpened: hasOpened(recipient),
		hasSigned: hasSigned(recipient),
		expiredAt: recipient.expirationNotifiedAt ?? null,
	};
}

/** Something that a recipient did, or did not do in time. */
interface RecipientStep {
	steps: readonly Step[];
	recipient: Recipient;
	/** ISO 8601; undefined if Documenso keeps no date of it. */
	date?: string;
	/** All recipients as they were when it had just happened, with what the event and the filters depend on. */
	recipients: Recipient[];
}

const NOT_SIGNED = { signingStatus: 'NOT_SIGNED', signedAt: null };

/** What recipients do: how a list shows it, how it looked before, and what is still ahead of the recipient then. */
const KINDS = [
	{
		steps: ['DOCUMENT_OPENED'],
		isDone: (now: Recipient, before?: SeenRecipient) => hasOpened(now) && !before?.hasOpened,
		// Opening has no date, but comes before signing.
		dateOf: ({ signedAt }: Recipient) => signedAt,
		undone: { readStatus: 'NOT_OPENED' },
		ahead: NOT_SIGNED,
	},
	{
		steps: ['DOCUMENT_RECIPIENT_COMPLETED', 'DOCUMENT_SIGNED'],
		isDone: (now: Recipient, before?: SeenRecipient) => hasSigned(now) && !before?.hasSigned,
		dateOf: ({ signedAt }: Recipient) => signedAt,
		undone: NOT_SIGNED,
		ahead: {},
	},
	{
		steps: ['RECIPIENT_EXPIRED'],
		isDone: ({ expirationNotifiedAt: at }: Recipient, before?: SeenRecipient) =>
			Boolean(at) && at !== before?.expiredAt,
		dateOf: ({ expirationNotifiedAt }: Recipient) => expirationNotifiedAt,
		undone: { expirationNotifiedAt: null },
		ahead: NOT_SIGNED,
	},
] as const;

/** What recipients have done since they were as `before`; without it, the document is new. */
export function recipientSteps(
	before: readonly SeenRecipient[] | undefined,
	{ recipients }: Document,
): RecipientStep[] {
	const known = new Map(before?.map((one) => [one.id, one]));
	return KINDS.flatMap(({ steps, isDone, dateOf, undone, ahead }) => {
		const done = recipients
			.filter((recipient) => isDone(recipient, known.get(recipient.id)))
			.sort((a, b) => timeOrLast(dateOf(a)) - timeOrLast(dateOf(b)));
		return done.map((recipient, index) => {
			const later = done.slice(index + 1);
			const then = (one: Recipient) => {
				if (one === recipient) return { ...one, ...ahead };
				// Nobody does anything after a rejection.
				if (hasRejected(one)) return { ...one, ...NOT_SIGNED };
				return later.includes(one) ? { ...one, ...undone } : one;
			};
			return {
				steps,
				recipient,
				date: dateOf(recipient) ?? undefined,
				recipients: recipients.map(then),
			};
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

function hasOpened({ readStatus }: Recipient): boolean {
	return readStatus === 'OPENED';
}
