import { FINAL_EVENTS } from '../events/nudge';
import { createdAt, hasExpired, type Document } from './document';
import { recipientSteps, untouched } from './recipients';
import { recall, remember, type OpenDocument, type State } from './state';
import { openStatus, STEPS, stepsSince, timeOf, type Step } from './steps';

/** How long after its date a document may appear on a list: it is still being stored, or clocks differ. */
const OVERLAP_MS = 10 * 60_000;

/** What a poll has seen. */
interface Observation {
	/** By ID: everything created since the state's `since`, and whatever else the lists contain. */
	listed: Map<string, Document>;
	/** By ID: the documents that were read; undefined if one is gone. */
	read: Map<string, Document | undefined>;
	/** Documenso's time when the poll began. */
	now: number;
}

/** Something that happened to a document. */
export interface Occurrence {
	step: Step;
	document: Document;
	/** Milliseconds since the epoch. */
	time: number;
	/** Whether the document is gone: then `document` holds only what the state has stored. */
	isRecalled: boolean;
	/** The recipients as they were then. */
	recipients: Recipient[];
	/** Who did it; undefined if no recipient did. */
	by?: Recipient;
}

type Recipient = Document['recipients'][number];

/** What happens before recipients can do anything. */
const BEGINNINGS: readonly Step[] = ['DOCUMENT_CREATED', 'DOCUMENT_SENT'];

/** What has happened to a document that exists since it was as `before`, in order. Without that, the document is new. */
export function occurrencesSince(
	before: OpenDocument | undefined,
	document: Document,
): Occurrence[] {
	const here = { document, isRecalled: false };
	const isBeginning = ({ step }: { step: Step }) => BEGINNINGS.includes(step);
	const ofDocument = stepsSince(before?.status, document).map((step) => ({
		...here,
		step,
		time: timeOf(step, document),
		recipients: isBeginning({ step }) ? untouched(document.recipients) : document.recipients,
	}));
	const ofRecipients = recipientSteps(before?.recipients, document).flatMap(
		({ steps, date, recipient, recipients }) =>
			steps.map((step) => ({
				...here,
				step,
				time: date ? Date.parse(date) : timeOf(step, document),
				recipients,
				by: recipient,
			})),
	);
	ofRecipients.sort((a, b) => a.time - b.time || STEPS.indexOf(a.step) - STEPS.indexOf(b.step));
	const found: Occurrence[] = [
		...ofDocument.filter(isBeginning),
		...ofRecipients,
		...ofDocument.filter((one) => !isBeginning(one)),
	];
	// Times are the latest possible, and nothing happened after what followed it.
	for (let last = Infinity, index = found.length - 1; index >= 0; index--) {
		const one = found[index];
		if (one) last = one.time = Math.min(one.time, last);
	}
	return found;
}

/** IDs of the documents to read: those that are new or changed on the lists, then those not listed. */
export function due(state: State, listed: Map<string, Document>): string[] {
	const changed = [...listed.values()].filter((document) => {
		const known = state.open.get(document.id);
		if (known) return openStatus(document, known.status) !== known.status;
		return isNew(state, document);
	});
	const unlisted = [...state.open.keys()].filter((id) => !listed.has(id));
	return [...changed.map(({ id }) => id), ...unlisted];
}

/** The documents of which a list tells everything that has happened: what recipients did. They need not be read. */
export function progressed(state: State, listed: Map<string, Document>): Document[] {
	return [...listed.values()].filter((document) => {
		const known = state.open.get(document.id);
		if (known?.status !== openStatus(document, known?.status)) return false;
		return known !== undefined && recipientSteps(known.recipients, document).length > 0;
	});
}

function isNew({ since, finished }: State, document: Document): boolean {
	return createdAt(document) >= since && !finished.has(document.id);
}

/** What has happened since `state`, earliest first, and the state to continue from. */
export function compare(state: State, seen: Observation) {
	// Lists are newest first. If two things happened at the same time, the older document comes first.
	const ids = [...seen.read.keys()].reverse();
	const occurrences = ids.flatMap((id) => occurrencesOf(id, state, seen));
	return {
		occurrences: occurrences.sort((a, b) => a.time - b.time),
		ended: ended(occurrences, state, seen),
		state: advance(state, seen),
	};
}

/** The documents for which no execution may need to wait any longer. */
function ended(occurrences: Occurrence[], { open }: State, { listed, read }: Observation) {
	const finished = occurrences.filter(({ step }) => FINAL_EVENTS.includes(step));
	const current = [...listed.values(), ...read.values()].flatMap((document) => document ?? []);
	const expired = current.filter(
		(document) => hasExpired(document) && !hadExpired(open.get(document.id)),
	);
	return [...finished.map(({ document }) => document), ...expired];
}

function hadExpired(known: OpenDocument | undefined): boolean {
	return known?.recipients.some(({ hasSigned, expiredAt }) => !hasSigned && expiredAt) ?? false;
}

function occurrencesOf(id: string, state: State, seen: Observation): Occurrence[] {
	const known = state.open.get(id);
	const document = current(id, seen);
	if (document) return occurrencesSince(known, document);
	if (!known) return [];
	// A deletion has no date.
	const gone = { step: 'DOCUMENT_CANCELLED', time: seen.now, isRecalled: true } as const;
	const recalled = recall(id, known);
	return [{ ...gone, document: recalled, recipients: recalled.recipients }];
}

/** Undefined if the document is gone. One that was listed counts as existing; otherwise the next poll notices. */
function current(id: string, { read, listed }: Observation): Document | undefined {
	return read.get(id) ?? listed.get(id);
}

function advance(state: State, seen: Observation): State {
	const { listed, read, now } = seen;
	const open = new Map([...state.open].filter(([id]) => !read.has(id)));
	const finished = new Map(state.finished);
	let isAllRead = true;
	for (const document of listed.values()) {
		const { id } = document;
		if (read.has(id)) continue;
		const known = open.get(id);
		const status = openStatus(document, known?.status);
		if (known) {
			if (status === known.status) open.set(id, remember(document, status));
		} else if (isNew(state, document)) {
			isAllRead = false;
		} else if (status) {
			// Missed by the first poll, or hidden for a while: only what happens from now on is reported.
			open.set(id, remember(document, status));
		}
	}
	for (const id of read.keys()) {
		const known = state.open.get(id);
		const document = current(id, seen);
		const status = document && openStatus(document, known?.status);
		if (status) open.set(id, remember(document, status));
		else if (document) finished.set(id, createdAt(document));
		else if (known) finished.set(id, known.createdAt);
	}
	const [since, next] = isAllRead
		? [state.next, Math.max(state.next, horizon(listed.values(), now))]
		: [state.since, state.next];
	const kept = [...finished].filter(([id, created]) => created >= since && !open.has(id));
	return { ...state, since, next, open, finished: new Map(kept) };
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
