import { nextTurn } from '../api/turns';

/** What reading a file may cost: so many steps to begin with, and more for each of its bytes. */
const FREE_STEPS = 8 * 1024 * 1024;
const STEPS_PER_BYTE = 1;
/** So many take about ten milliseconds, in which nothing else happens in n8n. */
const STEPS_AT_ONCE = 60_000;
/** To copy or unpack so many, or to look for something in them, takes as long as a step. */
const BYTES_PER_STEP = 8;

/** Since everything else had its turn, in all files together: several may be read at once. */
const turn: { steps: number; next?: Promise<void> } = { steps: 0 };

/** Thrown where Documenso may know more: at what no real file has so much of, or at another way to pack data. */
export class CannotTell extends Error {}

/**
 * Counts what reading a file costs; a step is a character that is looked at, or what takes as long. It is not the time,
 * so that the same file always has the same outcome.
 */
export class Steps {
	/** Of the file. */
	bytes = 0;
	taken = 0;

	/** Throws if the file may not cost that much. Lets everything else in n8n have its turn. */
	async take(steps: number) {
		this.taken += steps;
		const most = FREE_STEPS + STEPS_PER_BYTE * this.bytes;
		if (this.taken > most) throw new CannotTell('The file takes too long to read');
		turn.steps += steps;
		// After it, another file may have been faster.
		while (turn.steps > STEPS_AT_ONCE) await (turn.next ??= begun());
	}

	/** The same for passing over so many bytes. */
	async pass(bytes: number) {
		await this.take(bytes / BYTES_PER_STEP);
	}
}

async function begun() {
	await nextTurn();
	turn.steps = 0;
	turn.next = undefined;
}
