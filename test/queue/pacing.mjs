import { setTimeout as sleep } from 'node:timers/promises';

import { countsOf } from '../../bench/measure/counts.mjs';
import { waitForWindow } from '../../bench/measure/rateLimitWindow.mjs';
import { rowsOf } from './stage.mjs';
import { seconds } from './units.mjs';

const executions = 5;
const pauseMs = 1000;
const millisecondsPerMinute = 60_000;

/** Executions on so many workers share the limit of 1,000 requests a minute with each other, and with another program. */
export async function pacing(workers, stage, count) {
	const { cluster, emulator } = stage;
	await stage.begin('rows');
	while (cluster.workers.length > workers) await cluster.dismiss(cluster.workers[0]);
	while (cluster.workers.length < workers) await cluster.addWorker();
	const rows = rowsOf(count);
	await waitForWindow();
	await emulator.forgetCalls();
	const other = anotherProgram(stage);
	const cost = cluster.costs();
	const since = Date.now();
	await stage.start('rows', rows, executions);
	await stage.ended('rows', executions);
	const ms = Date.now() - since;
	const others = await other.stop();
	const documents = await stage.documents();
	const done = new Set(documents.map(({ externalId }) => externalId)).size;
	const { requests, refused, maxInFlight } = countsOf(await emulator.counts());
	return [
		{
			what: 'rows',
			sent: count,
			accepted: count,
			executions,
			duplicates: documents.length - done,
			failed: (await stage.failed('rows')).length,
			lost: count - done,
			processorMs: cost(count),
			notes: [
				`${Math.round((count / ms) * millisecondsPerMinute)} rows a minute (${seconds(ms)}), ${requests} requests, at most ${maxInFlight} at once, ${refused - others.refused} refused with 429`,
				`another program sent ${others.sent} requests meanwhile, and ${others.refused} were refused`,
			],
		},
	];
}

/** Sends a small request every second, from the same address. */
function anotherProgram({ emulator, apiToken }) {
	let isStopped = false;
	const counts = { sent: 0, refused: 0 };
	const work = (async () => {
		while (!isStopped) {
			const headers = { authorization: apiToken };
			const { status } = await fetch(`${emulator.url}/api/v2/folder?perPage=1`, { headers });
			counts.sent++;
			if (status === 429) counts.refused++;
			await sleep(pauseMs);
		}
		return counts;
	})();
	return {
		stop: () => {
			isStopped = true;
			return work;
		},
	};
}
