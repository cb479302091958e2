import { setTimeout as sleep } from 'node:timers/promises';

import { settleEvents } from './events.mjs';
import { COMPLETED } from './stage.mjs';

const apartMs = 1000;
/** How often an event reaches a webhook process, in the same moment. */
const times = 2;
/** Of events that reach both webhook processes in the same moment, how many may run twice (docs/benchmarks.md: Numbers behind decisions). */
const mostTwice = 0.4;

/** No load balancer keeps a trigger's deliveries together: each event reaches both webhook processes, at once or a second apart. */
export async function repeats(stage, count) {
	const urls = stage.cluster.webhooks.map(({ url }) => url);
	const atOnce = await deliverEach(stage, count, [urls]);
	const apart = await deliverEach(
		stage,
		count,
		urls.map((url) => [url]),
	);
	return [
		{ what: 'events, at once', mostDuplicates: mostTwice * count, ...atOnce },
		{ what: 'events, a second apart', ...apart },
	];
}

/** Delivers each event to some of the webhook processes at once, and a second later to the next of them. */
async function deliverEach(stage, count, rounds) {
	const { emulator } = stage;
	await stage.begin('events');
	await stage.looked();
	const since = Date.now();
	for (const id of await emulator.makeDocuments(stage.template.id, count)) {
		for (const urls of rounds) {
			await emulator.forgetWebhooks();
			for (const url of urls) await stage.deliverTo('events', [COMPLETED], url);
			await emulator.deliver(COMPLETED, id, times);
			await stage.deliveries();
			await sleep(apartMs);
		}
	}
	return await settleEvents(stage, since);
}
