import type { IDataObject, INodeExecutionData, IWebhookFunctions } from 'n8n-workflow';

import { linksOf, simplifyEvent, withoutTokens } from '../events/output';
import type { Enrichment } from './enrich';
import type { Lookup } from './lookup';
import type { Delivery } from './parse';
import type { Settings } from './settings';
import { teamUrlIn, teamUrlOf } from './teams';

/** The item that starts the execution. */
export async function emit(
	context: IWebhookFunctions,
	lookup: Lookup,
	delivery: Delivery,
	settings: Settings,
	{ json, binary }: Enrichment,
): Promise<INodeExecutionData> {
	const event = settings.simple
		? await simplified(context, lookup, delivery, settings)
		: raw(delivery, settings);
	return {
		json: { ...event, ...json },
		...(Object.keys(binary).length > 0 ? { binary } : {}),
	};
}

async function simplified(
	context: IWebhookFunctions,
	lookup: Lookup,
	{ id, event, isTest, body }: Delivery,
	{ withSigningLinks }: Settings,
): Promise<IDataObject> {
	const { client } = lookup;
	const teamUrl =
		teamUrlIn(await lookup.documentIfRead()) ?? teamUrlOf(context, client.site, event.subject);
	const links = linksOf(client, teamUrl, withSigningLinks);
	const { event: name, ...rest } = simplifyEvent(event, links);
	return { event: name, eventId: id, isTest, deliveredAt: body.createdAt ?? null, ...rest };
}

/** Without the address that it was sent to, which may contain the key of a subscription. */
function raw({ id, isTest, body }: Delivery, { withSigningLinks }: Settings): IDataObject {
	const { webhookEndpoint: _address, ...rest } = body;
	const payload = body.payload as IDataObject;
	return {
		...rest,
		payload: withSigningLinks ? payload : withoutTokens(payload),
		eventId: id,
		isTest,
	};
}
