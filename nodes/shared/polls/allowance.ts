/** How many requests a look may still send; the others wait until there are more. */
export class Allowance {
	private left = 0;
	private waiting: Array<() => void> = [];
	private readonly listeners = new Set<() => void>();

	/** From now on, there are at least so many. */
	grant(requests: number) {
		this.left = Math.max(this.left, requests);
		for (const begin of this.waiting.splice(0, this.left)) {
			this.left--;
			begin();
		}
	}

	/** Resolves when one more may be sent. */
	async take(): Promise<void> {
		if (this.left > 0) {
			this.left--;
			return;
		}
		for (const tell of this.listeners) tell();
		await new Promise<void>((begin) => this.waiting.push(begin));
	}

	/** Resolves when a request has to wait. */
	async usedUp(): Promise<void> {
		if (this.waiting.length > 0) return;
		await new Promise<void>((tell) => this.listeners.add(tell));
	}
}
