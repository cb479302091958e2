import { rowsOf } from './stage.mjs';

/** Of so many rows, one has no address. */
const oneIn = 4;

/** Some rows cannot be used. With both ways to continue, each row reaches the next node: as done, or as failed. */
export async function refused(stage, count) {
	const { cluster, sink } = stage;
	await stage.begin('beside', 'apart');
	const rows = rowsOf(count).map((row, index) =>
		index % oneIn === 0 ? { ...row, 'Signer email': 'nobody' } : row,
	);
	const results = [];
	for (const [workflow, what] of Object.entries({
		beside: 'rows, with On Error: Continue',
		apart: 'rows, with an error output',
	})) {
		sink.forget();
		await stage.start(workflow, rows);
		await stage.ended(workflow, 1);
		const { success = 0 } = await cluster.executions(stage.workflows[workflow]);
		const told = rows.map((row, index) => {
			const outcome = index % oneIn === 0 ? 'failed' : 'done';
			return sink.callsAbout(row['External ID']).filter(({ via }) => via === outcome).length;
		});
		results.push({
			...{ what, sent: count, accepted: count, executions: 1 },
			duplicates: told.filter((times) => times > 1).length,
			failed: 1 - success,
			lost: told.filter((times) => times === 0).length,
		});
	}
	return results;
}
