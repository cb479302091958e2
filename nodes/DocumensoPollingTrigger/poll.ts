import type { Client } from '../Documenso/api/client';
import { everywhere } from '../Documenso/envelope/folders';
import { compare, due, horizon } from './comparison';
import { createdAt } from './document';
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

/** The state after the first poll, which reports nothing that already exists. */
export async function begin(client: Client): Promise<State> {
	const began = Date.now();
	const places = await everywhere(client, 'DOCUMENT');
	const now = began + client.clockSkew;
	const since = horizon(await firstOf(client, places), now);
	const { account } = client;
	const state: State = { account, since, next: since, open: new Map(), finished: new Map() };
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
	return state;
}
