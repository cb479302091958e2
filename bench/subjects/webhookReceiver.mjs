import { watchContinuations } from '../measure/continuations.mjs';
import { median } from '../measure/statistics.mjs';
import { countExecutions, untilCount } from '../measure/untilCount.mjs';
import { withRetries } from '../retry.mjs';
import { callTo } from './nodes.mjs';

const connections = 50;
/** More than Documenso's 10, so that slow replies are measured too. */
const timeoutSeconds = 60;
const millisecondsPerSecond = 1000;
/** Deliveries that come when n8n has nothing else to do. */
export const single = 20;

/** A node that starts a workflow for each delivery, and does nothing else. */
export function webhookReceiver(name, nodeAndPath) {
	return {
		name,
		inN8n: true,
		run: async (testbed, { count, next }) => {
			const { rest } = await testbed.n8n();
			const receiver = await publishReceiver(testbed, [nodeAndPath(testbed)]);
			const recorded = () => countExecutions(rest, receiver.id, 'success');
			const earlier = await recorded();
			await receiver.take(next());
			const before = await untilCount(recorded, earlier + 1);
			await testbed.fillHistory(receiver.id);
			const metrics = await receiver.takeAll(count, next);
			const after = await untilCount(recorded, before + metrics.accepted);
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
				// The credentials exist only when n8n runs.
				await testbed.n8n();
				const goOn = callTo('Go On', externalId);
				const receiver = await publishReceiver(testbed, [...nodes(testbed), goOn]);
				const takeOne = async (name) => {
					await receiver.take(next(continuations.urlFor(name)));
					return await continuations.by(name);
				};
				await takeOne('first');
				await testbed.fillHistory(receiver.id);

				const started = Date.now();
				let made = 0;
				const numbered = () => next(continuations.urlFor(`${++made}`));
				const { accepted } = await receiver.takeAll(count, numbered);
				const continued = (await untilCount(() => continuations.count, accepted + 1, 20)) - 1;
				const ms = Date.now() - started;

				const delays = [];
				for (let one = 1; one <= single; one++) {
					const at = Date.now();
					delays.push((await takeOne(`single-${one}`)) - at);
				}
				const perSecond = (continued / ms) * millisecondsPerSecond;
				return { perSecond, accepted, continued, eventP50Ms: median(delays) };
			} finally {
				continuations.stop();
			}
		},
	};
}

/** The first node has the path of its webhook besides. */
async function publishReceiver(testbed, [{ path, ...first }, ...others]) {
	const id = await testbed.publish([first, ...others]);
	const address = `${(await testbed.n8n()).url}/webhook/${path}`;
	const headers = {
		'content-type': 'application/json',
		'x-documenso-secret': testbed.webhookSecret,
	};
	return {
		id,
		take: (body) => withRetries(() => deliver(address, { headers, body })),
		takeAll: (count, next) => deliverAll(address, { count, next, headers, connections }),
	};
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
