import { watchContinuations } from '../measure/continuations.mjs';
import { countsOf } from '../measure/counts.mjs';
import { processorTimeOf } from '../measure/processor.mjs';
import { median, quantile } from '../measure/statistics.mjs';
import { countExecutions, untilCount } from '../measure/untilCount.mjs';
import { withRetries } from '../retry.mjs';
import { callTo, itemsOfBody, webhook } from './nodes.mjs';

/** More would only wait for each other in n8n. */
const startsAtOnce = 10;

/**
 * Starts executions that wait in the given nodes, and then ends their waits one after another. `waits` is called when all
 * wait, and gives for each row how to end its wait; ending it resolves with a function that tells the time of the event.
 */
export function waitingExecutions(name, { note, nodes, begin, waits }) {
	return {
		name,
		note,
		inN8n: true,
		run: async (testbed, rows) => {
			const continuations = await watchContinuations();
			try {
				const { child } = await testbed.n8n();
				await begin?.(testbed);
				await startAll(testbed, nodes(testbed), rowsCalling(rows, continuations));
				const { end, timesOfEvents, ...metrics } = await waits(testbed, rows, continuations);
				const cost = await costSince(testbed, child);
				const continued = new Map();
				for (const { 'External ID': id } of rows) {
					await end(id);
					continued.set(id, await continuations.by(id));
				}
				const { processorMs, requests } = await cost(rows.length);
				const times = await timesOfEvents();
				const delays = [...continued]
					.filter(([, at]) => at !== undefined)
					.map(([id, at]) => at - times.get(id));
				return {
					...metrics,
					continued: delays.length,
					again: continuations.count - delays.length,
					eventP50Ms: median(delays),
					eventP99Ms: quantile(delays, 0.99),
					requestsEach: requests,
					processorMs,
				};
			} finally {
				continuations.stop();
			}
		},
	};
}

/** What n8n and Documenso spend from now on, for each of so many. */
export async function costSince({ emulator }, { pid }) {
	const requestsSoFar = async () => countsOf(await emulator.counts()).requests;
	const [requests, processor] = [await requestsSoFar(), processorTimeOf(pid)];
	return async (count) => ({
		requests: ((await requestsSoFar()) - requests) / count,
		processorMs: processor === undefined ? undefined : (processorTimeOf(pid) - processor) / count,
	});
}

function rowsCalling(rows, continuations) {
	return rows.map((row) => ({ ...row, callback: continuations.urlFor(row['External ID']) }));
}

async function startAll(testbed, nodes, rows) {
	const { rest, url } = await testbed.n8n();
	const path = `wait-${nodes.at(-1).name.toLowerCase()}`;
	const id = await testbed.publish([webhook(path), itemsOfBody, ...nodes, callBack]);
	const countWaiting = () => countExecutions(rest, id, 'waiting');
	const wanted = (await countWaiting()) + rows.length;
	const queue = rows.values();
	const startInTurn = async () => {
		for (const row of queue) await withRetries(() => start(`${url}/webhook/${path}`, row));
	};
	await Promise.all(Array.from({ length: startsAtOnce }, startInTurn));
	const count = await untilCount(countWaiting, wanted);
	if (count < wanted) throw new Error(`Only ${count} executions wait.`);
}

async function start(url, row) {
	const response = await fetch(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ items: [row] }),
	});
	await response.arrayBuffer();
	if (!response.ok) throw new Error(`The start of an execution was answered ${response.status}.`);
}

const callBack = callTo('Go On', "={{ $('Items').item.json.callback }}");
