import { startEmulator, type Emulator } from '../../emulator';
import type { CapacityOptions } from '../../emulator/http/capacity';
import { call } from './api';

let service: Emulator;
afterEach(async () => await service.close());

/** Sends five calls at once, and tells after each answer which calls had been answered by then. */
async function answersOf(capacity: CapacityOptions): Promise<string[][]> {
	service = await startEmulator({ capacity });
	const answers: string[][] = [];
	const send = async (): Promise<void> => {
		await call(service, 'GET /envelope');
		answers.push(service.calls.map(({ status }) => (status === undefined ? 'waits' : 'done')));
	};
	await Promise.all(Array.from({ length: 5 }, send));
	return answers;
}

test('a call waits for a free worker', async () => {
	const [first = []] = await answersOf({ workers: 1, workMs: 500 });
	expect(first.at(-1)).toBe('waits');
	expect(service.maxInFlight).toBe(5);
	expect(service.calls.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
});

test('no call is worked on while one that came before it waits', async () => {
	const answers = await answersOf({ workers: 2, workMs: 20 });
	// In the alphabet, too, what is done comes before what waits.
	expect(answers).toEqual(answers.map((answer) => [...answer].sort()));
});

test('a call over the rate limit is refused without a worker', async () => {
	service = await startEmulator({
		capacity: { workers: 1, workMs: 150 },
		rateLimit: { limit: 1, windowMs: 3_600_000 },
	});
	const [admitted, refused] = [call(service, 'GET /envelope'), call(service, 'GET /envelope')];
	const first = await Promise.race([admitted, refused]);
	expect(first.status).toBe(429);
	expect([(await admitted).status, (await refused).status].sort()).toEqual([200, 429]);
});
