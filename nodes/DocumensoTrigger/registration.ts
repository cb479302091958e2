import { randomBytes } from 'node:crypto';

import type { IDataObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { z } from 'zod';

import { Client, post } from '../Documenso/api/client';
import { ApiFailure, hasStatus, isOutcomeUnknown, messageOf } from '../Documenso/api/failure';
import { ANY_EVENT, EVENTS } from '../events/names';
import { secretText, secretsMatch } from './secret';

/** A webhook that was registered with the API token, for one event (documenso-api.md: Registering webhooks). */
interface Subscription extends Wanted {
	id: string;
}

interface Wanted {
	event: string;
	/** Where Documenso delivers to. */
	url: string;
	/** The Documenso that has it. */
	site: string;
}

/** How long publishing or unpublishing a workflow may wait for Documenso, in milliseconds. */
const PATIENCE_MS = 60_000;

const subscriptionSchema = z.object({ id: z.string() });

/** Whether n8n is starting workflows that were published before, instead of publishing one. */
export function isStarting(context: IHookFunctions): boolean {
	return ['init', 'leadershipChange'].includes(context.getActivationMode());
}

/**
 * Whether n8n is starting and the subscriptions that the node needs were made before. Then nothing is done, because
 * Documenso may be down at that moment.
 */
export async function isRegistered(context: IHookFunctions, events: string[]): Promise<boolean> {
	if (!isStarting(context)) return false;
	const { site } = await Client.of(context);
	const stored = subscriptionsIn(context.getWorkflowStaticData('node'));
	return wantedBy(context, events, site).every((one) => stored.some(isLike(one)));
}

/**
 * Subscribes to events. Documenso lists no subscriptions, so existing ones cannot be checked. New ones are made before
 * the old ones are removed, so that no event in between is lost.
 */
export async function register(context: IHookFunctions, events: string[]): Promise<void> {
	const client = await Client.of(context, { deadline: AbortSignal.timeout(PATIENCE_MS) });
	const stored = context.getWorkflowStaticData('node');
	const before = subscriptionsIn(stored);
	const made: Subscription[] = [];
	try {
		for (const wanted of wantedBy(context, events, client.site)) {
			made.push({ ...wanted, id: await subscribe(client, wanted) });
		}
	} catch (error) {
		stored.subscriptions = [...before, ...(await unsubscribe(context, client, made))];
		throw unregistered(error);
	}
	stored.subscriptions = [...made, ...(await unsubscribe(context, client, before))];
}

/** Removes all subscriptions. Those that could not be removed stay stored until the next attempt. */
export async function deregister(context: IHookFunctions): Promise<void> {
	const stored = context.getWorkflowStaticData('node');
	const subscriptions = subscriptionsIn(stored);
	if (subscriptions.length === 0) return;
	try {
		const client = await Client.of(context, { deadline: AbortSignal.timeout(PATIENCE_MS) });
		stored.subscriptions = await unsubscribe(context, client, subscriptions);
	} catch (error) {
		// A workflow can also be unpublished when its credential has been deleted.
		context.logger.warn(`Documenso's webhooks could not be removed: ${messageOf(error)}`);
	}
}

/** Whether a delivery came to the URL that `register` gave to Documenso. */
export function carriesKey(context: IWebhookFunctions): boolean {
	const { key } = context.getQueryData() as { key?: unknown };
	const { key: expected } = context.getWorkflowStaticData('node');
	return typeof key === 'string' && secretsMatch(secretText(expected), key);
}

/** The node's URL with a key, because deliveries to a subscription carry no secret. */
function callbackUrl(context: IHookFunctions): string {
	const stored = context.getWorkflowStaticData('node');
	// The key stays the same, so that deliveries under way to the old URL are accepted.
	stored.key ??= randomBytes(32).toString('hex');
	const url = new URL(context.getNodeWebhookUrl('default') ?? '');
	url.searchParams.set('key', secretText(stored.key));
	return url.href;
}

function wantedBy(context: IHookFunctions, selected: string[], site: string): Wanted[] {
	const events = selected.includes(ANY_EVENT) ? EVENTS.map(({ value }) => String(value)) : selected;
	const url = callbackUrl(context);
	return events.map((event) => ({ event, url, site }));
}

function subscriptionsIn(stored: IDataObject): Subscription[] {
	return (stored.subscriptions ?? []) as unknown as Subscription[];
}

function isLike({ event, url, site }: Wanted) {
	return (one: Wanted) => one.event === event && one.url === url && one.site === site;
}

async function subscribe(client: Client, { url, event }: Wanted): Promise<string> {
	const request = post('/zapier/subscribe', { webhookUrl: url, eventTrigger: event });
	const { id } = await client.send({ ...request, apiVersion: 'v1' }, subscriptionSchema);
	return id;
}

/** Returns those that may still exist. */
async function unsubscribe(
	context: IHookFunctions,
	client: Client,
	subscriptions: Subscription[],
): Promise<Subscription[]> {
	const left: Subscription[] = [];
	for (const subscription of subscriptions) {
		const fate = await endOne(client, subscription);
		if (fate === 'ended') continue;
		const { id, event, site } = subscription;
		const advice = `If it still delivers, remove it under Team Settings > Webhooks at ${site}.`;
		context.logger.warn(`Documenso's webhook ${id} for ${event} ${fate}. ${advice}`);
		if (fate !== UNKNOWN) left.push(subscription);
	}
	return left;
}

/** Documenso gives the same answer for a webhook that the token may not remove; but then it could not have made it. */
const UNKNOWN = 'no longer exists in Documenso';

/** Returns "ended", or what the log says about the subscription. */
async function endOne(client: Client, { id, site }: Subscription): Promise<string> {
	if (site !== client.site) return 'belongs to another Documenso than the credential';
	try {
		await client.send({ ...post('/zapier/unsubscribe', { webhookId: id }), apiVersion: 'v1' });
		return 'ended';
	} catch (error) {
		if (hasStatus(error, 500)) return UNKNOWN;
		return `could not be removed (${messageOf(error)})`;
	}
}

const ADVICE =
	"Automatic registration needs the API token of a team's admin or manager, and Documenso must be able to reach n8n. Otherwise, set 'Registration' to 'Manual' and paste the node's webhook URL into Documenso, under Team Settings > Webhooks.";

/** In the message as well, because n8n shows little else at first. */
function unregistered(error: unknown): unknown {
	if (!(error instanceof ApiFailure)) return error;
	const message = `Documenso did not register the webhook (${error.message}). Check that the API token is valid and belongs to an admin or manager of the team, or set 'Registration' to 'Manual'`;
	const trace = 'There may be a webhook for this node in Documenso now. If so, remove it.';
	const failure = isOutcomeUnknown(error) ? error.noting(trace) : error;
	return failure.noting(ADVICE).saying(message);
}
