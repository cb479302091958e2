import type { Client } from '../Documenso/api/client';
import { everywhere } from '../Documenso/envelope/folders';
import { MARKER_PREFIX } from '../Documenso/envelope/marker';
import { compare, due, horizon, occurrencesSince, progressed, type Occurrence } from './comparison';
import { createdAt, hasExpired, type Document } from './document';
import {
	firstOf,
	isListingCheaper,
	listSome,
	readByIds,
	readLists,
	readOpen,
	withStatus,
} from './reading';
import { remember, type State } from './state';
import { FINAL_STEPS, openStatus, STEPS, type Step } from './steps';
import { isOwn, samplesOf, teamsOf } from './teams';

/** What has happened since `state`, and the state to continue from; `state` is not changed. */
export async function poll(client: Client, state: State, isTimeUp: () => boolean) {
	const began = Date.now();
	const places = await everywhere(client, 'DOCUMENT');
	const now = began + client.clockSkew;
	const newest = await readLists(client, places, state.since);
	const unlisted = [...state.open.keys()].filter((id) => !newest.has(id)).length;
	const open = isListingCheaper(unlisted, places.length) ? await readOpen(client, places) : [];
	const listed = new Map([...newest, ...open]);
	const before = { ...state, teams: new Set(state.teams) };
	const learn = (teams: number[]) => {
		for (const team of teams) before.teams.add(team);
	};
	// An earlier version did not store the teams of the documents that it knew.
	const isOld = state.teams.size === 0 && state.open.size > 0;
	if (isOld) learn(await teamsIn(client, [...listed.values()]));
	const read = await readByIds(client, due(before, listed), isTimeUp);
	learn(teamsOf(read));
	for (const document of progressed(before, listed)) read.set(document.id, document);
	return compare(before, { listed, read, now });
}

/**
 * The first poll. It reports nothing that already exists, but finds the documents that finished while nothing in n8n
 * noticed, although an execution waits for them.
 */
export async function begin(client: Client) {
	const began = Date.now();
	const places = await everywhere(client, 'DOCUMENT');
	const now = began + client.clockSkew;
	const since = horizon(await firstOf(client, places), now);
	const { account } = client;
	const state: State = {
		...{ account, teams: new Set(), since, next: since, open: new Map(), finished: new Map() },
		unreached: [],
	};
	// Twice, because the first round misses a document that moves from an unread list to one that was just read.
	for (let round = 1; round <= 2; round++) {
		const open = await readOpen(client, places);
		const newest = await readLists(client, places, since);
		const listed = [...open.values(), ...newest.values()];
		for (const team of await teamsIn(client, listed)) state.teams.add(team);
		for (const document of listed.filter((one) => isOwn(one, state.teams))) {
			const status = openStatus(document);
			if (status) state.open.set(document.id, remember(document, status));
			else if (createdAt(document) >= since) {
				state.finished.set(document.id, createdAt(document));
			}
		}
	}
	const waitedFor = await readLists(
		client,
		places.map((place) => ({ ...place, query: MARKER_PREFIX })),
	);
	const ended = [...waitedFor.values()].filter((one) => !openStatus(one) || hasExpired(one));
	return { occurrences: [], ended, state };
}

/** The teams that the token reaches, as far as their documents tell. */
async function teamsIn(client: Client, listed: Document[]): Promise<number[]> {
	return teamsOf(await readByIds(client, samplesOf(listed)));
}

/** For a test in the editor: a recent document for each selected event, if there is one. */
export async function examples(
	client: Client,
	events: string[],
	isWanted: (occurrence: Occurrence) => boolean,
): Promise<Occurrence[]> {
	const found: Occurrence[] = [];
	for (const step of STEPS.filter((name) => events.includes(name))) {
		const example = await exampleOf(client, step, isWanted);
		if (example) found.push(example);
	}
	const ids = found.map(({ document }) => document.id);
	const read = await readByIds(client, ids);
	return found.map((occurrence) => ({
		...occurrence,
		document: read.get(occurrence.document.id) ?? occurrence.document,
	}));
}

async function exampleOf(
	client: Client,
	step: Step,
	isWanted: (occurrence: Occurrence) => boolean,
): Promise<Occurrence | undefined> {
	const places = await everywhere(client, 'DOCUMENT');
	// A step that leaves no final status may have happened to any document.
	const [status] = [...FINAL_STEPS].find(([, final]) => final === step) ?? [];
	for (const list of status ? withStatus(status, places) : places) {
		const example = (await listSome(client, list))
			.flatMap((document) => occurrencesSince(undefined, document).reverse())
			.find((occurrence) => occurrence.step === step && isWanted(occurrence));
		if (example) return example;
	}
	return undefined;
}
