import { AdaptiveConcurrency } from '../../nodes/Documenso/api/adaptiveConcurrency';

/** A service whose `workers` take `workMs` for a request, one after another, beyond `latencyMs` on the way. */
interface Capacity {
	latencyMs: number;
	workers: number;
	workMs: number;
}

const endless = { latencyMs: 50, workers: Infinity, workMs: 0 };

beforeEach(() => {
	jest.useFakeTimers();
});
afterEach(() => {
	jest.useRealTimers();
});

const passes = async (milliseconds: number) =>
	await new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Has the service answer as many requests, as many at once as the limit allows; returns the limits on the way. */
async function send(
	concurrency: AdaptiveConcurrency,
	capacity: Capacity,
	count: number,
	scatter = () => 1,
) {
	const limits: number[] = [];
	const waiting: Array<() => void> = [];
	let [busy, started, underWay, most] = [0, 0, 0, 0];
	const work = async () => {
		if (busy >= capacity.workers) await new Promise<void>((resolve) => waiting.push(resolve));
		busy++;
		await passes(capacity.workMs * scatter());
		busy--;
		waiting.shift()?.();
	};
	const request = async () => {
		const sent = concurrency.begin('POST /envelope/use');
		most = Math.max(most, ++underWay);
		await passes(capacity.latencyMs * scatter());
		await work();
		sent.answered(underWay--);
		limits.push(concurrency.limit);
	};
	const running = new Set<Promise<void>>();
	while (started < count || running.size > 0) {
		while (started < count && underWay < concurrency.limit) {
			started++;
			const one = request().finally(() => running.delete(one));
			running.add(one);
		}
		await jest.advanceTimersByTimeAsync(1);
	}
	return { limits, most };
}

/** The same pseudo-random factors in every run, between half and double. */
function scattering() {
	let state = 1;
	return () => {
		state = (state * 1103515245 + 12345) % 2 ** 31;
		return 2 ** (2 * (state / 2 ** 31) - 1);
	};
}

const average = (numbers: number[]) =>
	numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

test('it begins with a few, and is at the ceiling within a few dozen requests where there is room', async () => {
	const concurrency = new AdaptiveConcurrency();
	expect(concurrency.limit).toBeLessThanOrEqual(4);
	const { limits, most } = await send(concurrency, endless, 400);
	expect(limits.indexOf(32)).toBeLessThan(60);
	expect(limits.at(-1)).toBe(32);
	expect(most).toBe(32);
});

test('it never exceeds the ceiling, and one is strictly one after another', async () => {
	for (const ceiling of [1, 2, 3, 5, 100]) {
		const { most } = await send(new AdaptiveConcurrency(() => ceiling), endless, 500);
		expect(most).toBe(ceiling);
	}
});

test.each([
	// As many as are under way when all workers are busy and nobody waits.
	{ latencyMs: 50, workers: 4, workMs: 200, right: 5 },
	{ latencyMs: 50, workers: 10, workMs: 500, right: 11 },
	{ latencyMs: 5, workers: 1, workMs: 50, right: 1 },
])(
	'it settles where more would only wait in line: $workers workers',
	async ({ right, ...capacity }) => {
		const { limits } = await send(new AdaptiveConcurrency(), capacity, 400);
		const settled = average(limits.slice(100));
		expect(settled).toBeGreaterThanOrEqual(right * 0.7);
		expect(settled).toBeLessThanOrEqual(right * 1.7);
	},
);

test.each([
	{ latencyMs: 50, workers: 4, workMs: 200, most: 1.05 },
	{ latencyMs: 50, workers: 1, workMs: 50, most: 1.3 },
])(
	'where it settles, the service has something to do nearly all the time: $workers workers',
	async ({ most, ...capacity }) => {
		const concurrency = new AdaptiveConcurrency();
		await send(concurrency, capacity, 200);
		const begun = Date.now();
		await send(concurrency, capacity, 600);
		const atBest = (600 / capacity.workers) * capacity.workMs;
		expect((Date.now() - begun) / atBest).toBeLessThan(most);
	},
);

test('latencies that scatter do not keep it low', async () => {
	const { limits } = await send(new AdaptiveConcurrency(), endless, 1000, scattering());
	expect(average(limits.slice(300))).toBeGreaterThan(20);
});

test('at the ceiling it stays while latencies differ only by chance, and tries fewer once they are longer', async () => {
	const concurrency = new AdaptiveConcurrency();
	await send(concurrency, endless, 600);
	const random = scattering();
	// Up to 30 % more or less, and at least as much again when the service is slower.
	const little = () => random() ** 0.4;
	const { limits } = await send(concurrency, endless, 1000, little);
	expect(new Set(limits)).toEqual(new Set([32]));
	const slower = await send(concurrency, { ...endless, latencyMs: 75 }, 300, little);
	expect(Math.min(...slower.limits)).toBeLessThan(32);
});

test('it shrinks when the service becomes slower, and grows again afterwards', async () => {
	const concurrency = new AdaptiveConcurrency();
	await send(concurrency, endless, 200);
	expect(concurrency.limit).toBeGreaterThan(28);
	const slow = await send(concurrency, { latencyMs: 50, workers: 4, workMs: 200 }, 600);
	expect(average(slow.limits.slice(300))).toBeLessThan(10);
	const quick = await send(concurrency, endless, 600);
	expect(average(quick.limits.slice(300))).toBeGreaterThan(20);
});

test('it halves when the service cannot cope, once for all that was under way', () => {
	const concurrency = new AdaptiveConcurrency();
	for (let answers = 0; concurrency.limit < 32; answers++)
		concurrency.begin('GET /envelope').answered(concurrency.limit);
	const underWay = Array.from({ length: 32 }, () => concurrency.begin('GET /envelope'));
	underWay.forEach((sent) => sent.overloaded());
	expect(concurrency.limit).toBe(16);
	concurrency.begin('GET /envelope').overloaded();
	expect(concurrency.limit).toBe(8);
});

test('endpoints of different speed are not taken for changes of speed', async () => {
	const concurrency = new AdaptiveConcurrency();
	const one = async (kind: string, milliseconds: number) => {
		const sent = concurrency.begin(kind);
		await jest.advanceTimersByTimeAsync(milliseconds);
		sent.answered(concurrency.limit);
	};
	for (let pair = 0; pair < 100; pair++) {
		await one('POST /envelope/create', 900);
		await one('POST /envelope/distribute', 30);
	}
	expect(concurrency.limit).toBe(32);
});

test('a few requests at a time say nothing about more, however quick they are', async () => {
	const concurrency = new AdaptiveConcurrency();
	for (let answers = 0; answers < 200; answers++) concurrency.begin('GET /envelope').answered(1);
	expect(concurrency.limit).toBeLessThanOrEqual(4);
});

test('a ceiling that falls holds at once, and what was found is not forgotten', async () => {
	let ceiling = 32;
	const concurrency = new AdaptiveConcurrency(() => ceiling);
	await send(concurrency, endless, 400);
	ceiling = 8;
	expect(concurrency.limit).toBe(8);
	ceiling = 32;
	expect(concurrency.limit).toBeGreaterThan(28);
});

test('after a rest, a service that was overloaded gets as many as one of which nothing is known', async () => {
	const concurrency = new AdaptiveConcurrency();
	for (let failures = 0; failures < 5; failures++) concurrency.begin('GET /envelope').overloaded();
	expect(concurrency.limit).toBe(1);
	concurrency.recover();
	expect(concurrency.limit).toBe(4);
	await send(concurrency, endless, 400);
	concurrency.recover();
	expect(concurrency.limit).toBeGreaterThan(28);
});
