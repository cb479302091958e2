import type { IHookFunctions, IPollFunctions, IWebhookFunctions } from 'n8n-workflow';

import { clock } from '../shared/api/clock';
import { forgetOldest, PerNode } from '../shared/n8n/remembered';
import { untilAnswered } from '../shared/n8n/response';
import type { Settings } from './inputs';
import type { Delivery } from './parse';

/** What a node has accepted, in the memory of n8n's process (docs/decisions.md: One trigger that receives, looks and recognises). */
const accepted = new PerNode(() => ({
	/** When n8n accepted a delivery, in milliseconds since the process began, or whether it will. */
	deliveries: new Map<string, number | Promise<boolean>>(),
	/** The events that they were about. */
	events: new Set<string>(),
}));

/** When the workflow is unpublished. n8n's history knows the events for longer. */
export function forgetDeliveries(context: IHookFunctions) {
	accepted.end(context);
}

/** Whether this process has accepted a delivery of an event. */
export function wasAccepted(context: IPollFunctions, eventId: string): boolean {
	return accepted.of(context).events.has(eventId);
}

/**
 * Whether a delivery starts the workflow, because it duplicates none that n8n has accepted in a while. Duplicates that arrive
 * from now on wait until it is known whether n8n accepts this one. Tests in the editor show every delivery.
 */
export async function deduplicate(
	context: IWebhookFunctions,
	{ id, event }: Delivery,
	{ deduplicationMs }: Settings,
): Promise<boolean> {
	if (context.getMode() === 'manual') return true;
	const { deliveries, events } = accepted.of(context);
	const outcome = async () => {
		await untilAnswered(context);
		// The status of n8n's answer tells whether it accepts the delivery.
		const isAccepted = context.getResponseObject().statusCode < 300;
		if (isAccepted) events.add(event.eventId);
		forgetOldest(events);
		return isAccepted;
	};
	if (deduplicationMs === 0) {
		void outcome();
		return true;
	}
	for (;;) {
		const known = deliveries.get(id);
		const isOld = typeof known === 'number' && clock.uptime() - known >= deduplicationMs;
		if (known === undefined || isOld) break;
		if (typeof known === 'number' || (await known)) return false;
	}
	const settled = outcome().then((isAccepted) => {
		deliveries.delete(id);
		if (isAccepted) deliveries.set(id, clock.uptime());
		return isAccepted;
	});
	deliveries.set(id, settled);
	forgetOldest(deliveries);
	return true;
}
