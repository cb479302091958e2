import { nextTurn } from '../../../nodes/shared/api/turns';

interface Event {
	time: number;
	work: () => void;
}

/** A time that passes only from one event to the next. All times are milliseconds since the schedule's beginning. */
export class VirtualTime {
	now = 0;
	private events: Event[] = [];

	at(time: number, work: () => void) {
		const event = { time: Math.max(time, this.now), work };
		const place = this.events.findIndex((other) => other.time > event.time);
		this.events.splice(place < 0 ? this.events.length : place, 0, event);
	}

	after(milliseconds: number, work: () => void) {
		this.at(this.now + milliseconds, work);
	}

	/** Runs until nothing is left to happen. Returns whether that was so before the end. */
	async run(end: number): Promise<boolean> {
		for (let event; (event = this.events.shift());) {
			if (event.time > end) return false;
			this.now = event.time;
			event.work();
			await quiet();
		}
		return true;
	}
}

/** Until all promises that can be settled are settled: those, too, that let others have their turn. */
async function quiet() {
	for (let turn = 0; turn < 3; turn++) {
		await nextTurn();
		await new Promise<void>((resolve) => setImmediate(resolve));
	}
}
