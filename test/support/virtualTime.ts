import { clock, type Clock } from '../../nodes/shared/api/clock';
import { nextTurn } from '../../nodes/shared/api/turns';
import { realClock } from './hurry';
import { Random } from './random';

interface Event {
	time: number;
	work: () => void;
}

/** A time that passes only from one event to the next. All times are milliseconds since its beginning. */
export class VirtualTime {
	now = 0;
	/** The next one last. */
	private events: Event[] = [];

	at(time: number, work: () => void) {
		const event = { time: Math.max(time, this.now), work };
		let place = this.events.length;
		// Of those at the same time, the first one asked for comes first.
		while (place > 0 && (this.events[place - 1] as Event).time <= event.time) place--;
		this.events.splice(place, 0, event);
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

	/** Runs until nothing is left to happen. Returns whether that was so before the end. */
	async run(end = Infinity): Promise<boolean> {
		await quiet();
		for (let event; (event = this.events.at(-1));) {
			if (event.time > end) return false;
			this.events.pop();
			this.now = event.time;
			event.work();
			await quiet();
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
		this.events = [];
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
		roughly: (milliseconds) => milliseconds * random.between(0.5, 1.5),
	};
}

/** Until all promises that can be settled are settled: those, too, that let others have their turn. */
async function quiet() {
	for (let turn = 0; turn < 3; turn++) {
		await nextTurn();
		await new Promise<void>((resolve) => setImmediate(resolve));
	}
}
