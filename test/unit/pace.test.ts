import { Service, type Sender } from '../../nodes/shared/api/service';

const MINUTE = 60_000;
const CREATION = 'POST /envelope/use';

beforeEach(() => {
	jest.useFakeTimers();
	jest.setSystemTime(new Date('2026-01-01T00:00:00Z'));
});
afterEach(() => {
	jest.useRealTimers();
});

const passes = async (milliseconds: number) =>
	await new Promise((resolve) => setTimeout(resolve, milliseconds));

const execution = (maxConcurrentRequests = 32): Sender => ({
	bulk: { maxConcurrentRequests, reserve: 0.1 },
	requests: 0,
	underWay: 0,
});

const average = (numbers: number[]) =>
	numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

/** The same pseudo-random numbers between 0 and 1 in every run. */
function randomNumbers(seed = 1) {
	let state = seed;
	return () => (state = (state * 1103515245 + 12345) % 2 ** 31) / 2 ** 31;
}

/** A Documenso in simulated time. */
class Documenso {
	latencyMs: (kind: string) => number = () => 50;
	/** How many requests it processes at the same time, and how long each takes. */
	workers = Infinity;
	workMs = 0;
	/** Requests a minute. */
	limit = Infinity;
	refused = 0;
	private busy = 0;
	private readonly waiting: Array<() => void> = [];
	private used = 0;
	private window = 0;

	constructor(changes: Partial<Documenso> = {}) {
		Object.assign(this, changes);
	}

	/** Answers with a status and the headers of the rate limit. */
	async answer(kind = CREATION) {
		await passes(this.latencyMs(kind) / 2);
		const window = Math.floor(Date.now() / MINUTE);
		if (window > this.window) [this.window, this.used] = [window, 0];
		this.used++;
		const status = this.used > this.limit ? 429 : 200;
		if (status === 429) this.refused++;
		else await this.work();
		const headers = {
			'x-ratelimit-limit': String(this.limit),
			'x-ratelimit-remaining': String(Math.max(0, this.limit - this.used)),
			'x-ratelimit-reset': String(((window + 1) * MINUTE) / 1000),
			date: new Date().toUTCString(),
		};
		await passes(this.latencyMs(kind) / 2);
		return { status, headers: this.limit < Infinity ? headers : {} };
	}

	private async work() {
		if (this.busy === this.workers) await new Promise<void>((turn) => this.waiting.push(turn));
		else this.busy++;
		await passes(this.workMs);
		const next = this.waiting.shift();
		if (next) next();
		else this.busy--;
	}
}

interface Work {
	count: number;
	sender?: Sender;
	kindOf?: (number: number) => string;
}

/** Sends requests as the client does, and notes the limits on the way and the milliseconds that all took. */
async function send(service: Service, to: Documenso, { count, ...work }: Work) {
	const { sender = execution(), kindOf = () => CREATION } = work;
	const begunAt = Date.now();
	const limits: number[] = [];
	let most = 0;
	let started = 0;
	const request = async (number: number) => {
		const turn = await service.begin(sender, kindOf(number));
		most = Math.max(most, sender.underWay);
		const { status, headers } = await to.answer(turn.kind);
		service.rateLimit.read(headers, Date.now());
		if (status === 429) service.overloaded(turn);
		else service.answered(turn);
		service.end(turn);
		limits.push(service.limit);
	};
	const running = new Set<Promise<void>>();
	while (started < count || running.size > 0) {
		const most = Math.min(service.limit, sender.bulk?.maxConcurrentRequests ?? Infinity);
		while (started < count && running.size < most) {
			const one = request(started++).finally(() => running.delete(one));
			running.add(one);
		}
		await Promise.race(running);
	}
	return { limits, most, milliseconds: Date.now() - begunAt };
}

/** Lets time pass until the work is done. */
async function inTime<Result>(work: Promise<Result>): Promise<Result> {
	const [result] = await Promise.all([work, jest.runAllTimersAsync()]);
	return result;
}

const sent = async (...given: Parameters<typeof send>) => await inTime(send(...given));

/** Another user's waiting times for a request every now and then, while some work is done. */
async function waitsOfOthers(documenso: Documenso, work: Promise<unknown>) {
	const state = { isOver: false };
	void work.finally(() => (state.isOver = true));
	const waits: number[] = [];
	const others = async () => {
		while (!state.isOver) {
			await passes(490);
			const since = Date.now();
			await documenso.answer('GET /folder');
			waits.push(Date.now() - since);
		}
	};
	await inTime(Promise.all([work, others()]));
	return waits;
}

describe('how many requests are under way at the same time', () => {
	test('begins with a few, and is 32 within a few dozen requests where there is room', async () => {
		const service = new Service();
		expect(service.limit).toBeLessThanOrEqual(4);
		const { limits, most } = await sent(service, new Documenso(), { count: 400 });
		expect(limits.indexOf(32)).toBeGreaterThan(0);
		expect(limits.indexOf(32)).toBeLessThan(60);
		expect(limits.at(-1)).toBe(32);
		expect(most).toBe(32);
	});

	test.each([1, 2, 3, 5, 100])(
		'never exceeds the %d that an execution may have',
		async (maximum) => {
			const work = { count: 600, sender: execution(maximum) };
			const { most } = await sent(new Service(), new Documenso(), work);
			expect(most).toBe(maximum);
		},
	);

	test.each([
		{ latencyMs: 50, spread: 80 },
		{ latencyMs: 50, spread: 40 },
	])('is hardly less where latencies of 50 ms scatter over $spread ms', async ({ spread }) => {
		const times = [1, 2, 3, 4].map(async (seed) => {
			const random = randomNumbers(seed * 7919);
			const documenso = new Documenso({ latencyMs: () => 50 + spread * (random() - 0.5) });
			const { milliseconds } = await send(new Service(), documenso, { count: 3000 });
			return milliseconds;
		});
		// With 32 from the start.
		const least = (3000 / 32) * 50;
		expect(average(await inTime(Promise.all(times))) / least).toBeLessThan(1.2);
	});

	test.each([
		{ workers: 1, workMs: 50, quietMs: 100, busy: 1.1 },
		{ workers: 4, workMs: 200, quietMs: 250, busy: 1.1 },
		{ workers: 10, workMs: 500, quietMs: 550, busy: 1.2 },
	])(
		'keeps $workers workers busy, and others wait at most twice as long',
		async ({ workers, workMs, quietMs, busy }) => {
			const documenso = new Documenso({ workers, workMs });
			const run = send(new Service(), documenso, { count: 600 });
			const waits = await waitsOfOthers(documenso, run);
			expect(average(waits) / quietMs).toBeLessThan(2);
			const { milliseconds } = await run;
			const least = (600 / workers) * workMs;
			expect(milliseconds / least).toBeLessThan(busy);
		},
	);

	test('does not keep a queue that was there from the start', async () => {
		const documenso = new Documenso({ workers: 1, workMs: 50 });
		const crowd = Promise.all(Array.from({ length: 40 }, async () => await documenso.answer()));
		const { limits } = await sent(new Service(), documenso, { count: 1200 });
		await crowd;
		// It is measured again after 30 seconds.
		expect(average(limits.slice(700))).toBeLessThan(5);
	});

	test('is not judged by comparing requests of one kind with those of another', async () => {
		const latencyMs = (kind: string) => (kind === CREATION ? 900 : 30);
		const kindOf = (number: number) =>
			Math.floor(number / 40) % 2 === 0 ? 'GET /envelope' : CREATION;
		const { limits } = await sent(new Service(), new Documenso({ latencyMs }), {
			...{ count: 800, kindOf },
		});
		expect(Math.min(...limits.slice(100))).toBe(32);
	});

	test('is judged by creations among quicker reads, too', async () => {
		const documenso = new Documenso({ workers: 4, workMs: 200 });
		const kindOf = (number: number) => (number % 2 === 0 ? 'GET /envelope' : CREATION);
		const latencyMs = (kind: string) => (kind === CREATION ? 150 : 20);
		Object.assign(documenso, { latencyMs });
		const { limits } = await sent(new Service(), documenso, { count: 600, kindOf });
		expect(average(limits.slice(200))).toBeLessThan(12);
	});

	test('falls when the service has fewer workers, and rises again afterwards', async () => {
		const service = new Service();
		await sent(service, new Documenso(), { count: 200 });
		expect(service.limit).toBe(32);
		const slow = await sent(service, new Documenso({ workers: 4, workMs: 200 }), { count: 1000 });
		expect(average(slow.limits.slice(700))).toBeLessThan(10);
		const quick = await sent(service, new Documenso(), { count: 2000 });
		expect(quick.limits.at(-1)).toBe(32);
	});

	test('does not stay low where the service has become slower, however few they are', async () => {
		const service = new Service();
		await sent(service, new Documenso(), { count: 200 });
		const slower = new Documenso({ latencyMs: () => 100 });
		const { milliseconds } = await sent(service, slower, { count: 2000 });
		const least = (2000 / 32) * 100;
		expect(milliseconds / least).toBeLessThan(2);
	});

	test('says nothing about more as long as there are few, however quick they are', async () => {
		const service = new Service();
		await sent(service, new Documenso(), { count: 200, sender: execution(1) });
		expect(service.limit).toBeLessThanOrEqual(4);
	});

	test('is halved when the service cannot cope, once for all that were under way', async () => {
		const service = new Service();
		await sent(service, new Documenso(), { count: 400 });
		const sender = execution();
		const begin = async () => await service.begin(sender, CREATION);
		const turns = await Promise.all(Array.from({ length: 32 }, begin));
		for (const turn of turns) service.overloaded(turn);
		expect(service.limit).toBe(16);
		for (const turn of turns) service.end(turn);
		for (let refusals = 0; refusals < 6; refusals++) {
			const turn = await begin();
			service.overloaded(turn);
			service.end(turn);
		}
		expect(service.limit).toBe(1);
	});

	test('begins again for an execution after a rest, if the service was overloaded, and else goes on', async () => {
		const service = new Service();
		const first = service.limit;
		const turn = await service.begin(execution(), CREATION);
		service.overloaded(turn);
		expect(service.limit).toBe(1);
		service.expect();
		// Something is under way.
		expect(service.limit).toBe(1);
		service.end(turn);
		service.expect();
		expect(service.limit).toBe(first);
		await sent(service, new Documenso(), { count: 400 });
		service.expect();
		expect(service.limit).toBe(32);
	});

	test('is not judged by requests that skip the line', async () => {
		const service = new Service();
		await sent(service, new Documenso(), { count: 400 });
		const turn = await service.begin({ requests: 0, underWay: 0 }, CREATION);
		service.overloaded(turn);
		service.end(turn);
		expect(service.limit).toBe(32);
	});

	test('rises again after an overload, one by one', async () => {
		const service = new Service();
		for (let refusals = 0; refusals < 2; refusals++) {
			const turn = await service.begin(execution(), CREATION);
			service.overloaded(turn);
			service.end(turn);
		}
		expect(service.limit).toBe(1);
		const { limits } = await sent(service, new Documenso(), { count: 1500 });
		const steps = limits.map((limit, place) => limit - (limits[place - 1] ?? 1));
		expect(Math.max(...steps)).toBe(1);
		expect(limits.at(-1)).toBe(32);
	});
});

describe('a rate limit of 1,000 requests a minute', () => {
	test('refuses nothing when five executions share it, and is used', async () => {
		const [service, documenso] = [new Service(), new Documenso({ limit: 1000 })];
		const runs = [1, 2, 3, 4, 5].map(async () => await send(service, documenso, { count: 400 }));
		await inTime(Promise.all(runs));
		expect(documenso.refused).toBe(0);
		// 900 in each of the first two minutes.
		expect(Date.now() % (60 * MINUTE)).toBeLessThan(2 * MINUTE + 5000);
	});

	test('refuses nothing when five processes share it', async () => {
		const documenso = new Documenso({ limit: 1000 });
		const runs = [1, 2, 3, 4, 5].map(
			async () => await send(new Service(), documenso, { count: 400 }),
		);
		await inTime(Promise.all(runs));
		expect(documenso.refused).toBe(0);
		expect(Date.now() % (60 * MINUTE)).toBeLessThan(3 * MINUTE);
	});

	test('is used up to the reserve within seconds where there is nobody else', async () => {
		const documenso = new Documenso({ limit: 1000 });
		const { milliseconds } = await sent(new Service(), documenso, { count: 890 });
		expect(milliseconds).toBeLessThan(10_000);
	});

	test.each([
		[0.2, 1],
		[0.5, 0.95],
		[0.8, 0.9],
	])('serves another program that uses %d of it: at least %d', async (part, least) => {
		const [service, documenso] = [new Service(), new Documenso({ limit: 1000 })];
		const state = { isOver: false };
		const run = send(service, documenso, { count: 1500 }).finally(() => (state.isOver = true));
		const statuses: number[] = [];
		const program = async () => {
			while (!state.isOver) {
				void documenso.answer('GET /envelope').then(({ status }) => statuses.push(status));
				await passes(MINUTE / (part * 1000));
			}
		};
		await inTime(Promise.all([run, program()]));
		const served = statuses.filter((status) => status === 200).length / statuses.length;
		expect(served).toBeGreaterThanOrEqual(least);
	});
});
