/** Does one thing after another: what comes next begins when the last has ended, however it ended. */
export class Line {
	private last: Promise<unknown> = Promise.resolve();

	async next<Done>(work: () => Promise<Done>): Promise<Done> {
		const done = this.last.then(work);
		this.last = done.catch(() => undefined);
		return await done;
	}
}
