import { countsOf } from '../../bench/measure/counts.mjs';
import { rowsOf } from './stage.mjs';
import { seconds } from './units.mjs';

const ways = {
	rows: { what: 'rows, with Skip', mostDuplicates: Infinity },
	careful: { what: 'rows, with Skip, Across Workers' },
};

/** The same rows in two executions at the same moment, which the workers share. */
export async function overlap(stage, count) {
	const results = [];
	for (const [workflow, way] of Object.entries(ways)) {
		await stage.begin(workflow);
		const rows = rowsOf(count);
		const since = Date.now();
		await Promise.all([stage.start(workflow, rows), stage.start(workflow, rows)]);
		await stage.ended(workflow, 2);
		const ms = Date.now() - since;
		const documents = await stage.documents();
		const done = new Set(documents.map(({ externalId }) => externalId)).size;
		const { requests, refused } = countsOf(await stage.emulator.counts());
		results.push({
			...way,
			sent: count,
			accepted: count,
			executions: 2,
			duplicates: documents.length - done,
			failed: (await stage.failed(workflow)).length,
			lost: Math.max(0, count - documents.filter(({ status }) => status === 'PENDING').length),
			notes: [`${way.what}: ${seconds(ms)}, ${requests} requests, ${refused} refused with 429`],
		});
	}
	return results;
}
