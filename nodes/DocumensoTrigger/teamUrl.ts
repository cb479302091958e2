import { z } from 'zod';

import { hasStatus } from '../Documenso/api/failure';
import type { Subject } from '../Documenso/events/subject';
import type { Client } from '../Documenso/api/client';
import { path } from '../Documenso/api/path';

/** How long an event waits for it at most, in milliseconds. */
const PATIENCE_MS = 2_000;

/** How long nothing more is asked after a failure, in milliseconds. */
const PAUSE_MS = 600_000;

const envelopeSchema = z.object({ team: z.object({ url: z.string() }) });

/** Makes a client that gives up at the `deadline`. */
export type Connect = (deadline: AbortSignal) => Promise<Client>;

interface Lookup {
	url: Promise<string | undefined>;
	/** Milliseconds since the epoch. */
	at: number;
}

/** By site and team: it hardly ever changes. */
const lookups = new Map<string, Lookup>();

/**
 * The team's part of the address of its pages. Deliveries lack it, so it is asked for once a process, and gone
 * without when Documenso does not say it at once.
 */
export async function teamUrlFor(
	connect: Connect,
	{ envelopeId, teamId }: Subject,
	deadline: AbortSignal,
): Promise<string | undefined> {
	if (teamId === null || teamId === undefined) return undefined;
	const patience = AbortSignal.any([deadline, AbortSignal.timeout(PATIENCE_MS)]);
	const client = await connect(patience);
	const key = `${client.site} ${teamId}`;
	const known = lookups.get(key);
	if (known && ((await known.url) !== undefined || Date.now() - known.at < PAUSE_MS)) {
		return await known.url;
	}
	const lookup = { url: ask(client, envelopeId, key), at: Date.now() };
	lookups.set(key, lookup);
	return await lookup.url;
}

async function ask(client: Client, envelopeId: string, key: string): Promise<string | undefined> {
	try {
		const body = await client.send({ method: 'GET', path: path`/envelope/${envelopeId}` });
		return envelopeSchema.safeParse(body).data?.team.url;
	} catch (error) {
		// The next event is about a document that is still there.
		if (hasStatus(error, 404)) lookups.delete(key);
		return undefined;
	}
}
