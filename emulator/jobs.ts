/** The service's background jobs, such as sealing, which run shortly after the response. */
export class Jobs {
	private readonly running = new Set<Promise<void>>();
	private readonly timers = new Map<NodeJS.Timeout, () => void>();

	schedule(delayMs: number, work: () => Promise<void>): void {
		const due = new Promise<boolean>((resolve) => {
			const timer = setTimeout(() => {
				this.timers.delete(timer);
				resolve(true);
			}, delayMs);
			this.timers.set(timer, () => resolve(false));
		});
		// As in the service, a failed job leaves the envelope unchanged.
		const job = due
			.then(async (isDue) => (isDue ? await work() : undefined))
			.catch(() => undefined);
		this.running.add(job);
		void job.then(() => this.running.delete(job));
	}

	get pending(): Array<Promise<void>> {
		return [...this.running];
	}

	/** Cancels the jobs that have not started. */
	cancel(): void {
		for (const [timer, drop] of this.timers) {
			clearTimeout(timer);
			drop();
		}
		this.timers.clear();
	}
}
