import { setTimeout as sleep } from 'node:timers/promises';

import { watchContinuations } from '../measure/continuations.mjs';
import { median } from '../measure/statistics.mjs';
import { withRetries } from '../retry.mjs';

const connections = 50;
/** More than Documenso's 10, so that slow replies are measured too. */
const timeoutSeconds = 60;
const millisecondsPerSecond = 1000;
/** If nothing is recorded for so long, no more executions are expected. */
const quietMs = 20_000;
/** Deliveries that come when n8n has nothing else to do. */
export const single = 20;

/** A node that starts a workflow for each delivery, and does nothing else. */
export function webhookReceiver(name, nodeAndPath) {
	return {
		name,
		inN8n: true,
		run: async (testbed, { count, next }) => {
			const { rest, url } = await testbed.n8n();
			const { path, ...node } = nodeAndPath(testbed);
			const id = await testbed.publish([node]);
			const headers = headersOf(testbed);
			const address = `${url}/webhook/${path}`;
			const earlier = await recorded(rest, id);
			await withRetries(() => deliver(address, { headers, body: next() }));
			const before = await untilRecorded(rest, id, earlier + 1);
			await testbed.fillHistory(id);
			const metrics = await deliverAll(address, { count, next, headers, connections });
			const after = await untilRecorded(rest, id, before + metrics.accepted);
			return { ...metrics, recorded: after - before };
		},
	};
}

/**
 * Nodes that start a workflow for each delivery and get what it needs, and one behind them that calls the address which the
 * external ID of the document holds: `externalId` is an expression for that. Measures how many go on in a second if many
 * deliveries come at once, and how long each takes if they come one after another.
 */
export function receiverWithNext(name, { note, nodes, externalId }) {
	return {
		name,
		note,
		inN8n: true,
		run: async (testbed, { count, next }) => {
			const continuations = await watchContinuations();
			try {
				const { url } = await testbed.n8n();
				const [{ path, ...first }, ...others] = nodes(testbed);
				const id = await testbed.publish([first, ...others, goOn(externalId)]);
				const headers = headersOf(testbed);
				const address = `${url}/webhook/${path}`;
				const deliverOne = async (name) => {
					const body = next(continuations.urlFor(name));
					await withRetries(() => deliver(address, { headers, body }));
					return await continuations.by(name);
				};
				await deliverOne('first');
				await testbed.fillHistory(id);

				const started = Date.now();
				let made = 0;
				const numbered = () => next(continuations.urlFor(`${++made}`));
				const settings = { count, next: numbered, headers, connections };
				const { accepted } = await deliverAll(address, settings);
				await untilCount(continuations, accepted + 1);
				const continued = continuations.count - 1;
				const ms = Date.now() - started;

				const delays = [];
				for (let one = 1; one <= single; one++) {
					const at = Date.now();
					delays.push((await deliverOne(`single-${one}`)) - at);
				}
				const perSecond = (continued / ms) * millisecondsPerSecond;
				return { perSecond, accepted, continued, eventP50Ms: median(delays) };
			} finally {
				continuations.stop();
			}
		},
	};
}

function goOn(externalId) {
	return {
		name: 'Go On',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.5,
		parameters: { method: 'POST', url: externalId, options: {} },
	};
}

function headersOf({ webhookSecret }) {
	return { 'content-type': 'application/json', 'x-documenso-secret': webhookSecret };
}

async function untilCount(continuations, wanted) {
	let [count, changedAt] = [continuations.count, Date.now()];
	while (count < wanted && Date.now() - changedAt < quietMs) {
		await sleep(20);
		if (continuations.count > count) [count, changedAt] = [continuations.count, Date.now()];
	}
}

/** Fails for a moment after the node was published, as it does not listen at once. */
async function deliver(url, { headers, body }) {
	const { status } = await fetch(url, { method: 'POST', headers, body });
	if (status !== 200) throw new Error(`A delivery was answered with ${status}.`);
}

export async function deliverAll(url, { count, next, headers, connections }) {
	// Imported here, because on a fresh clone nothing is installed when this file loads.
	const { default: autocannon } = await import('autocannon');
	const setupRequest = (request) => ({ ...request, body: next() });
	const started = performance.now();
	const result = await autocannon({
		url,
		connections,
		timeout: timeoutSeconds,
		amount: count,
		requests: [{ method: 'POST', headers, setupRequest }],
	});
	const ms = performance.now() - started;
	const accepted = result['2xx'];
	const perSecond = (accepted / ms) * millisecondsPerSecond;
	return { ms, perSecond, accepted, p50Ms: result.latency.p50, p99Ms: result.latency.p99 };
}

async function untilRecorded(rest, workflowId, wanted) {
	let count = await recorded(rest, workflowId);
	let changedAt = Date.now();
	while (count < wanted && Date.now() - changedAt < quietMs) {
		await sleep(500);
		const now = await recorded(rest, workflowId);
		if (now > count) changedAt = Date.now();
		count = now;
	}
	return count;
}

/** How many executions of the workflow n8n has recorded as successful. */
async function recorded(rest, workflowId) {
	const filter = encodeURIComponent(JSON.stringify({ workflowId, status: ['success'] }));
	const path = `/executions?limit=1&filter=${filter}`;
	const { count } = await withRetries(() => rest.request('GET', path));
	return count;
}
