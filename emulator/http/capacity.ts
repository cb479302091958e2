import { setTimeout as delay } from 'node:timers/promises';

export interface CapacityOptions {
	/** How many calls are processed at the same time. */
	workers: number;
	/** How long one call occupies a worker. */
	workMs: number;
}

/** The workers of a service. Calls wait for a free worker, first in, first out. */
export class Capacity {
	private free: number;
	private readonly waiting: Array<() => void> = [];

	/** Without options, no call waits. */
	constructor(private readonly options: CapacityOptions | undefined) {
		this.free = options?.workers ?? 0;
	}

	async work(): Promise<void> {
		if (!this.options) return;
		if (this.free > 0) this.free -= 1;
		else await new Promise<void>((resolve) => this.waiting.push(resolve));
		await delay(this.options.workMs);
		const next = this.waiting.shift();
		if (next) next();
		else this.free += 1;
	}
}
