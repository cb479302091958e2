import { setTimeout as sleep } from 'node:timers/promises';

/** What is there in the end: n8n publishes, and the local Documenso seals, a moment after its answer. */
export async function eventually<What>(
	look: () => Promise<What | undefined>,
	patienceMs = 60_000,
): Promise<What> {
	const deadline = Date.now() + patienceMs;
	for (;;) {
		const found = await look();
		if (found !== undefined) return found;
		if (Date.now() > deadline) throw new Error(`Not there after ${patienceMs} ms`);
		await sleep(200);
	}
}
