import { Turns } from './turns';

/**
 * Runs `work` on the items, at most `limit()` at a time, and returns the results in the items' order. The limit is
 * asked again whenever an item ends. After a failure, it starts nothing more, awaits what is under way, and throws the
 * failure of the first item in the order that failed.
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
	let isAllStarted = false;
	const turns = new Turns();
	let failure: { error: unknown; place: number } | undefined;

	await new Promise<void>((resolve) => {
		const end = async () => {
			await turns.next();
			underWay--;
			startMore();
		};
		const startMore = () => {
			while (!failure && !isAllStarted && underWay < limit()) {
				const next = queue.next();
				if (next.done) {
					isAllStarted = true;
					break;
				}
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
