import type { IWebhookFunctions } from 'n8n-workflow';
import { z } from 'zod';

import { clock } from '../shared/api/clock';
import { HttpClient } from '../shared/api/client';
import type { Credential } from '../shared/api/exchange';
import { messageOf } from '../shared/api/failure';
import { thisProcess } from '../shared/n8n/process';
import { forgetOldest } from './deduplicate';
import type { Delivery } from './parse';

/** How long a delivery may wait for the document, in milliseconds. Documenso gives up on a delivery after ten seconds. */
const TIMEOUT_MS = 3_000;

/** For how long an address is believed, and for how long one is not asked for again that was not found, in milliseconds. */
const KNOWN_MS = 3_600_000;
const UNKNOWN_MS = 60_000;

const MOST_TEAMS = 1_000;

const withTeam = z.object({ team: z.object({ id: z.number(), url: z.string() }).nullish() });

/**
 * The URL of an event's team, which deliveries lack: the first delivery of a team asks for its document. It never fails;
 * without the URL, the output has no link to the document.
 */
export async function teamUrlOf(
	context: IWebhookFunctions,
	{ credential, site }: { credential: Credential; site: string },
	{ event, isTest }: Delivery,
): Promise<string | undefined> {
	const { id, teamId } = event.asItWas;
	const key = `${site} ${teamId}`;
	const { teamUrls } = thisProcess;
	const known = teamUrls.get(key);
	if (known && clock.uptime() < known.until) return await known.url;
	// The document of a test does not exist.
	if (isTest || typeof teamId !== 'number') return undefined;
	const entry = {
		until: clock.uptime() + KNOWN_MS,
		url: read(context, credential, { id, teamId }),
	};
	teamUrls.set(key, entry);
	forgetOldest(teamUrls, MOST_TEAMS);
	const url = await entry.url;
	if (url === undefined) entry.until = clock.uptime() + UNKNOWN_MS;
	return url;
}

async function read(
	context: IWebhookFunctions,
	credential: Credential,
	{ id, teamId }: { id: string; teamId: number },
): Promise<string | undefined> {
	try {
		const deadline = clock.timeout(TIMEOUT_MS);
		const client = await HttpClient.of(context, { credential, deadline });
		const { team } = await client.envelope(id, withTeam);
		if (team?.id === teamId) return team.url;
	} catch (error) {
		context.logger.warn(`The output has no link to ${id}: ${messageOf(error)}`);
	}
	return undefined;
}
