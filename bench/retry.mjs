import { setTimeout as sleep } from 'node:timers/promises';

const retryForMs = 30_000;
const pauseMs = 500;

/** Retries a request to n8n for a while: under load, n8n sometimes reports that its database is unreachable. */
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
