import { sleep } from 'n8n-workflow';

import { Gate } from './concurrency';
import type { Pace } from './pace';
import { Quota } from './quota';

/** When a request may be sent. All requests of an execution share it, so that they wait together. */
export class Traffic {
	readonly quota = new Quota();
	private readonly gate = new Gate(() =>
		Math.max(1, Math.min(this.pace.limit, this.quota.remaining(Date.now()))),
	);

	constructor(
		readonly pace: Pace,
		private readonly cancelSignal?: AbortSignal,
	) {}

	/** Throws, instead of sending anything, once the execution is cancelled. */
	async inTurn<Result>(send: () => Promise<Result>): Promise<Result> {
		await this.gate.enter();
		try {
			for (let pause; (pause = this.quota.pause(Date.now())) > 0;) await this.wait(pause);
			this.cancelSignal?.throwIfAborted();
			return await send();
		} finally {
			this.gate.leave();
		}
	}

	/** Ends at once when the execution is cancelled. */
	async wait(milliseconds: number) {
		if (milliseconds > 0) await sleep(milliseconds, this.cancelSignal);
	}

	get isCancelled(): boolean {
		return this.cancelSignal?.aborted ?? false;
	}
}
