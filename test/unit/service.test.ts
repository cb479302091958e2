import {
	Service,
	serviceAt,
	services,
	type Sender,
	type Turn,
} from '../../nodes/shared/api/service';

beforeEach(() => {
	jest.useFakeTimers();
});
afterEach(() => {
	jest.useRealTimers();
});

const passes = async (milliseconds: number) => await jest.advanceTimersByTimeAsync(milliseconds);

/** An execution; without a limit on its requests, something that skips the line. */
function sender(maxConcurrentRequests?: number, signal?: AbortSignal): Sender {
	const bulk = maxConcurrentRequests ? { maxConcurrentRequests, reserve: 0.1 } : undefined;
	return { bulk, signal, requests: 0, underWay: 0 };
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
	await passes(0);
	expect(begun).toHaveLength(32);
	end(4);
	await passes(0);
	expect(begun.slice(32)).toEqual(['one', 'other', 'other', 'one']);
});

test('an execution with a limit of its own keeps to it, and holds nobody up', async () => {
	const service = new Service();
	await rise(service);
	const { begun, ask } = turnsAt(service);
	ask('one at a time', sender(1), 3);
	ask('other', sender(32), 3);
	await passes(0);
	expect(begun).toEqual(['one at a time', 'other', 'other', 'other']);
});

test('all together stay below one ceiling, which an execution can raise for as long as it sends', async () => {
	const service = new Service();
	await rise(service, 100);
	expect(service.limit).toBe(32);
	const { begun, turns, ask, end } = turnsAt(service);
	ask('large', sender(100), 80);
	ask('small', sender(32), 50);
	await passes(0);
	expect(begun).toHaveLength(100);
	expect(begun.filter((name) => name === 'small')).toHaveLength(20);
	// The large one has nothing more to send.
	end(80);
	await passes(0);
	expect(turns).toHaveLength(32);
});

test('triggers and pickers skip the line, and count', async () => {
	const service = new Service();
	const { begun, ask, end } = turnsAt(service);
	ask('bulk', sender(32), 10);
	ask('delivery', sender());
	await passes(0);
	expect(begun).toHaveLength(service.limit + 1);
	expect(begun).toContain('delivery');
	end(1);
	await passes(0);
	// As many are under way as the limit allows.
	expect(begun).toHaveLength(service.limit + 1);
});

test('a cancelled execution leaves the line while the others wait for the next window', async () => {
	const service = new Service();
	service.rateLimit.hold(Date.now() + 60_000);
	const { begun, failures, ask } = turnsAt(service);
	const cancellation = new AbortController();
	ask('cancelled', sender(32, cancellation.signal));
	ask('other', sender(32));
	ask('picker', sender());
	await passes(1000);
	expect([begun, failures]).toEqual([[], []]);
	cancellation.abort(new Error('Cancelled'));
	await passes(1000);
	expect([begun, failures]).toEqual([[], [new Error('Cancelled')]]);
	await passes(57_900);
	expect(begun).toEqual([]);
	await passes(500);
	expect(begun).toEqual(['other', 'picker']);
});

test('what is known of a service is kept for ten minutes after the last request', async () => {
	const at = (address: string) => serviceAt(address, services);
	const service = at('https://documenso.example/');
	await rise(service);
	expect(at('https://other.example/').limit).toBeLessThan(32);
	const turn = await service.begin(sender(32), 'GET /envelope');
	await passes(3_600_000);
	service.end(turn);
	await passes(500_000);
	expect(at('https://documenso.example/').limit).toBe(32);
	await passes(200_000);
	expect(at('https://documenso.example/').limit).toBeLessThan(32);
});
