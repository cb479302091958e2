import { setTimeout as sleep } from 'node:timers/promises';

import { onceForEachEvent, removeRepeated } from '../../demo/examples.mjs';
import { COMPLETED } from './stage.mjs';
import { sum } from './sum.mjs';

const betweenEventsMs = 1000;
/** How often an event reaches each webhook process, in the same moment. */
const times = 2;

/**
 * No load balancer keeps a trigger's deliveries together: each event reaches both webhook processes at once. What of it
 * goes on, with nothing behind the trigger and with each of n8n's ways to remember events.
 */
export async function repeats(stage, count) {
	const { cluster, credential, emulator, sink } = stage;
	await stage.begin('events');
	const document = "$('When everybody has signed').first().json.document.id";
	const tell = (way) => `=${sink.url}/${way}/{{ ${document} }}`;
	const table = await stage.add('table', await onceForEachEvent(credential, tell('table')));
	await cluster.rest.run(table, 'When you click Execute', 60_000);
	await stage.add('remover', await removeRepeated(credential, tell('remover')));
	for (const { url } of cluster.webhooks) {
		for (const path of stage.triggers) await stage.deliverTo(path, [COMPLETED], url);
	}
	const ids = await emulator.makeDocuments(stage.template.id, count);
	for (const id of ids) {
		await emulator.deliver(COMPLETED, id, times);
		await sleep(betweenEventsMs);
	}
	await stage.deliveries();
	const ways = {
		webhook: 'events, nothing behind the trigger',
		remover: 'events, Remove Duplicates',
		table: 'events, noted in a data table',
	};
	for (const name of ['events', 'remover', 'table']) await stage.ended(name, count);
	return Object.entries(ways).map(([way, what]) => {
		const ran = ids.map((id) => sink.callsAbout(id).filter(({ via }) => via === way).length);
		return {
			what,
			mayRepeat: true,
			sent: count,
			accepted: count,
			executions: sum(ran),
			duplicates: sum(ran.map((one) => Math.max(0, one - 1))),
			lost: ran.filter((one) => one === 0).length,
		};
	});
}
