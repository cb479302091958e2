import { setTimeout as sleep } from 'node:timers/promises';

/** The local Documenso counts requests in minutes of the clock, as the service does. */
export const windowMs = 60_000;
const wholeMs = windowMs - 100;

/** Waits until the current window of the rate limit has at least this much time left; by default, all of it. */
export async function waitForWindow(milliseconds = wholeMs) {
	const left = windowMs - (Date.now() % windowMs);
	if (left < milliseconds) await sleep(left);
}
