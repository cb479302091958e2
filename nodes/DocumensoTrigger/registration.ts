import { randomBytes } from 'node:crypto';

import type { IDataObject, IHookFunctions } from 'n8n-workflow';
import { z } from 'zod';

import { clock } from '../shared/api/clock';
import { HttpClient, type Client } from '../shared/api/client';
import { ApiFailure, hasStatus, isOutcomeUnknown, messageOf } from '../shared/api/failure';
import { post, type ServiceRequest } from '../shared/api/request';
import { ANY_EVENT, EVENTS, eventLabel } from '../shared/events/names';
import { FINAL_EVENTS } from '../shared/events/nudge';
import { secretText } from './authenticate';

/** How long publishing or unpublishing a workflow may wait for Documenso, in milliseconds. */
const TIMEOUT_MS = 60_000;

/** A webhook that was registered with the API token, for one event (documenso-api.md: Registering webhooks). */
const subscriptionSchema = z.object({
	id: z.string(),
	event: z.string(),
	/** Where Documenso delivers to. */
	url: z.string(),
	/** The Documenso that has it. */
	site: z.string(),
});

type Subscription = z.infer<typeof subscriptionSchema>;

/** Whether n8n is starting workflows that were published before, instead of publishing one. */
export function isStarting(context: Pick<IHookFunctions, 'getActivationMode'>): boolean {
	return ['init', 'leadershipChange'].includes(context.getActivationMode());
}

/**
 * Whether n8n is starting, and the subscriptions that the node needs were made before. Then it asks Documenso nothing,
 * because Documenso may be down at that moment.
 */
export async function isRegistered(context: IHookFunctions, events: string[]): Promise<boolean> {
	if (!isStarting(context)) return false;
	const { site } = await HttpClient.of(context);
	const stored = subscriptionsIn(context.getWorkflowStaticData('node'));
	return wantedBy(context, events, site).every((wanted) =>
		stored.some((one) => one.event === wanted.event && one.url === wanted.url && one.site === site),
	);
}

/**
 * Subscribes to events. Documenso lists no subscriptions, so existing ones cannot be checked. New ones are made before
 * the old ones are removed, so that no event in between is lost.
 */
export async function register(context: IHookFunctions, events: string[]): Promise<void> {
	const client = await HttpClient.of(context, { deadline: clock.timeout(TIMEOUT_MS) });
	const stored = context.getWorkflowStaticData('node');
	const before = ownIn(context, stored);
	const added: Subscription[] = [];
	try {
		for (const wanted of wantedBy(context, events, client.site)) {
			const body = { webhookUrl: wanted.url, eventTrigger: wanted.event };
			const answer = subscriptionSchema.pick({ id: true });
			const { id } = await client.send(zapier('subscribe', body), answer);
			added.push({ ...wanted, id });
		}
	} catch (error) {
		stored.subscriptions = [...before, ...(await unsubscribe(context, client, added))];
		throw unregistered(error);
	}
	// When a copy of n8n starts, such as from a backup, it must not silence the original.
	const { origin } = new URL(callbackUrl(context));
	const isKept = ({ url }: Subscription) => isStarting(context) && new URL(url).origin !== origin;
	const kept = before.filter(isKept);
	if (kept.length > 0) {
		const addresses = new Set(kept.map(({ url }) => new URL(url).origin));
		context.logger.warn(
			`Documenso keeps the webhooks for ${[...addresses].join(', ')}, because this n8n may be a copy of the one there. If it has moved from there, publish the workflow '${context.getWorkflow().name}' again: that removes them.`,
		);
	}
	const old = before.filter((one) => !isKept(one));
	stored.subscriptions = [...added, ...kept, ...(await unsubscribe(context, client, old))];
}

/** Removes all subscriptions. Those that could not be removed stay stored until the next attempt. */
export async function deregister(context: IHookFunctions): Promise<void> {
	const stored = context.getWorkflowStaticData('node');
	const subscriptions = ownIn(context, stored);
	if (subscriptions.length === 0) return;
	try {
		const client = await HttpClient.of(context, { deadline: clock.timeout(TIMEOUT_MS) });
		stored.subscriptions = await unsubscribe(context, client, subscriptions);
	} catch (error) {
		// A workflow can also be unpublished when its credential has been deleted.
		context.logger.warn(`Documenso's webhooks could not be removed: ${messageOf(error)}`);
	}
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

function wantedBy(context: IHookFunctions, selected: string[], site: string) {
	const all = EVENTS.map(({ value }) => String(value));
	// Final events wake executions, also those that start none.
	const events = selected.includes(ANY_EVENT) ? all : [...new Set([...selected, ...FINAL_EVENTS])];
	const url = callbackUrl(context);
	return events.map((event) => ({ event, url, site }));
}

/** Without those of another node: a copy of a workflow begins with what is stored of the original. */
function ownIn(context: IHookFunctions, stored: IDataObject): Subscription[] {
	const own = endOf(context.getNodeWebhookUrl('default') ?? '');
	return subscriptionsIn(stored).filter(({ url }) => endOf(url) === own);
}

/** The node's own part of its URL; what is before it is n8n's, and changes when n8n moves. */
function endOf(url: string): string {
	return new URL(url).pathname.split('/').slice(-2).join('/');
}

function subscriptionsIn(stored: IDataObject): Subscription[] {
	return z.array(subscriptionSchema).catch([]).parse(stored.subscriptions);
}

function zapier(action: 'subscribe' | 'unsubscribe', body: IDataObject): ServiceRequest {
	return { ...post(`/zapier/${action}`, body), apiVersion: 'v1' };
}

/** Returns those that may still exist. */
async function unsubscribe(
	context: IHookFunctions,
	client: Client,
	subscriptions: Subscription[],
): Promise<Subscription[]> {
	const left: Subscription[] = [];
	for (const subscription of subscriptions) {
		const { id, event, site } = subscription;
		const warn = (fault: string) => {
			const advice = `If it still delivers, remove it under Team Settings > Webhooks at ${site}.`;
			context.logger.warn(
				`Documenso's webhook ${id} for '${eventLabel(event)}' ${fault}. ${advice}`,
			);
		};
		if (site !== client.site) {
			left.push(subscription);
			warn('belongs to another Documenso than the credential');
			continue;
		}
		try {
			await client.send(zapier('unsubscribe', { webhookId: id }));
		} catch (error) {
			if (hasStatus(error, 500)) {
				// A token that may not remove the webhook gets the same answer, but could not have made it either.
				warn('no longer exists in Documenso');
			} else {
				left.push(subscription);
				warn(`could not be removed (${messageOf(error)})`);
			}
		}
	}
	return left;
}

const ADVICE =
	"Automatic registration needs the API token of a team's admin or manager, and Documenso must be able to reach n8n. Otherwise, set 'Registration' to 'Manual' and paste the node's webhook URL into Documenso, under Team Settings > Webhooks.";

/** The message says what to do as well, because n8n shows little else at first. */
function unregistered(error: unknown): unknown {
	if (!(error instanceof ApiFailure)) return error;
	const message = `Documenso did not register the webhook (${error.message}). Check that the API token is valid and belongs to an admin or manager of the team, or set 'Registration' to 'Manual'`;
	const caution = 'There may be a webhook for this node in Documenso now. If so, remove it.';
	const failure = isOutcomeUnknown(error) ? error.withNote(caution) : error;
	return failure.withNote(ADVICE).withMessage(message);
}
