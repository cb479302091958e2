import { setTimeout as sleep } from 'node:timers/promises';

import { settleEvents } from './events.mjs';
import { COMPLETED } from './stage.mjs';

const betweenEventsMs = 1000;
/** How often an event reaches each webhook process, in the same moment. */
const times = 2;

/** No load balancer keeps a trigger's deliveries together: each event reaches both webhook processes at once. */
export async function repeats(stage, count) {
	const { cluster, emulator } = stage;
	await stage.begin('events');
	await stage.looked();
	for (const { url } of cluster.webhooks) await stage.deliverTo('events', [COMPLETED], url);
	const since = Date.now();
	for (const id of await emulator.makeDocuments(stage.template.id, count)) {
		await emulator.deliver(COMPLETED, id, times);
		await sleep(betweenEventsMs);
	}
	return [{ what: 'events', mayRepeat: true, ...(await settleEvents(stage, since)) }];
}
