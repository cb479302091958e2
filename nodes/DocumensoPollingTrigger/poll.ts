import type { Client } from '../Documenso/api/client';
import { everywhere } from '../Documenso/envelope/folders';
import { MARKER_PREFIX } from '../Documenso/waiting/marker';
import { compare, due, horizon } from './comparison';
import { createdAt, hasExpired } from './document';
import { firstOf, isListingCheaper, listed, listedOpen, readAll } from './reading';
import { remember, type State } from './state';
import { openStatus } from './steps';

/** What has happened since `state`, and the state to continue from; `state` is not changed. */
export async function poll(client: Client, state: State, isTimeUp: () => boolean) {
	const began = Date.now();
	const places = await everywhere(client, 'DOCUMENT');
	const now = began + client.clockSkew;
	const newest = await listed(client, places, state.since);
	const unlisted = [...state.open.keys()].filter((id) => !newest.has(id)).length;
	const open = isListingCheaper(unlisted, places.length) ? await listedOpen(client, places) : [];
	const seen = new Map([...newest, ...open]);
	const read = await readAll(client, due(state, seen), isTimeUp);
	return compare(state, { listed: seen, read, now });
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
		...{ account, since, next: since, open: new Map(), finished: new Map() },
		unreached: [],
	};
	// Twice, because the first round misses a document that moves from an unread list to one that was just read.
	for (let round = 1; round <= 2; round++) {
		const open = await listedOpen(client, places);
		const newest = await listed(client, places, since);
		for (const document of [...open.values(), ...newest.values()]) {
			const status = openStatus(document);
			if (status) state.open.set(document.id, remember(document, status));
			else if (createdAt(document) >= since) {
				state.finished.set(document.id, createdAt(document));
			}
		}
	}
	const waitedFor = await listed(
		client,
		places.map((place) => ({ ...place, query: MARKER_PREFIX })),
	);
	const ended = [...waitedFor.values()].filter((one) => !openStatus(one) || hasExpired(one));
	return { occurrences: [], ended, state };
}
