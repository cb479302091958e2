import { nextTurn } from '../api/turns';

/** What a file may cost: so many steps to begin with, more for each of its bytes, and never more than this. */
const FREE_STEPS = 500_000;
const STEPS_PER_BYTE = 10;
const MOST_STEPS = 20_000_000;
/** So many take about ten milliseconds, in which nothing else happens in n8n. */
const STEPS_AT_ONCE = 50_000;
/** To pass over so many takes as long as a step. */
const CHARACTERS_PER_STEP = 8;

/** Since everything else had its turn, in all files together: several may be read at once. */
const turn: { steps: number; next?: Promise<void> } = { steps: 0 };

/**
 * Counts what reading a file costs; a step is a token, or what takes as long. It is not the time, so that the same file
 * always has the same outcome.
 */
export class Steps {
	taken = 0;

	/** How many more a file of so many bytes may cost. */
	left(bytes: number): number {
		return Math.min(FREE_STEPS + STEPS_PER_BYTE * bytes, MOST_STEPS) - this.taken;
	}

	/** Whether a pause is due. Throws if a file of so many bytes may not cost that much. */
	take(steps: number, bytes: number): boolean {
		if (steps > this.left(bytes)) throw new Error('The file takes too long to read');
		this.taken += steps;
		turn.steps += steps;
		return turn.steps > STEPS_AT_ONCE;
	}

	/** Whether a pause is due after so many characters were passed over. */
	pass(characters: number): boolean {
		turn.steps += characters / CHARACTERS_PER_STEP;
		return turn.steps > STEPS_AT_ONCE;
	}

	/** Lets everything else in n8n have its turn. */
	async pause() {
		// After it, another file may have been faster.
		while (turn.steps > STEPS_AT_ONCE) await (turn.next ??= begun());
	}
}

async function begun() {
	await nextTurn();
	turn.steps = 0;
	turn.next = undefined;
}
