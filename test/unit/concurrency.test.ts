import { mapConcurrently } from '../../nodes/Documenso/transport/concurrency';
import { errorOf } from '../support/errors';

const turn = async () => await new Promise((resolve) => setImmediate(resolve));

test('results keep the order of the items, whichever ends first', async () => {
	const results = await mapConcurrently([3, 1, 2], 3, async (turns) => {
		for (let passed = 0; passed < turns; passed++) await turn();
		return turns * 10;
	});
	expect(results).toEqual([30, 10, 20]);
});

test('no more than the limit are under way at once', async () => {
	let underWay = 0;
	let most = 0;
	await mapConcurrently([...Array(30).keys()], 4, async () => {
		most = Math.max(most, ++underWay);
		await turn();
		underWay--;
	});
	expect(most).toBe(4);
});

test('after a failure nothing more is started, and what is under way ends first', async () => {
	const started: number[] = [];
	const ended: number[] = [];
	const error = await errorOf(
		async () =>
			await mapConcurrently([0, 1, 2, 3, 4], 2, async (item) => {
				started.push(item);
				if (item === 0) throw new Error('item 0 fails');
				await turn();
				await turn();
				ended.push(item);
			}),
	);
	expect(error.message).toBe('item 0 fails');
	expect(started).toEqual([0, 1]);
	expect(ended).toEqual([1]);
});

test('no items need no work', async () => {
	expect(await mapConcurrently([], 4, async () => await Promise.reject(new Error()))).toEqual([]);
});
