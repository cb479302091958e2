import { randomBytes } from 'node:crypto';

import { sleep } from 'n8n-workflow';

export interface Clock {
	/** Milliseconds since the epoch: for people, and to compare with Documenso's dates. */
	now(): number;
	/** Milliseconds since the process began, by a clock that nobody sets. */
	uptime(): number;
	/** Throws as soon as the signal is aborted. */
	sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
	timeout(milliseconds: number): AbortSignal;
	/** Lets everything else in the process have its turn. */
	turn(): Promise<void>;
	/** About this time, at random: what several processes do must not always happen at the same moment. */
	roughly(milliseconds: number): number;
}

/** A pause that, unlike `sleep`, keeps no process from ending. */
export async function idle(milliseconds: number): Promise<void> {
	const signal = clock.timeout(Math.ceil(milliseconds));
	await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}

/** The only clock of the package. Tests let time pass faster by it, or set it. */
export const clock: Clock = {
	now: () => Date.now(),
	uptime: () => performance.now(),
	sleep,
	timeout: (milliseconds) => AbortSignal.timeout(milliseconds),
	// Not a timer: those that end meanwhile would go on at once, before anything from a socket.
	turn: async () => {
		await new Promise((resolve) => randomBytes(1, resolve));
	},
	roughly: (milliseconds) => milliseconds * (0.5 + Math.random()),
};
