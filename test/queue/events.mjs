import { setTimeout as sleep } from 'node:timers/promises';

import { COMPLETED, until } from './stage.mjs';
import { sum } from './sum.mjs';

const aMinuteMs = 60_000;
const tenMinutesMs = 600_000;
/** How long the trigger may take to find what no delivery has told. */
const catchUpMs = 300_000;

/** How long the trigger leaves what it has found to a delivery that may be under way, and until its next poll. */
const leftToDeliveryMs = 45_000;

/** Documents are signed while no process of n8n runs. */
export async function whileDown(stage, count) {
	const { cluster, emulator } = stage;
	const documents = await withDocuments(stage, count);
	const processes = await killAll(cluster);
	for (const { recipients } of documents) {
		await emulator.sign(recipients[0].token);
		await sleep(tenMinutesMs / count);
	}
	const since = Date.now();
	await startAll(processes);
	return [{ what: 'events', ...(await settleEvents(stage, since)) }];
}

/** Each event is delivered when it happens, a minute later, and after all processes of n8n have been killed and started. */
export async function threeTimes(stage, count) {
	const { cluster, emulator } = stage;
	const documents = await withDocuments(stage, count);
	const since = Date.now();
	for (const { recipients } of documents) await emulator.sign(recipients[0].token);
	const again = async () => {
		for (const { id } of documents) await emulator.deliver(COMPLETED, id, 1);
		await stage.deliveries();
	};
	await sleep(aMinuteMs);
	await again();
	await startAll(await killAll(cluster));
	await again();
	return [{ what: 'events', ...(await settleEvents(stage, since)) }];
}

/** Documents that are sent, and a trigger that has taken stock of them. */
async function withDocuments(stage, count) {
	const { apiToken, emulator, template } = stage;
	await stage.begin('events');
	await stage.deliverTo('events', [COMPLETED]);
	for (const envelopeId of await emulator.makeDocuments(template.id, count)) {
		await fetch(`${emulator.url}/api/v2/envelope/distribute`, {
			method: 'POST',
			headers: { authorization: apiToken, 'content-type': 'application/json' },
			body: JSON.stringify({ envelopeId }),
		});
	}
	await stage.looked();
	return await stage.documents();
}

async function killAll({ main, webhooks, workers }) {
	const processes = [main, ...webhooks, ...workers];
	await Promise.all(processes.map((process) => process.kill()));
	return processes;
}

/** The main process first, because it tells the others of workflows. */
async function startAll([main, ...others]) {
	await main.start();
	await Promise.all(others.map((process) => process.start()));
}

/** What has become of the event of each document, once the trigger has looked for those that no delivery brought. */
export async function settleEvents(stage, since) {
	const { cluster, sink, workflows } = stage;
	const documents = (await stage.documents()).map(({ id }) => id);
	const deliveries = await stage.deliveries();
	const accepted = new Set(deliveries.filter(({ isAccepted }) => isAccepted).map(({ id }) => id));
	const hasRun = (id) => sink.callsAbout(id).length > 0;
	await until(async () => documents.every(hasRun), catchUpMs).catch(() => undefined);
	// What comes now would be too much.
	await stage.looked();
	await sleep(leftToDeliveryMs);
	await stage.ended('events', 1);
	const failed = await stage.failed('events');
	const isShown = (id) => failed.some(({ data }) => data.includes(id));
	const calls = documents.map((id) => sink.callsAbout(id));
	const ran = sum(calls.map(({ length }) => length));
	const found = calls.flat().filter(({ via }) => via === 'check').length;
	const executions = sum(Object.values(await cluster.executions(workflows.events)));
	return {
		sent: documents.length,
		accepted: accepted.size,
		executions: ran,
		duplicates: sum(calls.map(({ length }) => Math.max(0, length - 1))),
		failed: failed.length,
		failedExecutions: failed.map(({ id }) => id),
		lost: documents.filter((id) => !hasRun(id) && !isShown(id)).length,
		recoveredMs: Math.max(...calls.map(([first]) => first?.at ?? 0)) - since,
		notes: [
			`Documenso delivered ${deliveries.length} times; the trigger found ${found} events by looking; ${executions - ran} more executions ended at once`,
		],
	};
}
