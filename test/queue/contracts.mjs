import { setTimeout as sleep } from 'node:timers/promises';

import { COMPLETED, rowsOf, until } from './stage.mjs';
import { sum } from './sum.mjs';
import { seconds } from './units.mjs';

/** How many executions the rows are split over. */
const executions = 5;
/** Something goes wrong after so much of the rows. */
const disturbedAfter = 0.3;
const betweenSignaturesMs = 150;
/** How often an event is delivered again, and how long after it. */
const repeats = [0, 1, 2, 3];
const repeatAfterMs = 2000;
/** How long polls may take to find what no delivery has told. */
const catchUpMs = 60_000;

/**
 * Rows become contracts, in several executions. The contracts are signed, and each signature is delivered to a trigger,
 * most of them more than once. Meanwhile something happens. Afterwards failed executions are retried, and the same rows
 * run again.
 */
export async function contracts(stage, count, { happen, repeatsEvents }) {
	await stage.begin('rows', 'events', 'polls');
	await stage.deliverTo('events', [COMPLETED]);
	await stage.polled();
	const rows = rowsOf(count);
	await stage.start('rows', rows, executions);
	const signing = signAsTheyCome(stage, rows.length);
	const settled = async () => {
		await until(async () => (await stage.documents()).length >= rows.length * disturbedAfter);
		const since = Date.now();
		await happen(stage);
		const ofRows = await settleRows(stage, rows, since);
		await signing;
		return [
			{ what: 'rows', ...ofRows },
			{ what: 'events', mayRepeat: repeatsEvents, ...(await settleEvents(stage, since)) },
		];
	};
	const [results] = await Promise.all([settled(), signing]);
	return results;
}

/** Signs documents as they are sent. Resolves when there is one for each row, and all are signed. */
async function signAsTheyCome(stage, count) {
	const { emulator } = stage;
	const signed = new Set();
	const repeating = [];
	while (signed.size < count) {
		const documents = await stage.documents();
		for (const { id, status, recipients } of documents) {
			if (signed.has(id) || status !== 'PENDING') continue;
			await emulator.sign(recipients[0].token);
			repeating.push(repeat(stage, id, repeats[signed.size % repeats.length]));
			signed.add(id);
			await sleep(betweenSignaturesMs);
		}
		await sleep(betweenSignaturesMs);
	}
	await Promise.all(repeating);
}

async function repeat({ emulator }, id, times) {
	await sleep(repeatAfterMs);
	if (times > 0) await emulator.deliver(COMPLETED, id, times);
}

async function settleRows(stage, rows, since) {
	const { rest } = stage.cluster;
	await stage.ended('rows', executions);
	const failed = await stage.failed('rows');
	const shownMs = Date.now() - since;
	const undone = rows.length - rowsIn(await stage.documents()).size;
	let ran = executions;
	for (const { id } of failed) {
		// n8n refuses some.
		const retried = await rest
			.request('POST', `/executions/${id}/retry`, {})
			.catch(() => undefined);
		if (retried) ran++;
	}
	await stage.ended('rows', ran);
	const undoneAfterRetry = rows.length - rowsIn(await stage.documents()).size;
	await stage.start('rows', rows, executions);
	await stage.ended('rows', ran + executions);
	const documents = await stage.documents();
	return {
		sent: rows.length,
		accepted: rows.length,
		executions: ran + executions,
		duplicates: documents.length - rowsIn(documents).size,
		failed: failed.length,
		failedExecutions: failed.map(({ id }) => id),
		lost: rows.length - rowsIn(documents).size,
		recoveredMs: Date.now() - since,
		notes:
			failed.length > 0
				? [
						`n8n showed ${failed.length} executions as failed after ${seconds(shownMs)}; ${undone} rows had no document`,
						`n8n's Retry made ${undone - undoneAfterRetry} of them, and a new run of the same rows the others`,
					]
				: [],
	};
}

function rowsIn(documents) {
	return new Set(documents.map(({ externalId }) => externalId));
}

async function settleEvents(stage, since) {
	const { sink } = stage;
	const documents = (await stage.documents()).map(({ id }) => id);
	const deliveries = await stage.deliveries();
	await stage.ended('events', 1);
	const failed = await stage.failed('events');
	const byTrigger = (id) =>
		sink.callsAbout(id).filter(({ via }) => via === 'webhook').length +
		failed.filter(({ data }) => data.includes(id)).length;
	const accepted = new Set(deliveries.filter(({ isAccepted }) => isAccepted).map(({ id }) => id));
	const missed = [...accepted].filter((id) => byTrigger(id) === 0).length;
	const isKnown = (id) => sink.callsAbout(id).length > 0;
	await until(async () => documents.every(isKnown), catchUpMs).catch(() => undefined);
	const ran = documents.map(byTrigger);
	return {
		sent: documents.length,
		accepted: accepted.size,
		executions: sum(ran),
		duplicates: sum(ran.map((times) => Math.max(0, times - 1))),
		failed: failed.length,
		failedExecutions: failed.map(({ id }) => id),
		lost: documents.filter((id) => !isKnown(id)).length,
		recoveredMs: Math.max(...documents.map((id) => sink.callsAbout(id)[0]?.at ?? 0)) - since,
		notes: [
			`Documenso delivered ${deliveries.length} times; ${missed} of the accepted events and ${documents.length - accepted.size} others came by a poll only`,
		],
	};
}
