import { clock, type Clock } from '../../nodes/shared/api/clock';
import { realClock } from './hurry';
import { Random } from './random';

/** A time that passes only from one event to the next. All times are milliseconds since its beginning. */
export class VirtualTime {
	now = 0;
	/** The next one last, and what happens then. */
	private times: number[] = [];
	private events = new Map<number, Array<() => void>>();
	/** How many let others have their turn. */
	private resting = 0;

	at(time: number, work: () => void) {
		const moment = Math.max(time, this.now);
		const events = this.events.get(moment);
		// Of those at the same time, the first one asked for comes first.
		if (events) events.push(work);
		else {
			this.events.set(moment, [work]);
			this.times.splice(this.placeOf(moment), 0, moment);
		}
	}

	after(milliseconds: number, work: () => void) {
		this.at(this.now + milliseconds, work);
	}

	async sleep(milliseconds: number, signal?: AbortSignal) {
		await new Promise<void>((resolve, reject) => {
			const stop = () => {
				reject(signal?.reason as Error);
			};
			if (signal?.aborted) stop();
			signal?.addEventListener('abort', stop, { once: true });
			this.after(milliseconds, () => {
				signal?.removeEventListener('abort', stop);
				resolve();
			});
		});
	}

	/** Lets what waits for nothing but its turn go on. */
	async turn() {
		this.resting += 1;
		await nextImmediate();
		this.resting -= 1;
	}

	/** Runs until nothing is left to happen. Returns whether that was so before the end. */
	async run(end = Infinity): Promise<boolean> {
		await this.quiet();
		for (let next; (next = this.times.at(-1)) !== undefined;) {
			if (next > end) return false;
			this.now = next;
			const events = this.events.get(next) as Array<() => void>;
			const first = events.shift() as () => void;
			if (events.length === 0) {
				this.times.pop();
				this.events.delete(next);
			}
			first();
			await this.quiet();
		}
		return true;
	}

	async pass(milliseconds: number) {
		const end = this.now + milliseconds;
		await this.run(end);
		this.now = end;
	}

	/** What has not happened yet does not happen any more. */
	restart() {
		this.now = 0;
		this.times = [];
		this.events.clear();
	}

	/** Until all promises that can be settled are settled. */
	private async quiet() {
		do await nextImmediate();
		while (this.resting > 0);
	}

	/** By halves: some suites wait for tens of thousands of moments at once. */
	private placeOf(time: number): number {
		let [from, to] = [0, this.times.length];
		while (from < to) {
			const middle = (from + to) >> 1;
			if ((this.times[middle] as number) > time) from = middle + 1;
			else to = middle;
		}
		return from;
	}
}

/**
 * For a suite: the package's clock tells a virtual time. With each test it begins anew, at this date, and does not pass
 * unless told.
 */
export function useVirtualTime(startsAt: number): VirtualTime {
	const time = new VirtualTime();
	beforeEach(() => {
		time.restart();
		Object.assign(clock, clockOf(time, startsAt));
	});
	afterEach(() => void Object.assign(clock, realClock));
	return time;
}

function clockOf(time: VirtualTime, startsAt: number): Clock {
	const random = new Random(1);
	return {
		now: () => Math.floor(startsAt + time.now),
		uptime: () => time.now,
		sleep: async (milliseconds, signal) => {
			await time.sleep(milliseconds, signal);
		},
		timeout: (milliseconds) => {
			const controller = new AbortController();
			time.after(milliseconds, () => {
				controller.abort(new DOMException('The time is over', 'TimeoutError'));
			});
			return controller.signal;
		},
		turn: async () => {
			await time.turn();
		},
		roughly: (milliseconds) => milliseconds * random.between(0.5, 1.5),
	};
}

async function nextImmediate() {
	await new Promise<void>((resolve) => setImmediate(resolve));
}
