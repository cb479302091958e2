/**
 * Runs `work` on every item, as many at a time as `limit` says whenever one of them ends, and returns the
 * results in the items' order. After a failure nothing more is started; what is under way is awaited, and the
 * failure of the first item that failed is thrown, whichever failed soonest.
 */
export async function mapConcurrently<Item, Result>(
	items: Iterable<Item>,
	limit: () => number,
	work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
	const queue = items[Symbol.iterator]();
	const results: Result[] = [];
	let started = 0;
	let underWay = 0;
	let failure: { error: unknown; place: number } | undefined;

	await new Promise<void>((resolve) => {
		const end = () => {
			underWay--;
			startMore();
		};
		const startMore = () => {
			while (!failure && underWay < limit()) {
				const next = queue.next();
				if (next.done) break;
				const place = started++;
				underWay++;
				work(next.value)
					.then((result) => {
						results[place] = result;
					})
					.catch((error: unknown) => {
						if (!failure || place < failure.place) failure = { error, place };
					})
					.finally(end);
			}
			if (underWay === 0) resolve();
		};
		startMore();
	});
	if (failure) throw failure.error;
	return results;
}

/** Lets in as many at once as `width` says at the time; the others wait in line. */
export class Semaphore {
	private inside = 0;
	private readonly line: Array<() => void> = [];

	constructor(private readonly width: () => number) {}

	/** Whoever has been let in has to leave. */
	async enter(): Promise<void> {
		await new Promise<void>((resolve) => {
			this.line.push(resolve);
			this.admit();
		});
	}

	leave() {
		this.inside--;
		this.admit();
	}

	private admit() {
		while (this.line.length > 0 && this.inside < this.width()) {
			this.inside++;
			this.line.shift()?.();
		}
	}
}
