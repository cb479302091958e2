import { rowsOf, until } from './stage.mjs';
import { sum } from './sum.mjs';

/** After which a document may be finished. */
const finalEvents = [
	'DOCUMENT_CANCELLED',
	'DOCUMENT_COMPLETED',
	'DOCUMENT_REJECTED',
	'RECIPIENT_EXPIRED',
];

/**
 * Executions that wait for signatures go on in another worker: those in which they began to wait are gone. The main
 * process takes no webhooks, so all that wakes them arrives at a webhook process.
 */
export async function waits(stage, count) {
	const { cluster, emulator, sink } = stage;
	await stage.begin('waits', 'wakes');
	await stage.deliverTo('wakes', finalEvents);
	const rows = rowsOf(count);
	await stage.start('waits', rows, count);
	await until(async () => (await cluster.executions(stage.workflows.waits)).waiting === count);
	const since = Date.now();
	const before = [...cluster.workers];
	await Promise.all(before.map(() => cluster.addWorker()));
	for (const worker of before) await cluster.dismiss(worker);
	for (const { recipients } of await stage.documents()) await emulator.sign(recipients[0].token);
	await until(async () => !(await cluster.executions(stage.workflows.waits)).waiting);
	await stage.ended('waits', count);
	const calls = rows.map((row) => sink.callsAbout(row['External ID']));
	const { success = 0, ...others } = await cluster.executions(stage.workflows.waits);
	return [
		{
			what: 'executions that wait',
			sent: count,
			accepted: count,
			executions: success + sum(Object.values(others)),
			duplicates: sum(calls.map(({ length }) => Math.max(0, length - 1))),
			failed: sum(Object.values(others)),
			lost: calls.filter(({ length }) => length === 0).length,
			recoveredMs: Math.max(...calls.flat().map(({ at }) => at)) - since,
		},
	];
}
