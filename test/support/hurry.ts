import { clock } from '../../nodes/shared/api/clock';

/** What tests replace. */
export const realClock = { ...clock };

/**
 * For a suite that waits a lot: time passes so many times as fast for the node and for the local Documenso that
 * `useService` starts. Sockets keep real time, and with them the time-outs of requests.
 */
export function hurry(speed = 10) {
	const startedAt = realClock.now() - realClock.uptime() * speed;
	beforeAll(() => {
		Object.assign(clock, {
			now: () => Math.floor(startedAt + realClock.uptime() * speed),
			uptime: () => realClock.uptime() * speed,
			sleep: async (milliseconds: number, signal?: AbortSignal) => {
				await realClock.sleep(milliseconds / speed, signal);
			},
		});
	});
	afterAll(() => void Object.assign(clock, realClock));
}
