import type { IWebhookFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import type { Settings } from './inputs';
import type { Delivery } from './parse';

/** How many deliveries are remembered for a node; the oldest are forgotten first. */
const REMEMBERED = 10_000;

/** How often to check whether n8n has answered a broken connection, in milliseconds. */
const CHECK_AGAIN_MS = 50;

/** The deliveries that a trigger node has accepted. */
class AcceptedDeliveries {
	/** When n8n accepted a delivery (milliseconds since the epoch), or whether it will. */
	private readonly deliveries = new Map<string, number | Promise<boolean>>();

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

	private claim(id: string, outcome: Promise<boolean>) {
		const settled = outcome.then((isAccepted) => {
			this.deliveries.delete(id);
			if (isAccepted) this.deliveries.set(id, Date.now());
			return isAccepted;
		});
		this.deliveries.set(id, settled);
		for (const [oldest] of this.deliveries) {
			if (this.deliveries.size <= REMEMBERED) break;
			this.deliveries.delete(oldest);
		}
	}
}

function isExpired(known: number | Promise<boolean>, windowMs: number): boolean {
	return typeof known === 'number' && Date.now() - known >= windowMs;
}

/** By workflow and node, in the memory of n8n's process (docs/decisions.md: In-process deduplication of deliveries). */
const nodes = new Map<string, AcceptedDeliveries>();

/** Whether a delivery is no duplicate, and starts the workflow. Tests in the editor show every delivery. */
export async function deduplicate(
	context: IWebhookFunctions,
	{ id }: Delivery,
	{ deduplicationMs }: Settings,
): Promise<boolean> {
	if (deduplicationMs === 0 || context.getMode() === 'manual') return true;
	const node = `${context.getWorkflow().id}/${context.getNode().id}`;
	const accepted = nodes.get(node) ?? new AcceptedDeliveries();
	nodes.set(node, accepted);
	return !(await accepted.isDuplicate(id, deduplicationMs, async () => await isAccepted(context)));
}

/** Whether n8n accepts the delivery that is being answered: the status of its answer tells. */
async function isAccepted(context: IWebhookFunctions): Promise<boolean> {
	const response = context.getResponseObject();
	// A connection that broke before this point emits nothing any more.
	if (!response.closed) {
		await new Promise<void>((resolve) => response.once('close', resolve));
	}
	// n8n also ends the answer to a sender that hung up, once it has started the execution.
	while (!response.writableEnded) await sleep(CHECK_AGAIN_MS);
	return response.statusCode < 300;
}
