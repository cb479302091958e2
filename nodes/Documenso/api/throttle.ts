import { sleep } from 'n8n-workflow';

import type { Bulk, Sender, Service } from './service';

/** What is learned from the answer to one request. */
export interface Sent {
	/** Counts the requests to the service. */
	number: number;
	answered(): void;
	overloaded(): void;
}

/** When the requests of one client may be sent. */
export class Throttle implements Sender {
	requests = 0;
	underWay = 0;

	constructor(
		readonly service: Service,
		private readonly cancelSignal?: AbortSignal,
		readonly bulk?: Bulk,
	) {}

	/** How many requests make sense at the same time. */
	get limit(): number {
		return Math.min(this.service.concurrency.limit, this.bulk?.maxConcurrentRequests ?? Infinity);
	}

	/** Throws, instead of sending anything, once the execution is cancelled. */
	async inTurn<Result>(kind: string, send: (sent: Sent) => Promise<Result>): Promise<Result> {
		const { service } = this;
		if (!this.bulk) {
			for (let pause; (pause = service.rateLimit.pause(Date.now())) > 0;) await this.wait(pause);
		}
		const number = await service.enter(this);
		try {
			this.cancelSignal?.throwIfAborted();
			// A request that skips the line says nothing about the limit on those in it.
			const sent = this.bulk && service.concurrency.begin(kind);
			return await send({
				number,
				answered: () => sent?.answered(service.underWay),
				overloaded: () => sent?.overloaded(),
			});
		} finally {
			service.leave(this);
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
