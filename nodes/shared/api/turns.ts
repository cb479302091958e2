import { clock } from './clock';

/** How long work may keep everything else in n8n's process waiting, in milliseconds. */
const SLICE_MS = 20;

let next: Promise<void> | undefined;

/** Lets everything else in n8n have its turn; all long work of the process rests together. */
export async function nextTurn() {
	await (next ??= clock.turn().finally(() => (next = undefined)));
}

/**
 * Lets n8n do other things between the items of long work: awaiting alone does not, as long as everything awaited is
 * there. Whoever works on many items awaits `next` after each of them.
 */
export class Turns {
	private since = performance.now();
	private pause?: Promise<void>;

	async next() {
		if (performance.now() - this.since >= SLICE_MS) {
			this.pause ??= nextTurn().then(() => {
				this.since = performance.now();
				this.pause = undefined;
			});
		}
		// Those who work on the items together rest together.
		await this.pause;
	}
}
