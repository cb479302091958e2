import type { IHookFunctions, IPollFunctions, IWebhookFunctions } from 'n8n-workflow';

import { clock } from '../shared/api/clock';
import { forgetOldest } from '../shared/n8n/forgetOldest';
import { untilAnswered } from '../shared/n8n/response';
import { PerNode } from '../shared/n8n/perNode';
import type { Settings } from './inputs';
import type { Delivery } from './parse';

class AcceptedDeliveries {
	/** When n8n accepted a delivery, in milliseconds since the process began, or whether it will. */
	private readonly deliveries = new Map<string, number | Promise<boolean>>();
	/** The events that they were about. */
	private readonly events = new Set<string>();

	/**
	 * Whether a delivery duplicates one that n8n accepted within `windowMs`. If not, duplicates that arrive from now on
	 * wait for `outcome`, which tells whether n8n accepted this one.
	 */
	async isDuplicate(
		id: string,
		windowMs: number,
		outcome: () => Promise<boolean>,
	): Promise<boolean> {
		for (;;) {
			const known = this.deliveries.get(id);
			if (known === undefined || isExpired(known, windowMs)) break;
			if (typeof known === 'number' || (await known)) return true;
		}
		this.claim(id, outcome());
		return false;
	}

	/** Whether n8n has accepted a delivery of an event. */
	has(eventId: string): boolean {
		return this.events.has(eventId);
	}

	add(eventId: string) {
		this.events.add(eventId);
		forgetOldest(this.events);
	}

	private claim(id: string, outcome: Promise<boolean>) {
		const settled = outcome.then((isAccepted) => {
			this.deliveries.delete(id);
			if (isAccepted) this.deliveries.set(id, clock.uptime());
			return isAccepted;
		});
		this.deliveries.set(id, settled);
		forgetOldest(this.deliveries);
	}
}

function isExpired(known: number | Promise<boolean>, windowMs: number): boolean {
	return typeof known === 'number' && clock.uptime() - known >= windowMs;
}

/** In the memory of n8n's process (docs/decisions.md: One trigger that receives, looks and recognises). */
const accepted = new PerNode(() => new AcceptedDeliveries());

/** When the workflow is unpublished. n8n's history knows the events for longer. */
export function forgetDeliveries(context: IHookFunctions) {
	accepted.end(context);
}

/** Whether this process has accepted a delivery of an event. */
export function wasAccepted(context: IPollFunctions, eventId: string): boolean {
	return accepted.of(context).has(eventId);
}

/** Whether a delivery is no duplicate, and starts the workflow. Tests in the editor show every delivery. */
export async function deduplicate(
	context: IWebhookFunctions,
	{ id, event }: Delivery,
	{ deduplicationMs }: Settings,
): Promise<boolean> {
	if (context.getMode() === 'manual') return true;
	const known = accepted.of(context);
	const outcome = async () => {
		const isTaken = await isAccepted(context);
		if (isTaken) known.add(event.eventId);
		return isTaken;
	};
	if (deduplicationMs > 0) return !(await known.isDuplicate(id, deduplicationMs, outcome));
	void outcome();
	return true;
}

/** Whether n8n accepts the delivery that is being answered: the status of its answer tells. */
async function isAccepted(context: IWebhookFunctions): Promise<boolean> {
	await untilAnswered(context);
	return context.getResponseObject().statusCode < 300;
}
