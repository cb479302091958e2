import { setTimeout as sleep } from 'node:timers/promises';

import { COMPLETED, until } from './stage.mjs';
import { sum } from './sum.mjs';

const aMinuteMs = 60_000;
/** With 300 documents, n8n is down for ten minutes. */
const betweenSignaturesMs = 2000;
/** How many documents are signed before the trigger's first look, and after it. */
const signedEach = 20;

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
		await sleep(betweenSignaturesMs);
	}
	const since = Date.now();
	await startAll(processes);
	return [{ what: 'events', ...(await settleEvents(stage, since)) }];
}

/**
 * Each event is delivered when it happens, a minute later, and after all processes of n8n have been killed and started. The
 * trigger adds the signed PDF.
 */
export async function threeTimes(stage, count) {
	const { cluster, emulator } = stage;
	const documents = await withDocuments(stage, count, 'filed');
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
	return [{ what: 'events', ...(await settleEvents(stage, since, 'filed')) }];
}

/** The trigger is published where many documents are, some of them signed. Then more are signed, and nothing is delivered. */
export async function firstLook(stage, count) {
	const { emulator, sink, template } = stage;
	await stage.begin();
	const ids = await emulator.makeDocuments(template.id, count);
	await send(stage, ids.slice(0, 2 * signedEach));
	const sent = (await stage.documents()).filter(({ status }) => status === 'PENDING');
	const [before, after] = [sent.slice(0, signedEach), sent.slice(signedEach)];
	for (const { recipients } of before) await emulator.sign(recipients[0].token);
	await emulator.forgetCalls();
	await stage.add('events');
	await stage.looked();
	const { calls } = await emulator.counts();
	const requests = sum(Object.values(calls).flatMap((byStatus) => Object.values(byStatus)));
	const since = Date.now();
	for (const { recipients } of after) await emulator.sign(recipients[0].token);
	const callsAbout = (documents) => documents.flatMap(({ id }) => sink.callsAbout(id));
	await until(async () => callsAbout(after).length >= signedEach, catchUpMs).catch(() => undefined);
	await stage.looked();
	await sleep(leftToDeliveryMs);
	const ran = callsAbout(await stage.documents());
	const lost = after.filter(({ id }) => sink.callsAbout(id).length === 0).length;
	return [
		{
			what: 'events',
			sent: signedEach,
			accepted: 0,
			executions: ran.length,
			duplicates: ran.length - signedEach + lost,
			failed: (await stage.failed('events')).length,
			lost,
			recoveredMs: Math.max(...ran.map(({ at }) => at)) - since,
			notes: [`Taking stock of ${count} documents and one more look took ${requests} requests`],
		},
	];
}

/** Documents that are sent, and a trigger that has taken stock of them. */
async function withDocuments(stage, count, workflow = 'events') {
	const { emulator, template } = stage;
	await stage.begin(workflow);
	await stage.deliverTo(workflow, [COMPLETED]);
	await send(stage, await emulator.makeDocuments(template.id, count));
	await stage.looked();
	return await stage.documents();
}

async function send({ apiToken, emulator }, ids) {
	for (const envelopeId of ids) {
		await fetch(`${emulator.url}/api/v2/envelope/distribute`, {
			method: 'POST',
			headers: { authorization: apiToken, 'content-type': 'application/json' },
			body: JSON.stringify({ envelopeId }),
		});
	}
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
export async function settleEvents(stage, since, workflow = 'events') {
	const { cluster, sink, workflows } = stage;
	const documents = (await stage.documents()).map(({ id }) => id);
	const deliveries = await stage.deliveries();
	const accepted = new Set(deliveries.filter(({ isAccepted }) => isAccepted).map(({ id }) => id));
	const hasRun = (id) => sink.callsAbout(id).length > 0;
	await until(async () => documents.every(hasRun), catchUpMs).catch(() => undefined);
	// What comes now would be too much.
	await stage.looked();
	await sleep(leftToDeliveryMs);
	await stage.ended(workflow, 1);
	const failed = await stage.failed(workflow);
	const isShown = (id) => failed.some(({ data }) => data.includes(id));
	const calls = documents.map((id) => sink.callsAbout(id));
	const ran = sum(calls.map(({ length }) => length));
	const found = calls.flat().filter(({ via }) => via === 'check').length;
	const executions = sum(Object.values(await cluster.executions(workflows[workflow])));
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
