import type { INodeExecutionData, IWebhookFunctions } from 'n8n-workflow';
import { z } from 'zod';

import { clock } from '../shared/api/clock';
import { HttpClient, type Client } from '../shared/api/client';
import { numberIn } from '../shared/api/envelope';
import type { Credential } from '../shared/api/exchange';
import { isNotFound, messageOf } from '../shared/api/failure';
import { thisProcess } from '../shared/n8n/process';
import { forgetOldest } from '../shared/n8n/remembered';
import type { DocumensoEvent } from '../shared/events/event';
import { rawDocument, shownRecord, simplifyEvent } from '../shared/events/output';
import type { Settings } from './inputs';
import type { Delivery } from './parse';

/**
 * The item of a delivery, which starts the execution. It has no signing tokens, because n8n stores it: whoever wants links
 * gets them in the execution.
 */
export async function emit(
	context: IWebhookFunctions,
	credential: Credential,
	delivery: Delivery,
	{ simple }: Settings,
	known: { teamUrl?: string },
): Promise<INodeExecutionData> {
	const { id, event, isTest, body } = delivery;
	const origin = { eventId: event.eventId, deliveryId: id, foundBy: 'webhook', isTest };
	if (!simple) {
		// The URL of the webhook may contain the key of a subscription.
		const { webhookEndpoint: _address, ...rest } = body;
		return { json: { ...shownRecord(rest), ...origin } };
	}
	const deadline = clock.timeout(TIMEOUT_MS);
	const client = await HttpClient.of(context, { credential, deadline });
	const teamUrl = known.teamUrl ?? (await teamUrlOf(context, client, delivery));
	const simplified = simplifyEvent(client, event, teamUrl);
	const deliveredAt = body.createdAt ?? null;
	return { json: { event: event.name, ...origin, deliveredAt, ...simplified } };
}

/** The item of an event that a check has found, in the form of a delivery. */
export function itemOf(
	client: Client,
	event: DocumensoEvent,
	{ simple }: Settings,
): INodeExecutionData {
	const { name, eventId, at } = event;
	const origin = { eventId, foundBy: 'check', isTest: false };
	if (simple) {
		const simplified = simplifyEvent(client, event);
		return { json: { event: name, ...origin, deliveredAt: null, ...simplified } };
	}
	const { id: envelopeId, ...rest } = rawDocument(event);
	const id = numberIn(event.asItWas.secondaryId);
	const payload = { ...rest, id, envelopeId, Recipient: rest.recipients };
	const body = { event: name, payload, createdAt: new Date(at).toISOString() };
	return { json: { ...shownRecord(body), ...origin } };
}

/** How long a delivery may wait for the document, in milliseconds. Documenso gives up on a delivery after ten seconds. */
const TIMEOUT_MS = 3_000;

/** For how long an address is believed, and for how long Documenso is not asked again after it failed, in milliseconds. */
const KNOWN_MS = 3_600_000;
const UNKNOWN_MS = 60_000;

const MOST_TEAMS = 1_000;

const withTeam = z.object({ team: z.object({ id: z.number(), url: z.string() }).nullish() });

/**
 * The URL of an event's team, which deliveries lack: the first delivery of a team asks for its document. It never fails;
 * without the URL, the output has no link to the document.
 */
async function teamUrlOf(
	{ logger }: IWebhookFunctions,
	client: Client,
	{ event, isTest }: Delivery,
): Promise<string | undefined> {
	const { id, teamId } = event.asItWas;
	const key = `${client.account} ${teamId}`;
	const { teamUrls } = thisProcess;
	const known = teamUrls.get(key);
	if (known && clock.uptime() < known.until) return await known.url;
	// The document of a test does not exist.
	if (isTest || typeof teamId !== 'number') return undefined;
	const read = async () => {
		try {
			const { team } = await client.envelope(id, withTeam);
			// What is wrong with one document says nothing about the team.
			return team?.id === teamId ? { url: team.url, validMs: KNOWN_MS } : { validMs: 0 };
		} catch (error) {
			logger.warn(`The output has no link to ${id}: ${messageOf(error)}`);
			return { validMs: isNotFound(error) ? 0 : UNKNOWN_MS };
		}
	};
	const answer = read();
	const url = answer.then(async (one) => one.url ?? (await known?.url));
	// Deliveries that come before the answer share it.
	const entry = { until: Infinity, url };
	teamUrls.set(key, entry);
	forgetOldest(teamUrls, MOST_TEAMS);
	entry.until = clock.uptime() + (await answer).validMs;
	return await url;
}
