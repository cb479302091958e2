import { setTimeout as sleep } from 'node:timers/promises';

import { settleEvents } from './events.mjs';
import { COMPLETED, rowsOf, until } from './stage.mjs';
import { seconds } from './units.mjs';

/** How many executions the rows are split over. */
const executions = 5;
/** Something goes wrong after so much of the rows. */
const disturbedAfter = 0.3;
const betweenSignaturesMs = 150;
/** How often an event is delivered again, and how long after it. */
const repeats = [0, 1, 2, 3];
const repeatAfterMs = 2000;

/**
 * Rows become contracts, in several executions. The contracts are signed, and each signature is delivered to a trigger,
 * most of them more than once. Meanwhile something happens. Afterwards failed executions are retried, and the same rows
 * run again.
 */
export async function contracts(stage, count, { happen }) {
	await stage.begin('rows', 'events');
	await stage.deliverTo('events', [COMPLETED]);
	await stage.looked();
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
			{ what: 'events', ...(await settleEvents(stage, since)) },
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
	// n8n answers when the retry has ended, and refuses some.
	const retried = await Promise.allSettled(
		failed.map(({ id }) => rest.request('POST', `/executions/${id}/retry`, {})),
	);
	const ran = executions + retried.filter(({ status }) => status === 'fulfilled').length;
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
