import { mapConcurrently } from '../../nodes/shared/api/concurrency';
import { errorOf } from '../support/errors';

const turn = async () => await new Promise((resolve) => setImmediate(resolve));

test('results keep the order of the items, whichever ends first', async () => {
	const results = await mapConcurrently(
		[3, 1, 2],
		() => 3,
		async (turns) => {
			for (let passed = 0; passed < turns; passed++) await turn();
			return turns * 10;
		},
	);
	expect(results).toEqual([30, 10, 20]);
});

test('no more than the limit are under way at once', async () => {
	let underWay = 0;
	let most = 0;
	await mapConcurrently(
		[...Array(30).keys()],
		() => 4,
		async () => {
			most = Math.max(most, ++underWay);
			await turn();
			underWay--;
		},
	);
	expect(most).toBe(4);
});

test('after a failure nothing more is started, and what is under way ends first', async () => {
	const started: number[] = [];
	const ended: number[] = [];
	const error = await errorOf(
		async () =>
			await mapConcurrently(
				[0, 1, 2, 3, 4],
				() => 2,
				async (item) => {
					started.push(item);
					if (item === 0) throw new Error('item 0 fails');
					await turn();
					await turn();
					ended.push(item);
				},
			),
	);
	expect(error.message).toBe('item 0 fails');
	expect(started).toEqual([0, 1]);
	expect(ended).toEqual([1]);
});

test('no items need no work', async () => {
	const none = mapConcurrently(
		[],
		() => 4,
		async () => await Promise.reject(new Error()),
	);
	expect(await none).toEqual([]);
});

test('when the limit has grown, the end of one item lets several begin', async () => {
	let limit = 1;
	let underWay = 0;
	const seen: number[] = [];
	await mapConcurrently(
		Array(12).keys(),
		() => limit,
		async () => {
			seen.push(++underWay);
			await turn();
			underWay--;
			limit = 3;
		},
	);
	expect(Math.max(...seen)).toBe(3);
	expect(seen[0]).toBe(1);
});

test('items are asked for only when their turn comes', async () => {
	let asked = 0;
	const endless = function* () {
		for (;;) yield ++asked;
	};
	const error = await errorOf(
		async () =>
			await mapConcurrently(
				endless(),
				() => 2,
				async (item) => {
					await turn();
					if (item === 5) throw new Error('enough');
				},
			),
	);
	expect(error.message).toBe('enough');
	expect(asked).toBeLessThan(8);
});
