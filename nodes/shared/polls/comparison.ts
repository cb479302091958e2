import { isOwn } from '../envelope/teams';
import { causedBy, eventIdOf, type DocumensoEvent } from '../events/event';
import { FINAL_EVENTS } from '../events/nudge';
import type { Subject } from '../events/subject';
import {
	createdAt,
	hasExpiredLink,
	openStatus,
	STEPS,
	stepsSince,
	timeOf,
	type Document,
	type Step,
} from './document';
import { recipientSteps, untouched } from './recipients';
import { recall, remember, type OpenDocument, type State } from './state';

/** How long after its date a document may appear on a list: it is still being stored, or clocks differ. */
const OVERLAP_MS = 10 * 60_000;

interface Observation {
	/** By ID: everything created since the state's `since`, and whatever else the lists contain. */
	listed: Map<string, Document>;
	/** By ID: the documents that were read; undefined if one is gone, or a stranger's. */
	read: Map<string, Document | undefined>;
	/** Documenso's time when the poll began. */
	now: number;
}

/** What happens before recipients can do anything. */
const BEGINNINGS: readonly Step[] = ['DOCUMENT_CREATED', 'DOCUMENT_SENT'];

/** What has happened to a document since it was as `before`, in order. Without that, it is new. */
export function eventsBetween(before: OpenDocument | undefined, now: Document): DocumensoEvent[] {
	const atFirst = { ...now, status: 'DRAFT', recipients: untouched(now.recipients) };
	const ofDocument = stepsSince(before?.status, now);
	const event = (step: Step) =>
		eventOf(step, timeOf(step, now), BEGINNINGS.includes(step) ? atFirst : now, now);
	const ofRecipients = recipientSteps(before?.recipients, now).map(
		({ step, at, by, recipients }) => ({ ...eventOf(step, at, { ...now, recipients }, now), by }),
	);
	const place = ({ name }: DocumensoEvent) => STEPS.findIndex((step) => step === name);
	ofRecipients.sort((a, b) => a.at - b.at || place(a) - place(b));
	const events = ofDocument.map(event);
	events.splice(ofDocument.filter((step) => BEGINNINGS.includes(step)).length, 0, ...ofRecipients);
	// Times are the latest possible, and nothing happened after what followed it.
	events.reduceRight((last, one) => (one.at = Math.min(one.at, last)), Infinity);
	return events;
}

function eventOf(step: Step, at: number, asItWas: Subject, now?: Document): DocumensoEvent {
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

/** IDs of the documents to read: those that are new or changed on the lists, those not listed, and last what may be a stranger's. */
export function due(state: State, listed: Map<string, Document>): string[] {
	const [ours, others]: [string[], string[]] = [[], []];
	for (const document of listed.values()) {
		const known = state.open.get(document.id);
		const isWanted = known
			? openStatus(document, known.status) !== known.status
			: isNew(state, document);
		const isOurs = known !== undefined || isOwn(document, state.teams);
		if (isWanted) (isOurs ? ours : others).push(document.id);
	}
	const unlisted = [...state.open.keys()].filter((id) => !listed.has(id));
	return [...ours, ...unlisted, ...others];
}

function isNew({ since, finished }: State, document: Document): boolean {
	return createdAt(document) >= since && !finished.has(document.id);
}

/** What has happened since `state`, earliest first, and the state to continue from. */
export function compare(state: State, seen: Observation) {
	const { listed, read, now } = seen;
	const unread = [...listed.values()].filter(({ id }) => !read.has(id));
	const ofRead = [...read.keys()].map((id) => outcomeOf(id, state, seen));
	const ofUnread = unread.map((document) => outcomeOfListed(document, state));
	// Lists are newest first. If two things happened at the same time, the older document comes first.
	const happened = [...ofRead, ...ofUnread].reverse().flatMap(({ events = [] }) => events);
	const events = happened.sort((a, b) => a.at - b.at);
	const open = new Map([...state.open].filter(([id]) => !read.has(id)));
	const finished = new Map(state.finished);
	for (const outcome of [...ofUnread, ...ofRead]) {
		// What a list has just told counts as read.
		if (outcome.events?.length) open.delete(outcome.id);
		if (outcome.open) open.set(outcome.id, outcome.open);
		if (outcome.finished !== undefined) finished.set(outcome.id, outcome.finished);
	}
	const isAllRead = unread.every((one) => state.open.has(one.id) || !isNew(state, one));
	const [since, next] = isAllRead
		? [state.next, Math.max(state.next, horizon(listed.values(), now))]
		: [state.since, state.next];
	const kept = [...finished].filter(([id, created]) => created >= since && !open.has(id));
	const after: State = { ...state, since, next, open, finished: new Map(kept) };
	return { events, ended: ended(events, state, seen), state: after };
}

/** What a poll makes of a document. */
interface Outcome {
	id: string;
	events?: DocumensoEvent[];
	/** What is remembered of it while it is open. */
	open?: OpenDocument;
	/** When it was created, once nothing more is expected of it. */
	finished?: number;
}

function outcomeOf(id: string, state: State, { listed, read, now }: Observation): Outcome {
	const known = state.open.get(id);
	const found = listed.get(id);
	// One of ours that is on a list counts as existing, even if it could not be read; otherwise the next poll notices.
	const document = read.get(id) ?? (found && isOwn(found, state.teams) ? found : undefined);
	if (document) {
		const events = eventsBetween(known, document);
		const status = openStatus(document, known?.status);
		if (status) return { id, events, open: remember(document, status) };
		return { id, events, finished: createdAt(document) };
	}
	// A stranger's document. An earlier version may have counted it as one of ours.
	if (found && known) return { id, open: known };
	if (found && createdAt(found) >= now - OVERLAP_MS) return { id };
	if (found) return { id, finished: createdAt(found) };
	if (!known) return { id };
	// A deletion has no date.
	const deletion = eventOf('DOCUMENT_CANCELLED', now, recall(id, known));
	return { id, events: [deletion], finished: known.createdAt };
}

/** The same of one that was not read, because its list tells everything: what recipients did. */
function outcomeOfListed(document: Document, state: State): Outcome {
	const { id } = document;
	const known = state.open.get(id);
	const status = openStatus(document, known?.status);
	const isOurs = isOwn(document, state.teams);
	if (known) {
		// Otherwise it has yet to be read.
		if (status !== known.status) return { id };
		const events = isOurs ? eventsBetween(known, document) : [];
		return { id, events, open: remember(document, status) };
	}
	// Missed by the first poll, or hidden for a while: only what happens from now on is reported.
	const isMissed = status && isOurs && !isNew(state, document);
	return isMissed ? { id, open: remember(document, status) } : { id };
}

/** The documents for which no execution may need to wait any longer. */
function ended(events: DocumensoEvent[], { open }: State, { listed, read }: Observation) {
	const finished = events.filter(({ name }) => FINAL_EVENTS.includes(name));
	const current = [...listed.values(), ...read.values()].flatMap((document) => document ?? []);
	const expired = current.filter((document) => {
		const known = open.get(document.id);
		return hasExpiredLink(document) && !(known && hasExpiredLink(recall(document.id, known)));
	});
	return [...finished.map(({ asItWas }) => asItWas), ...expired];
}

/**
 * The date from which on documents may still appear. It follows the documents' own dates, because clocks differ, but is
 * never in the future: that would hide everything created until then. Without documents it is 0.
 */
export function horizon(documents: Iterable<Document>, now: number): number {
	let newest = 0;
	for (const document of documents) newest = Math.max(newest, createdAt(document));
	return Math.max(0, Math.min(newest, now) - OVERLAP_MS);
}
