/**
 * Runs `work` on every item, at most `limit` at a time, and returns the results in the items' order.
 * After a failure nothing more is started; what is under way is awaited before the failure is thrown.
 */
export async function mapConcurrently<Item, Result>(
	items: readonly Item[],
	limit: number,
	work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
	const results: Result[] = new Array<Result>(items.length);
	let failed = false;
	const queue = items.entries();
	const worker = async () => {
		for (const [index, item] of queue) {
			if (failed) return;
			results[index] = await work(item).catch((error: unknown) => {
				failed = true;
				throw error;
			});
		}
	};
	const workers = Array.from({ length: Math.min(limit, items.length) }, worker);
	await Promise.allSettled(workers);
	await Promise.all(workers);
	return results;
}
