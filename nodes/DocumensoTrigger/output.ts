import type { IDataObject, INodeExecutionData, IWebhookFunctions } from 'n8n-workflow';

import { linksOf, simplifyEvent, withoutTokens } from '../Documenso/events/output';
import { Client } from '../Documenso/api/client';
import type { TriggerCredential } from './credential';
import type { Delivery } from './delivery';
import { enrich } from './enrichment';
import { isAutomatic, type Settings } from './settings';
import { teamUrlFor, type Connect } from './teamUrl';
import { isConfirmed } from './verification';

/** The item that an execution begins with; nothing when Documenso does not bear the delivery out. */
export async function outputOf(
	context: IWebhookFunctions,
	credential: TriggerCredential,
	delivery: Delivery,
	settings: Settings,
): Promise<INodeExecutionData | undefined> {
	const { parts, fetchingTime: budget, withSigningLinks: withTokens } = settings;
	const deadline = AbortSignal.timeout(budget * 1000);
	const connect: Connect = async (until) =>
		await Client.of(context, { deadline: until, credential });
	const client = await connect(deadline);
	if (isAutomatic(context) && !(await isConfirmed(context, client, delivery))) return undefined;
	const [json, more] = await Promise.all([
		settings.simple
			? simplified(connect, client, delivery, settings, deadline)
			: raw(delivery, settings),
		enrich(context, client, delivery, { parts, withTokens, budget, deadline }),
	]);
	const { binary } = more;
	return {
		json: { ...json, ...more.json },
		...(Object.keys(binary).length > 0 ? { binary } : {}),
	};
}

async function simplified(
	connect: Connect,
	client: Client,
	{ id, event, isTest, body }: Delivery,
	{ withSigningLinks }: Settings,
	deadline: AbortSignal,
): Promise<IDataObject> {
	const teamUrl = isTest ? undefined : await teamUrlFor(connect, event.subject, deadline);
	const links = linksOf(client, teamUrl, withSigningLinks);
	const { event: name, ...rest } = simplifyEvent(event, links);
	return { event: name, eventId: id, isTest, deliveredAt: body.createdAt ?? null, ...rest };
}

/** Without the address that it was sent to, for that may have the key of a subscription in it. */
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
