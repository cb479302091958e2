import { deliveries } from '../../bench/subjects/deliveries.mjs';
import { deliverAll } from '../../bench/subjects/webhookReceiver.mjs';
import { sum } from './sum.mjs';
import { perSecond } from './units.mjs';

const connections = 50;

/**
 * As many deliveries as n8n takes, straight to some of the webhook processes. There are no workers meanwhile, as if they
 * had processors of their own; they work on the queue afterwards.
 */
export async function deliveriesTo(processes, stage, count) {
	const { cluster, emulator, template, webhookSecret } = stage;
	await stage.begin('events');
	const next = await deliveries(emulator, template, count);
	const headers = { 'content-type': 'application/json', 'x-documenso-secret': webhookSecret };
	for (const worker of cluster.workers) await cluster.dismiss(worker);
	const costOfTaking = cluster.costs();
	const started = Date.now();
	const results = await Promise.all(
		cluster.webhooks.slice(0, processes).map(({ url }) =>
			deliverAll(`${url}/webhook/events/webhook`, {
				count: count / processes,
				next,
				headers,
				connections: connections / processes,
			}),
		),
	);
	const takenMs = Date.now() - started;
	const taking = costOfTaking(count);
	await Promise.all([cluster.addWorker(), cluster.addWorker()]);
	const costOfExecuting = cluster.costs();
	const before = (await cluster.executions(stage.workflows.events)).success ?? 0;
	const resumed = Date.now();
	await stage.ended('events', count);
	const executedMs = Date.now() - resumed;
	const executing = costOfExecuting(count - before);
	const accepted = sum(results.map((one) => one.accepted));
	const { success = 0, ...failed } = await cluster.executions(stage.workflows.events);
	const [p50, p99] = ['p50Ms', 'p99Ms'].map((name) => Math.max(...results.map((one) => one[name])));
	return [
		{
			what: 'deliveries',
			sent: count,
			accepted,
			executions: success,
			failed: sum(Object.values(failed)),
			lost: accepted - success,
			takenPerSecond: perSecond(accepted, takenMs),
			executedPerSecond: perSecond(success - before, executedMs),
			processorMs: { taking, executing },
			notes: [
				`${perSecond(accepted, takenMs).toFixed(1)} taken a second, half of them within ${p50} ms and 99 % within ${p99} ms`,
				`${perSecond(success - before, executedMs).toFixed(1)} executed a second by two workers afterwards`,
			],
		},
	];
}
