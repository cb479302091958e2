import { sleep } from 'n8n-workflow';

import { Semaphore } from './concurrency';
import type { AdaptiveConcurrency } from './adaptiveConcurrency';
import { RateLimit } from './rateLimit';

/** When a request may be sent. All requests of an execution share it, so that they wait together. */
export class Throttle {
	readonly rateLimit = new RateLimit();
	private readonly semaphore = new Semaphore(() =>
		Math.max(1, Math.min(this.concurrency.limit, this.rateLimit.remaining(Date.now()))),
	);

	constructor(
		readonly concurrency: AdaptiveConcurrency,
		private readonly cancelSignal?: AbortSignal,
	) {}

	/** Throws, instead of sending anything, once the execution is cancelled. */
	async inTurn<Result>(send: () => Promise<Result>): Promise<Result> {
		await this.semaphore.enter();
		try {
			for (let pause; (pause = this.rateLimit.pause(Date.now())) > 0;) await this.wait(pause);
			this.cancelSignal?.throwIfAborted();
			return await send();
		} finally {
			this.semaphore.leave();
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
