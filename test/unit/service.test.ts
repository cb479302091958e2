import { Service, services, type Sender } from '../../nodes/Documenso/api/service';

beforeEach(() => {
	jest.useFakeTimers();
});
afterEach(() => {
	jest.useRealTimers();
});

const passes = async (milliseconds: number) => await jest.advanceTimersByTimeAsync(milliseconds);

/** An execution; without a limit on its requests, something that passes the line. */
function sender(maxConcurrentRequests?: number): Sender {
	const bulk = maxConcurrentRequests ? { maxConcurrentRequests, reserve: 0.1 } : undefined;
	return { bulk, requests: 0, underWay: 0, isCancelled: false };
}

/** Has executions ask for turns, and notes in which order they get them. */
function turnsAt(service: Service) {
	const begun: string[] = [];
	const ask = (name: string, one: Sender, times = 1) => {
		for (let turn = 0; turn < times; turn++) void service.enter(one).then(() => begun.push(name));
	};
	return { begun, ask };
}

/** Its limit on concurrent requests rises to this. */
function rise({ concurrency }: Service, limit: number) {
	while (concurrency.limit < limit) {
		concurrency.begin('GET /envelope').answered(concurrency.limit);
	}
}

test('requests get their turns in the order in which they came, whichever execution they belong to', async () => {
	const service = new Service();
	const { begun, ask } = turnsAt(service);
	const [one, other] = [sender(32), sender(32)];
	ask('one', one, 4);
	ask('one', one);
	ask('other', other, 2);
	ask('one', one);
	await passes(0);
	expect(begun).toEqual(['one', 'one', 'one', 'one']);
	for (let ended = 0; ended < 4; ended++) service.leave(one);
	await passes(0);
	expect(begun.slice(4)).toEqual(['one', 'other', 'other', 'one']);
});

test('an execution with a limit of its own keeps to it, and holds nobody up', async () => {
	const service = new Service();
	const { begun, ask } = turnsAt(service);
	ask('one at a time', sender(1), 3);
	ask('other', sender(32), 3);
	await passes(0);
	expect(begun).toEqual(['one at a time', 'other', 'other', 'other']);
});

test('all together stay below one ceiling, which an execution can raise for as long as it sends', async () => {
	const service = new Service();
	const large = sender(100);
	const { begun, ask } = turnsAt(service);
	ask('large', large, 100);
	rise(service, 100);
	ask('small', sender(32), 50);
	await passes(300);
	expect(begun).toHaveLength(100);
	while (large.requests > 0) {
		service.leave(large);
		await passes(0);
	}
	expect(service.concurrency.limit).toBeLessThanOrEqual(32);
	expect(service.underWay).toBeLessThanOrEqual(32);
});

test('triggers and pickers pass the line, and count', async () => {
	const service = new Service();
	const { begun, ask } = turnsAt(service);
	ask('bulk', sender(32), 10);
	ask('delivery', sender());
	await passes(0);
	expect(begun).toHaveLength(5);
	expect(begun).toContain('delivery');
	expect(service.underWay).toBe(5);
});

test('a cancelled execution leaves the line while the others wait for the next window', async () => {
	const service = new Service();
	service.rateLimit.hold(Date.now() + 60_000);
	const { begun, ask } = turnsAt(service);
	const cancelled = sender(32);
	ask('cancelled', cancelled);
	ask('other', sender(32));
	await passes(1000);
	expect(begun).toEqual([]);
	cancelled.isCancelled = true;
	await passes(1000);
	expect(begun).toEqual(['cancelled']);
	await passes(58_000);
	expect(begun).toEqual(['cancelled', 'other']);
});

test('what is known of a service is kept for ten minutes after the last request', async () => {
	const service = services.at('https://documenso.example/');
	rise(service, 32);
	expect(services.at('https://other.example/').concurrency.limit).toBe(4);
	const long = sender(32);
	await service.enter(long);
	await passes(3_600_000);
	service.leave(long);
	await passes(500_000);
	expect(services.at('https://documenso.example/').concurrency.limit).toBe(32);
	await passes(200_000);
	expect(services.at('https://documenso.example/').concurrency.limit).toBe(4);
});
