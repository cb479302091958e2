import type { IDataObject, INodeExecutionData, IWebhookFunctions } from 'n8n-workflow';

import { simplifyEvent, withoutTokens } from '../events/output';
import type { Enrichment } from './enrich';
import type { Settings } from './inputs';
import type { Lookup } from './lookup';
import type { Delivery } from './parse';
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
	return {
		event: event.name,
		eventId: id,
		isTest,
		deliveredAt: body.createdAt ?? null,
		...simplifyEvent(client, event, { teamUrl, withSigningLinks }),
	};
}

/** Leaves out the URL of the webhook, which may contain the key of a subscription. */
function raw({ id, isTest, body }: Delivery, { withSigningLinks }: Settings): IDataObject {
	const { webhookEndpoint: _address, ...rest } = body;
	return {
		...(withSigningLinks ? rest : withoutTokens(rest)),
		eventId: id,
		isTest,
	};
}
