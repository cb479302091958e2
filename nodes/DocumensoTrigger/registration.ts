import { randomBytes } from 'node:crypto';

import type { IDataObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { z } from 'zod';

import { ApiFailure, hasStatus, isOutcomeUnknown, messageOf } from '../Documenso/api/failure';
import { ANY_EVENT, EVENTS } from '../Documenso/events/names';
import { Client } from '../Documenso/api/client';
import { jsonBody } from '../Documenso/api/body';
import { secretText, secretsMatch } from './secret';

/** A webhook that was registered with the API token, for one event (contract §3.4). */
interface Subscription extends Wanted {
	id: string;
}

interface Wanted {
	event: string;
	/** Where it delivers to. */
	url: string;
	/** The Documenso that has it. */
	site: string;
}

/** How long publishing a workflow, or switching it off, may wait for Documenso, in milliseconds. */
const PATIENCE_MS = 60_000;

const subscriptionSchema = z.object({ id: z.string() });

/**
 * Whether n8n is only starting, and the subscriptions that the node needs were made before. Then nothing is done:
 * Documenso may be down at that moment.
 */
export async function isRegistered(context: IHookFunctions): Promise<boolean> {
	if (!['init', 'leadershipChange'].includes(context.getActivationMode())) return false;
	const { site } = await Client.of(context);
	const stored = subscriptionsIn(context.getWorkflowStaticData('node'));
	return wantedBy(context, site).every((one) => stored.some(isLike(one)));
}

/**
 * Subscribes to the selected events. Documenso lists no subscriptions, so that those of before cannot be looked
 * at: they are made anew, and the old ones removed after that, lest an event in between be lost.
 */
export async function register(context: IHookFunctions): Promise<void> {
	const client = await Client.of(context, { deadline: AbortSignal.timeout(PATIENCE_MS) });
	const stored = context.getWorkflowStaticData('node');
	const before = subscriptionsIn(stored);
	const made: Subscription[] = [];
	try {
		for (const wanted of wantedBy(context, client.site)) {
			made.push({ ...wanted, id: await subscribe(client, wanted) });
		}
	} catch (error) {
		stored.subscriptions = [...before, ...(await unsubscribe(context, client, made))];
		throw unregistered(error);
	}
	stored.subscriptions = [...made, ...(await unsubscribe(context, client, before))];
}

/** Ends all subscriptions; those that could not be ended stay stored, and are tried again next time. */
export async function deregister(context: IHookFunctions): Promise<void> {
	const stored = context.getWorkflowStaticData('node');
	const subscriptions = subscriptionsIn(stored);
	if (subscriptions.length === 0) return;
	try {
		const client = await Client.of(context, { deadline: AbortSignal.timeout(PATIENCE_MS) });
		stored.subscriptions = await unsubscribe(context, client, subscriptions);
	} catch (error) {
		// A credential that is gone shall not keep a workflow from being switched off.
		context.logger.warn(`Documenso's webhooks could not be removed: ${messageOf(error)}`);
	}
}

/** Whether a delivery came by the address that `register` gave to Documenso. */
export function carriesKey(context: IWebhookFunctions): boolean {
	const { key } = context.getQueryData() as { key?: unknown };
	const { key: expected } = context.getWorkflowStaticData('node');
	return typeof key === 'string' && secretsMatch(secretText(expected), key);
}

/** The node's URL with a key, for deliveries to a subscription carry no secret. */
function callbackUrl(context: IHookFunctions): string {
	const stored = context.getWorkflowStaticData('node');
	// The same as ever, lest what is still on its way by the old address be refused.
	stored.key ??= randomBytes(32).toString('hex');
	const url = new URL(context.getNodeWebhookUrl('default') ?? '');
	url.searchParams.set('key', secretText(stored.key));
	return url.href;
}

function wantedBy(context: IHookFunctions, site: string): Wanted[] {
	const selected = context.getNodeParameter('events', []) as string[];
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
	const body = await client.send({
		method: 'POST',
		path: '/zapier/subscribe',
		apiVersion: 'v1',
		body: jsonBody({ webhookUrl: url, eventTrigger: event }),
	});
	return client.parse(subscriptionSchema, body).id;
}

/** Returns those that may still be there. */
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

/** The answer is the same for a webhook that the token may not touch; but then it could not have made it. */
const UNKNOWN = 'is not known to Documenso any more';

/** Returns "ended", or what is to be said of it. */
async function endOne(client: Client, { id, site }: Subscription): Promise<string> {
	if (site !== client.site) return 'belongs to another Documenso than that of the credential';
	try {
		await client.send({
			method: 'POST',
			path: '/zapier/unsubscribe',
			apiVersion: 'v1',
			body: jsonBody({ webhookId: id }),
		});
		return 'ended';
	} catch (error) {
		if (hasStatus(error, 500)) return UNKNOWN;
		return `could not be removed (${messageOf(error)})`;
	}
}

const ADVICE =
	"Registering needs the API token of a team's admin or manager, and an address of n8n that Documenso can reach. To do without, set 'Registration' to 'Manual', and paste the node's webhook URL into Documenso, under Team Settings > Webhooks.";

/** n8n shows little more than the message. */
function unregistered(error: unknown): unknown {
	if (!(error instanceof ApiFailure)) return error;
	const message = `Documenso did not register the webhook (${error.message}). Check that the API token is valid, and of a team's admin or manager; or set 'Registration' to 'Manual'`;
	const trace = 'There may be a webhook for this node in Documenso now: look, and remove it.';
	const notes = isOutcomeUnknown(error) ? [ADVICE, trace] : [ADVICE];
	return new ApiFailure({ ...error.facts, message, notes });
}
