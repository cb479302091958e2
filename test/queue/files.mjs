import { peakSince } from '../../bench/measure/memory.mjs';
import { scan } from '../../bench/subjects/scan.mjs';

/** A file goes through a fresh worker; how far the worker's memory grows meanwhile. */
export async function files(stage, megabytes) {
	const { cluster, emulator } = stage;
	await stage.begin('reading', 'uploading', 'downloading');
	const file = await scan(cluster.files, megabytes);
	const results = [];
	for (const what of ['reading', 'uploading', 'downloading']) {
		const { documents } = await emulator.state();
		const worker = await onlyWorker(cluster);
		const peak = peakSince(worker.pid);
		await stage.start(what, [{ file, id: documents[0]?.id }]);
		await stage.ended(what, 1);
		const peakMb = peak();
		const { success = 0 } = await cluster.executions(stage.workflows[what]);
		results.push({
			what: `${what} a file`,
			sent: 1,
			accepted: 1,
			executions: 1,
			failed: 1 - success,
			lost: 0,
			notes: [`${what}: the memory of the worker grew by ${Math.round(peakMb)} MB`],
		});
	}
	await cluster.addWorker();
	return results;
}

/** Replaces all workers by one. */
async function onlyWorker(cluster) {
	const before = cluster.workers;
	const worker = await cluster.addWorker();
	for (const one of before) if (one !== worker) await cluster.dismiss(one);
	return worker;
}
