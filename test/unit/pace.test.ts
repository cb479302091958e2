import { clock } from '../../nodes/shared/api/clock';
import { RateLimit } from '../../nodes/shared/api/rateLimit';
import {
	type Sender,
	Service,
	serviceAt,
	services,
	type Turn,
} from '../../nodes/shared/api/service';
import { Random } from '../support/random';
import { useVirtualTime } from '../support/virtualTime';

const time = useVirtualTime(Date.parse('2026-01-01T00:00:00Z'));

describe('the pace', () => {
	const MINUTE = 60_000;
	const CREATION = 'POST /envelope/use';

	const execution = (maxConcurrentRequests = 32): Sender => ({
		bulk: { maxConcurrentRequests, reserve: 0.1 },
		underWay: 0,
	});

	const average = (numbers: number[]) =>
		numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

	/** A Documenso in virtual time. */
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
			await clock.sleep(this.latencyMs(kind) / 2);
			const window = Math.floor(clock.now() / MINUTE);
			if (window > this.window) [this.window, this.used] = [window, 0];
			this.used++;
			const status = this.used > this.limit ? 429 : 200;
			if (status === 429) this.refused++;
			else await this.work();
			const headers = {
				'x-ratelimit-limit': String(this.limit),
				'x-ratelimit-remaining': String(Math.max(0, this.limit - this.used)),
				'x-ratelimit-reset': String(((window + 1) * MINUTE) / 1000),
				date: new Date(clock.now()).toUTCString(),
			};
			await clock.sleep(this.latencyMs(kind) / 2);
			return { status, headers: this.limit < Infinity ? headers : {} };
		}

		private async work() {
			if (this.busy === this.workers) await new Promise<void>((turn) => this.waiting.push(turn));
			else this.busy++;
			await clock.sleep(this.workMs);
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
		const begunAt = clock.now();
		const limits: number[] = [];
		let most = 0;
		let started = 0;
		const request = async (number: number) => {
			const turn = await service.begin(sender, kindOf(number));
			most = Math.max(most, sender.underWay);
			const { status, headers } = await to.answer(turn.kind);
			service.rateLimit.read(headers, clock.now());
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
		return { limits, most, milliseconds: clock.now() - begunAt };
	}

	/** Lets time pass until the work is done. */
	async function inTime<Result>(work: Promise<Result>): Promise<Result> {
		const [result] = await Promise.all([work, time.run()]);
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
				await clock.sleep(490);
				const since = clock.now();
				await documenso.answer('GET /folder');
				waits.push(clock.now() - since);
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
				const random = new Random(seed);
				const [least, most] = [50 - spread / 2, 50 + spread / 2];
				const documenso = new Documenso({ latencyMs: () => random.between(least, most) });
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
			const turn = await service.begin({ underWay: 0 }, CREATION);
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
			expect(clock.now() % (60 * MINUTE)).toBeLessThan(2 * MINUTE + 5000);
		});

		test('refuses nothing when five processes share it', async () => {
			const documenso = new Documenso({ limit: 1000 });
			const runs = [1, 2, 3, 4, 5].map(
				async () => await send(new Service(), documenso, { count: 400 }),
			);
			await inTime(Promise.all(runs));
			expect(documenso.refused).toBe(0);
			expect(clock.now() % (60 * MINUTE)).toBeLessThan(3 * MINUTE);
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
					await clock.sleep(MINUTE / (part * 1000));
				}
			};
			await inTime(Promise.all([run, program()]));
			const served = statuses.filter((status) => status === 200).length / statuses.length;
			expect(served).toBeGreaterThanOrEqual(least);
		});
	});
});

describe('turns', () => {
	/** An execution; without a limit on its requests, something that skips the line. */
	function sender(maxConcurrentRequests?: number, signal?: AbortSignal): Sender {
		const bulk = maxConcurrentRequests ? { maxConcurrentRequests, reserve: 0.1 } : undefined;
		return { bulk, signal, underWay: 0 };
	}

	/** Has senders ask for turns, and notes in which order they get them. */
	function turnsAt(service: Service) {
		const begun: string[] = [];
		const turns: Turn[] = [];
		const failures: unknown[] = [];
		const ask = (name: string, one: Sender, times = 1) => {
			for (let time = 0; time < times; time++) {
				service.begin(one, 'GET /envelope').then(
					(turn) => {
						begun.push(name);
						turns.push(turn);
					},
					(failure: unknown) => failures.push(failure),
				);
			}
		};
		/** Ends the turns that began first. */
		const end = (count: number) => {
			for (const turn of turns.splice(0, count)) service.end(turn);
		};
		return { begun, turns, failures, ask, end };
	}

	/** Answers so many rounds of requests of an execution that may have `maximum` under way. */
	async function rise(service: Service, maximum = 32) {
		const one = sender(maximum);
		for (let rounds = 0; rounds < 8; rounds++) {
			const begin = async () => await service.begin(one, 'GET /envelope');
			const turns = await Promise.all(Array.from({ length: service.limit }, begin));
			for (const turn of turns) service.answered(turn);
			for (const turn of turns) service.end(turn);
		}
	}

	test('requests get their turns in the order in which they came, whichever execution they belong to', async () => {
		const service = new Service();
		await rise(service);
		const { begun, ask, end } = turnsAt(service);
		const [one, other] = [sender(32), sender(32)];
		ask('one', one, 32);
		ask('one', one);
		ask('other', other, 2);
		ask('one', one);
		await time.pass(0);
		expect(begun).toHaveLength(32);
		end(4);
		await time.pass(0);
		expect(begun.slice(32)).toEqual(['one', 'other', 'other', 'one']);
	});

	test('an execution with a limit of its own keeps to it, and holds nobody up', async () => {
		const service = new Service();
		await rise(service);
		const { begun, ask } = turnsAt(service);
		ask('one at a time', sender(1), 3);
		ask('other', sender(32), 3);
		await time.pass(0);
		expect(begun).toEqual(['one at a time', 'other', 'other', 'other']);
	});

	test('all together stay below one ceiling, which an execution can raise for as long as it sends', async () => {
		const service = new Service();
		await rise(service, 100);
		expect(service.limit).toBe(32);
		const { begun, turns, ask, end } = turnsAt(service);
		ask('large', sender(100), 80);
		ask('small', sender(32), 50);
		await time.pass(0);
		expect(begun).toHaveLength(100);
		expect(begun.filter((name) => name === 'small')).toHaveLength(20);
		// The large one has nothing more to send.
		end(80);
		await time.pass(0);
		expect(turns).toHaveLength(32);
	});

	test('triggers and pickers skip the line, and count', async () => {
		const service = new Service();
		const { begun, ask, end } = turnsAt(service);
		ask('bulk', sender(32), 10);
		ask('delivery', sender());
		await time.pass(0);
		expect(begun).toHaveLength(service.limit + 1);
		expect(begun).toContain('delivery');
		end(1);
		await time.pass(0);
		// As many are under way as the limit allows.
		expect(begun).toHaveLength(service.limit + 1);
	});

	test('a cancelled execution leaves the line while the others wait for the next window', async () => {
		const service = new Service();
		service.rateLimit.hold(clock.now() + 60_000);
		const { begun, failures, ask } = turnsAt(service);
		const cancellation = new AbortController();
		ask('cancelled', sender(32, cancellation.signal));
		ask('other', sender(32));
		ask('picker', sender());
		await time.pass(1000);
		expect([begun, failures]).toEqual([[], []]);
		cancellation.abort(new Error('Cancelled'));
		await time.pass(1000);
		expect([begun, failures]).toEqual([[], [new Error('Cancelled')]]);
		await time.pass(57_900);
		expect(begun).toEqual([]);
		await time.pass(500);
		expect(begun).toEqual(['other', 'picker']);
	});

	test('what is known of a service is kept for ten minutes after the last request', async () => {
		const at = (address: string) => serviceAt(address, services);
		const service = at('https://documenso.example/');
		await rise(service);
		expect(at('https://other.example/').limit).toBeLessThan(32);
		const turn = await service.begin(sender(32), 'GET /envelope');
		await time.pass(3_600_000);
		service.end(turn);
		await time.pass(500_000);
		expect(at('https://documenso.example/').limit).toBe(32);
		await time.pass(200_000);
		expect(at('https://documenso.example/').limit).toBeLessThan(32);
	});
});

describe('the rate limit', () => {
	/** Twenty seconds before the window's end, by the service's clock and ours. */
	const now = Date.parse('2026-01-01T00:00:40Z');
	const end = Date.parse('2026-01-01T00:01:00Z');

	const headers = (remaining: number | string, changes: Record<string, string> = {}) => ({
		'x-ratelimit-remaining': String(remaining),
		'x-ratelimit-reset': String(end / 1000),
		date: new Date(now).toUTCString(),
		...changes,
	});

	function afterAnswers(...answers: Array<Record<string, string>>) {
		const rateLimit = new RateLimit();
		for (const answer of answers) rateLimit.read(answer, now);
		return rateLimit;
	}

	test('without a word from the service nothing is held back', () => {
		const rateLimit = afterAnswers({});
		expect(rateLimit.room(now)).toBe(Infinity);
		expect(rateLimit.pause(now)).toBe(0);
	});

	test('what remains is what may be under way, and with nothing left all wait for the window to end', () => {
		expect(afterAnswers(headers(7)).room(now)).toBe(7);
		expect(afterAnswers(headers(7)).pause(now)).toBe(0);
		expect(afterAnswers(headers(0)).pause(now)).toBe(20_000);
		expect(afterAnswers(headers(0)).pause(end)).toBe(0);
		expect(afterAnswers(headers(0)).room(end)).toBe(Infinity);
	});

	test('the least that was told for a window counts, in whatever order the answers arrive', () => {
		expect(afterAnswers(headers(3), headers(5)).room(now)).toBe(3);
		const next = { 'x-ratelimit-reset': String(end / 1000 + 60) };
		expect(afterAnswers(headers(3), headers(999, next)).room(now)).toBe(999);
		expect(afterAnswers(headers(999, next), headers(3)).room(now)).toBe(999);
	});

	test('the end of the window is reckoned by the service’s clock, wherever ours stands', () => {
		const ahead = new Date(now + 3_600_000).toUTCString();
		const reset = String(end / 1000 + 3600);
		expect(afterAnswers(headers(0, { date: ahead, 'x-ratelimit-reset': reset })).pause(now)).toBe(
			20_000,
		);
	});

	test('a refusal holds everything back for as long as it says', () => {
		const rateLimit = new RateLimit();
		rateLimit.hold(now + 7000);
		rateLimit.hold(now + 3000);
		expect(rateLimit.pause(now)).toBe(7000);
	});

	test('a window of more than five minutes is not waited for: the refusal says what is the matter', () => {
		const rateLimit = afterAnswers(headers(0, { 'x-ratelimit-reset': String(now / 1000 + 3600) }));
		expect(rateLimit.pause(now)).toBe(0);
		expect(rateLimit.room(now, 0.1)).toBe(Infinity);
	});

	test.each([
		['1000, 20', undefined],
		['', undefined],
		['many', undefined],
		['5', 'soon'],
		['5', ''],
		['5', '-1'],
	])('headers that cannot be read are passed over: %j, %j', (remaining, reset) => {
		const changes: Record<string, string> =
			reset === undefined ? {} : { 'x-ratelimit-reset': reset };
		expect(afterAnswers(headers(remaining, changes)).room(now)).toBe(Infinity);
	});

	describe('what bulk work leaves to others', () => {
		const SECOND = 1000;
		const start = Date.parse('2026-01-01T00:00:00Z');

		/** A window of a thousand requests, of which others use some a second. Answers come once a second. */
		function after(seconds: number, { others, own = 1 }: { others: number; own?: number }) {
			const rateLimit = new RateLimit();
			let left = 1000;
			for (let second = 0; second <= seconds; second++) {
				const at = start + second * SECOND;
				if (second > 0) left -= others;
				for (let request = 0; request < own; request++) {
					left--;
					rateLimit.read(answer(left, at), at);
				}
			}
			return { left, rateLimit, at: start + seconds * SECOND };
		}

		const answer = (left: number, at: number) => ({
			'x-ratelimit-limit': '1000',
			'x-ratelimit-remaining': String(left),
			'x-ratelimit-reset': String(start / SECOND + 60),
			date: new Date(at).toUTCString(),
		});

		test.each([
			[0.1, 100],
			[0.5, 500],
			[0, 0],
		])('is a share of %d of the limit where there is nobody else', (share, reserved) => {
			const { rateLimit, left, at } = after(10, { others: 0 });
			expect(rateLimit.room(at, share)).toBe(left - reserved);
		});

		test('is half of the first window and a little more, and less with every second in which nobody else uses it', () => {
			const reserved = [0, 1, 2, 4].map((seconds) => {
				const { rateLimit, left, at } = after(seconds, { others: 0 });
				expect(rateLimit.room(at, 0)).toBe(left);
				return left - rateLimit.room(at, 0.01);
			});
			expect(reserved[0]).toBe(550);
			expect(reserved[3]).toBeLessThan(200);
			expect(reserved).toEqual([...reserved].sort((a, b) => b - a));
		});

		test('is what they need until the window ends, and a tenth more', () => {
			const { rateLimit, left, at } = after(20, { others: 10 });
			const reserved = left - rateLimit.room(at, 0.1);
			expect(reserved).toBeGreaterThan(430);
			expect(reserved).toBeLessThan(450);
			expect(rateLimit.room(at, 0)).toBe(left);
		});

		test('becomes less when they send nothing more', () => {
			const { rateLimit, left, at } = after(20, { others: 10 });
			const later = at + 25 * SECOND;
			rateLimit.read(answer(left - 1, later), later);
			expect(rateLimit.room(later, 0.1)).toBe(left - 1 - 100);
		});

		test('is never taken at the end', () => {
			const { rateLimit, left, at } = after(20, { others: 0, own: 43 });
			expect(left).toBe(97);
			expect(rateLimit.room(at + 39 * SECOND, 0.1)).toBeLessThanOrEqual(0);
			expect(rateLimit.room(at + 39 * SECOND)).toBe(97);
		});

		test('does not grow because requests overtake each other', () => {
			const rateLimit = new RateLimit();
			const [inOrder, reversed] = [[...Array(40).keys()], [...Array(40).keys()].reverse()];
			for (const place of [...inOrder, ...reversed.map((one) => one + 40)]) {
				rateLimit.read(answer(999 - place, start + 5 * SECOND), start + 5 * SECOND);
			}
			expect(rateLimit.room(start + 5 * SECOND, 0.15)).toBe(1000 - 80 - 150);
		});

		test('is expected to be as much as in the window before when the next one begins', () => {
			const { rateLimit } = after(59, { others: 10 });
			const next = start + 60 * SECOND;
			const first = { ...answer(999, next), 'x-ratelimit-reset': String(start / SECOND + 120) };
			rateLimit.read(first, next);
			const need = 10 * 60 * 1.1;
			expect(rateLimit.room(next, 0.1)).toBeGreaterThan(999 - need * 1.05);
			expect(rateLimit.room(next, 0.1)).toBeLessThan(999 - need * 0.95);
		});
	});
});
