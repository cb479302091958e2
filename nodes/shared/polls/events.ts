import { hasRejected, hasSigned } from '../api/lifecycle';
import { causedBy, eventIdOf, type DocumensoEvent } from '../events/event';
import type { Subject } from '../events/subject';
import { createdAt, stepsSince, timeOf, type Document, type Step } from './document';
import type { OpenDocument, SeenRecipient } from './state';

type Recipient = Document['recipients'][number];

const NOT_SIGNED = { signingStatus: 'NOT_SIGNED', signedAt: null };

/** A recipient of a document that was just sent, or is not sent yet. */
const UNTOUCHED = { ...NOT_SIGNED, readStatus: 'NOT_OPENED', expirationNotifiedAt: null };

/** What has happened to a document since it was as `before`, in order. Without that, it is new. */
export function eventsBetween(before: OpenDocument | undefined, now: Document): DocumensoEvent[] {
	const recipients = now.recipients.map((one) => ({ ...one, ...UNTOUCHED }));
	const atFirst = { ...now, status: 'DRAFT', recipients };
	const steps = stepsSince(before?.status, now);
	// What happens before recipients can do anything.
	const isBeginning = (step: Step) => step === 'DOCUMENT_CREATED' || step === 'DOCUMENT_SENT';
	const beginnings = steps.filter(isBeginning);
	const ends = steps.filter((step) => !isBeginning(step));
	const events = [
		...beginnings.map((step) => eventOf(step, timeOf(step, now), atFirst, now)),
		...eventsOfRecipients(before?.recipients, now).sort((a, b) => a.at - b.at),
		...ends.map((step) => eventOf(step, timeOf(step, now), now, now)),
	];
	// Times are the latest possible, and nothing happened after what followed it.
	events.reduceRight((last, one) => (one.at = Math.min(one.at, last)), Infinity);
	return events;
}

export function eventOf(step: Step, at: number, asItWas: Subject, now?: Document): DocumensoEvent {
	const eventId = eventIdOf(step, asItWas) ?? '';
	return { name: step, eventId, at, asItWas, now, by: now && causedBy(step, now) };
}

/** Of these, recipients tell when they happened. */
const DATED: readonly string[] = [
	'DOCUMENT_RECIPIENT_COMPLETED',
	'DOCUMENT_SIGNED',
	'RECIPIENT_EXPIRED',
];

/**
 * What has happened to a document since a moment (milliseconds since the epoch), as far as it tells when: of opening and
 * sending, only a new one does.
 */
export function eventsSince(moment: number, document: Document): DocumensoEvent[] {
	const { completedAt, deletedAt } = document;
	const isNew = createdAt(document) >= moment;
	const isDated = ({ name }: DocumensoEvent) => {
		if (name === 'DOCUMENT_OPENED' || name === 'DOCUMENT_SENT') return false;
		return DATED.includes(name) || Boolean(completedAt ?? deletedAt);
	};
	return eventsBetween(undefined, document).filter(
		(one) => one.at >= moment && (isNew || isDated(one)),
	);
}

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

/** In the order in which they happen. */
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
 * What recipients have done since they were as `before`; without it, the document is new. Each event shows all recipients as
 * they were when it had just happened, as far as the event and the filters depend on it.
 */
function eventsOfRecipients(before: SeenRecipient[] | undefined, document: Document) {
	const { recipients } = document;
	const known = new Map(before?.map((one) => [one.id, one]));
	return KINDS.flatMap(({ steps, isDone, dateOf, undone, ahead }) => {
		const done = recipients
			.filter((recipient) => isDone(recipient, known.get(recipient.id)))
			.sort((a, b) => timeOrLast(dateOf(a)) - timeOrLast(dateOf(b)));
		const event = (step: Step, by: Recipient) => {
			const later = done.slice(done.indexOf(by) + 1);
			const then = (one: Recipient): Recipient => {
				if (one === by) return { ...one, ...ahead };
				// Nobody does anything after a rejection.
				if (hasRejected(one)) return { ...one, ...NOT_SIGNED };
				return later.includes(one) ? { ...one, ...undone } : one;
			};
			const date = dateOf(by);
			const at = date ? Date.parse(date) : timeOf(step, document);
			const asItWas = { ...document, recipients: recipients.map(then) };
			return { ...eventOf(step, at, asItWas, document), by };
		};
		return steps.flatMap((step) => done.map((by) => event(step, by)));
	});
}

/** Whoever has no date comes last. */
function timeOrLast(date: string | null | undefined): number {
	return date ? Date.parse(date) : Number.MAX_SAFE_INTEGER;
}
