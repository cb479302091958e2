import { clock } from '../api/clock';
import { PAGE_SIZE, type Client } from '../api/client';
import { everywhere } from '../envelope/folders';
import { MARKER_PREFIX } from '../envelope/marker';
import { BATCH_SIZE } from '../envelope/read';
import { isOwn, samplesOf, teamsOf } from '../envelope/teams';
import type { DocumensoEvent } from '../events/event';
import { isSelected, type Selection } from '../events/filters';
import { compare, due, horizon } from './comparison';
import { createdAt, FINAL_STEPS, hasExpiredLink, openStatus, STEPS, type Step } from './document';
import { eventsBetween, eventsSince } from './events';
import { Reading, withStatus } from './reading';
import type { State } from './state';

/** What has happened since `state`, and the state to continue from; `state` is not changed. */
export async function poll(reading: Reading, state: State, isTimeUp: () => boolean) {
	const began = clock.now();
	const places = await everywhere(reading.client, 'DOCUMENT');
	const now = began + reading.client.clockSkew;
	const newest = await reading.lists(places, state.since);
	const unlisted = [...state.open.keys()].filter((id) => !newest.has(id)).length;
	const isDue = Math.abs(now - state.listedAt) >= LISTED_EVERY_MS;
	// The lists of a place are of drafts and of sent ones.
	const isCheaper = 2 * places.length + unlisted / PAGE_SIZE < unlisted / BATCH_SIZE;
	const isListing = isDue || isCheaper;
	const open = isListing ? await reading.open(places) : [];
	const listed = new Map([...newest, ...open]);
	const read = await reading.byIds(due(state, listed), isTimeUp);
	const teams = new Set([...state.teams, ...teamsOf(read)]);
	const before = { ...state, teams, listedAt: isListing ? now : state.listedAt };
	return compare(before, { listed, read, now });
}

/** How often all open documents are listed, in milliseconds: one that was hidden for a while is known again then. */
const LISTED_EVERY_MS = 24 * 60 * 60_000;

/** How exact Documenso's clock is known, in milliseconds: its answers tell the second. */
const CLOCK_MS = 1_000;

/**
 * The first look. It reports only what has happened since the workflow was published, as far as lists tell when, and finds
 * the documents that finished while nothing in n8n noticed, although an execution waits for them.
 */
export async function begin(reading: Reading, publishedAt = Infinity) {
	const { client } = reading;
	const began = clock.now();
	const pages = await reading.firstPages(await everywhere(client, 'DOCUMENT'));
	const now = began + client.clockSkew;
	const newest = pages.flatMap(({ data }) => data);
	const since = horizon(newest, now);
	const further = pages.filter(({ isWhole }) => !isWhole);
	const long = further.map(({ place }) => place);
	const fresh = further
		.filter(({ data }) => data.every((one) => createdAt(one) >= since))
		.map(({ place }) => place);
	const withMarkers = long.map((place) => ({ ...place, query: MARKER_PREFIX }));
	const listed = new Map([
		...newest.map((one) => [one.id, one] as const),
		...(await reading.open(long)),
		// Twice: if one is moved meanwhile, or one leaves the list and another joins it, a page may miss one for good.
		...(await reading.open(long)),
		...(await reading.lists(fresh, since)),
		...(await reading.lists(withMarkers)),
	]);
	// The teams that the token reaches, as far as their documents tell.
	const teams = new Set(teamsOf(await reading.byIds(samplesOf([...listed.values()]))));
	const times = { since: Infinity, next: since, listedAt: now };
	const { account } = client;
	const nothing = { account, teams, ...times, open: new Map(), finished: new Map(), unreached: [] };
	const { state } = compare(nothing, { listed, read: new Map(), now });
	const own = [...listed.values()].filter((one) => isOwn(one, teams));
	const after = publishedAt + client.clockSkew + CLOCK_MS;
	const events = own.flatMap((one) => eventsSince(after, one));
	const marked = own.filter(({ externalId }) => externalId?.includes(MARKER_PREFIX));
	const ended = marked.filter((one) => !openStatus(one) || hasExpiredLink(one));
	return { events: events.sort((a, b) => a.at - b.at), ended, state };
}

/** For a test in the editor: a recent document for each selected event, if there is one. */
export async function examples(client: Client, selection: Selection): Promise<DocumensoEvent[]> {
	const reading = new Reading(client);
	const found: DocumensoEvent[] = [];
	for (const step of STEPS.filter((name) => selection.events.includes(name))) {
		found.push(...(await exampleOf(reading, step, selection)));
	}
	const read = await reading.byIds(found.map(({ asItWas }) => asItWas.id));
	return found.map((event) => ({ ...event, now: read.get(event.asItWas.id) ?? event.now }));
}

async function exampleOf(
	reading: Reading,
	step: Step,
	selection: Selection,
): Promise<DocumensoEvent[]> {
	const places = await everywhere(reading.client, 'DOCUMENT');
	// A step that leaves no final status may have happened to any document.
	const [status] = [...FINAL_STEPS].find(([, final]) => final === step) ?? [];
	for (const list of status ? withStatus(status, places) : places) {
		const { data } = await reading.page(list, 1);
		const example = data
			.flatMap((document) => eventsBetween(undefined, document).reverse())
			.find((event) => event.name === step && isSelected(event, selection));
		if (example) return [example];
	}
	return [];
}
