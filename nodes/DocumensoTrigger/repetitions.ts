import type { IWebhookFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import type { Delivery } from './delivery';
import type { Settings } from './settings';

/** How many deliveries are remembered for a node; the oldest go first. */
const REMEMBERED = 10_000;

/** How often a broken connection is looked at until n8n has answered it, in milliseconds. */
const LOOK_AGAIN_MS = 50;

/**
 * The deliveries that a trigger node has taken. The strongest memory that n8n offers a webhook is that of its
 * process: n8n 2.40 drops static data that is written while an execution is started, and has its memory
 * of processed items, and data tables, for executions only.
 */
class Taken {
	/** When it was taken (milliseconds since the epoch), or whether it will be. */
	private readonly deliveries = new Map<string, number | Promise<boolean>>();

	/**
	 * Whether a delivery repeats one that n8n took within `windowMs`. If not, it is claimed until `outcome` tells
	 * whether n8n took it; whoever asks in between waits for that.
	 */
	async isRepetition(
		id: string,
		windowMs: number,
		outcome: () => Promise<boolean>,
	): Promise<boolean> {
		for (;;) {
			const known = this.deliveries.get(id);
			if (known === undefined || isOver(known, windowMs)) break;
			if (typeof known === 'number' || (await known)) return true;
		}
		this.claim(id, outcome());
		return false;
	}

	private claim(id: string, outcome: Promise<boolean>) {
		const settled = outcome.then((isTaken) => {
			this.deliveries.delete(id);
			if (isTaken) this.deliveries.set(id, Date.now());
			return isTaken;
		});
		this.deliveries.set(id, settled);
		for (const [oldest] of this.deliveries) {
			if (this.deliveries.size <= REMEMBERED) break;
			this.deliveries.delete(oldest);
		}
	}
}

function isOver(known: number | Promise<boolean>, windowMs: number): boolean {
	return typeof known === 'number' && Date.now() - known >= windowMs;
}

const nodes = new Map<string, Taken>();

/** Whether n8n has taken this delivery already. Whoever tries the node out wants to see each one. */
export async function isRepeated(
	context: IWebhookFunctions,
	{ id }: Delivery,
	{ repetitionWindowMs }: Settings,
): Promise<boolean> {
	if (repetitionWindowMs === 0 || context.getMode() === 'manual') return false;
	const node = `${context.getWorkflow().id}/${context.getNode().id}`;
	const taken = nodes.get(node) ?? new Taken();
	nodes.set(node, taken);
	return await taken.isRepetition(id, repetitionWindowMs, async () => await isTaken(context));
}

/** Whether n8n takes the delivery that is being answered: it says so by the status of its answer. */
async function isTaken(context: IWebhookFunctions): Promise<boolean> {
	const response = context.getResponseObject();
	// It emits nothing any more when the sender hung up before n8n came to this.
	if (!response.closed) {
		await new Promise<void>((resolve) => response.once('close', resolve));
	}
	// Who gave up waiting is answered all the same, once n8n has started the execution.
	while (!response.writableEnded) await sleep(LOOK_AGAIN_MS);
	return response.statusCode < 300;
}
