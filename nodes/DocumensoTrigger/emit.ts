import type { IDataObject, INodeExecutionData, IWebhookFunctions } from 'n8n-workflow';

import { HttpClient } from '../Documenso/api/client';
import type { Credential } from '../Documenso/api/exchange';
import { eventIdOf } from '../events/eventId';
import { simplifyEvent, withoutTokens } from '../events/output';
import type { Settings } from './inputs';
import type { Delivery } from './parse';
import { teamUrlOf } from './teams';

/**
 * The item that starts the execution. It has no signing tokens, because n8n stores it: whoever wants links gets them in the
 * execution.
 */
export async function emit(
	context: IWebhookFunctions,
	credential: Credential,
	{ id, event, isTest, body }: Delivery,
	{ simple }: Settings,
): Promise<INodeExecutionData> {
	const origin = {
		eventId: eventIdOf(event) ?? id,
		deliveryId: id,
		foundBy: 'webhook',
		isTest,
	};
	if (!simple) {
		// The URL of the webhook may contain the key of a subscription.
		const { webhookEndpoint: _address, ...rest } = body;
		return { json: { ...withoutTokens(rest), ...origin } };
	}
	const client = await HttpClient.of(context, { credential });
	const teamUrl = teamUrlOf(context, client.site, event.subject);
	const json: IDataObject = {
		event: event.name,
		...origin,
		deliveredAt: body.createdAt ?? null,
		...simplifyEvent(client, event, teamUrl),
	};
	return { json };
}
