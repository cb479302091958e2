import { isOwn } from '../envelope/teams';
import type { DocumensoEvent } from '../events/event';
import { FINAL_EVENTS } from '../events/nudge';
import { createdAt, hasExpiredLink, openStatus, type Document } from './document';
import { eventOf, eventsBetween } from './events';
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

/** What has happened since `state`, earliest first, and the state to continue from. With an empty state, each document counts as older than it. */
export function compare(state: State, seen: Observation) {
	const { listed, read, now } = seen;
	const unread = [...listed.values()].filter(({ id }) => !read.has(id));
	const ofRead = [...read.keys()].map((id) => outcomeOf(id, state, seen));
	const ofUnread = unread.map((document) => outcomeOfListed(document, state));
	// Lists are newest first. If two things happened at the same time, the older document comes first.
	const happened = [...ofRead, ...ofUnread].reverse().flatMap(({ events = [] }) => events);
	const events = happened.sort((a, b) => a.at - b.at);
	const open = new Map(state.open);
	const finished = new Map(state.finished);
	for (const { id, ...outcome } of [...ofUnread, ...ofRead]) {
		// What a list has just told counts as read.
		if (read.has(id) || outcome.events?.length) open.delete(id);
		if (outcome.open) open.set(id, outcome.open);
		if (outcome.finished !== undefined) finished.set(id, outcome.finished);
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
	if (document) return { ...followed(document, known), events: eventsBetween(known, document) };
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
	const isOurs = isOwn(document, state.teams);
	if (!known) {
		// Missed by the first poll, or hidden for a while: only what happens from now on is reported.
		return isOurs && !isNew(state, document) ? followed(document) : { id };
	}
	// Otherwise it has yet to be read.
	if (openStatus(document, known.status) !== known.status) return { id };
	return { ...followed(document, known), events: isOurs ? eventsBetween(known, document) : [] };
}

function followed(document: Document, known?: OpenDocument): Outcome {
	const { id } = document;
	const status = openStatus(document, known?.status);
	return status ? { id, open: remember(document, status) } : { id, finished: createdAt(document) };
}

/** The documents for which no execution may need to wait any longer. */
function ended(events: DocumensoEvent[], { open }: State, { listed, read }: Observation) {
	const finished = events.filter(({ name }) => FINAL_EVENTS.includes(name));
	const seen = [...listed.values(), ...read.values()].flatMap((document) => document ?? []);
	// Of a known document, it is an event.
	const expired = seen.filter((document) => !open.has(document.id) && hasExpiredLink(document));
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
