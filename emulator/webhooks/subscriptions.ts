import { z } from 'zod';
import type { Caller } from '../http/auth';
import type { Instance } from '../instance';
import type { RegisteredWebhook } from './delivery';
import type { WebhookDispatcher } from './dispatcher';
import { WEBHOOK_EVENTS, type WebhookEvent } from './events';

/** A webhook registered with an API token: one event and no secret. */
export interface Subscription extends RegisteredWebhook {
	/** A cuid. */
	id: string;
	events: readonly [WebhookEvent];
	userId: number;
	teamId: number;
	createdAt: Date;
}

const subscribeInput = z.object({ webhookUrl: z.string(), eventTrigger: z.enum(WEBHOOK_EVENTS) });
const unsubscribeInput = z.object({ webhookId: z.string() });

/** Subscribing twice creates two subscriptions. */
export function subscribe(
	instance: Instance,
	webhooks: WebhookDispatcher,
	{ user, team }: Caller,
	input: unknown,
): Subscription {
	const { webhookUrl, eventTrigger } = subscribeInput.parse(input);
	const subscription: Subscription = {
		id: instance.store.ids.cuid(),
		url: webhookUrl,
		events: [eventTrigger],
		userId: user.id,
		teamId: team.id,
		createdAt: instance.now(),
	};
	webhooks.add(subscription);
	return subscription;
}

/** Members, and other teams, get the error for an unknown subscription. */
export function unsubscribe(
	webhooks: WebhookDispatcher,
	{ team, role }: Caller,
	input: unknown,
): Subscription {
	const { webhookId } = unsubscribeInput.parse(input);
	const found = subscriptionsOf(webhooks, team.id).find(({ id }) => id === webhookId);
	if (!found || role === 'MEMBER') throw new Error('No such webhook');
	webhooks.remove(found);
	return found;
}

export function subscriptionsOf(webhooks: WebhookDispatcher, teamId: number): Subscription[] {
	return webhooks
		.list()
		.filter((webhook): webhook is Subscription => 'createdAt' in webhook)
		.filter((subscription) => subscription.teamId === teamId);
}

export function formatSubscription(subscription: Subscription): object {
	const { id, url, events, userId, teamId, createdAt } = subscription;
	return {
		id,
		webhookUrl: url,
		eventTriggers: events,
		secret: null,
		enabled: true,
		createdAt,
		updatedAt: createdAt,
		userId,
		teamId,
	};
}
