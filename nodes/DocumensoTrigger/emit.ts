import type { INodeExecutionData, IWebhookFunctions } from 'n8n-workflow';

import { HttpClient, type Client } from '../shared/api/client';
import { numberIn } from '../shared/api/envelope';
import type { Credential } from '../shared/api/exchange';
import type { DocumensoEvent } from '../shared/events/event';
import { rawDocument, shownRecord, simplifyEvent } from '../shared/events/output';
import type { Settings } from './inputs';
import type { Delivery } from './parse';
import { teamUrlOf } from './teams';

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
	const client = await HttpClient.of(context, { credential });
	const { account } = client;
	const teamUrl = known.teamUrl ?? (await teamUrlOf(context, { credential, account }, delivery));
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
