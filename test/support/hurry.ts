import { clock } from '../../nodes/shared/api/clock';

const SPEED = 10;

const real = { ...clock };
const startedAt = real.now() - real.uptime() * SPEED;

/**
 * For a suite that waits a lot: time passes ten times as fast for the node and for the local Documenso that `useService`
 * starts. Sockets keep real time, and with them the time-outs of requests.
 */
export function hurry() {
	beforeAll(() => {
		Object.assign(clock, {
			now: () => Math.floor(startedAt + real.uptime() * SPEED),
			uptime: () => real.uptime() * SPEED,
			sleep: async (milliseconds: number, signal?: AbortSignal) => {
				await real.sleep(milliseconds / SPEED, signal);
			},
		});
	});
	afterAll(() => void Object.assign(clock, real));
}
