import { setTimeout as sleep } from 'node:timers/promises';

const retryForMs = 30_000;
const pauseMs = 500;

/** Asks n8n again for a while: under load it holds its own database for unreachable now and then. */
export async function withRetries(ask) {
	const deadline = Date.now() + retryForMs;
	for (;;) {
		try {
			return await ask();
		} catch (error) {
			if (Date.now() > deadline) throw error;
			await sleep(pauseMs);
		}
	}
}
