import { countsOf } from '../measure/counts.mjs';
import { completed } from '../measure/documents.mjs';
import { otherAddress } from '../measure/otherUsers.mjs';
import { waitForWindow } from '../measure/rateLimitWindow.mjs';
import { rateLimited } from '../services.mjs';
import {
	batchesASecond,
	createRequest,
	rowsOf,
	searchEach,
	skipExisting,
} from '../subjects/rows.mjs';
import { workflow } from '../subjects/workflow.mjs';
import { thisNode } from '../targets.mjs';

const folderCount = 20;
/** How many rows the third run has more, as a share of those that it has again. */
const newShare = 0.01;
/** 960 requests a minute. */
const paced = batchesASecond(16);

export const rerun = {
	name: 'rerun',
	title:
		'1,000 rows in three runs: all new, all there, and 10 new; 20 folders, 1,000 requests a minute',
	service: rateLimited,
	size: 1000,
	warmUpSize: 20,
	runs: 1,
	prepare: async (testbed, size) => {
		await createFolders(testbed);
		const rows = rowsOf(size + Math.ceil(size * newShare));
		return { first: rows.slice(0, size), again: rows.slice(0, size), someNew: rows };
	},
	start: () => waitForWindow(),
	inspect: completed,
	subjects: [
		inThreeRuns(workflow(thisNode, skipExisting)),
		inThreeRuns(
			workflow('HTTP Request, 16 a second', (testbed) => [createRequest(testbed, '$json', paced)]),
		),
		inThreeRuns(workflow('HTTP Request, a search for each row', searchEach(paced))),
	],
	columns: [
		'completed',
		'duplicates',
		'firstRequests',
		'againRequests',
		'someNewRequests',
		'firstMs',
		'againMs',
		'someNewMs',
		'refused',
	],
	headline: {
		metric: 'againRequests',
		title: 'Requests to run 1,000 rows again that all have a document',
		remark: ({ duplicates }) => (duplicates > 0 ? `, and ${duplicates} duplicates` : ''),
	},
	targets: [
		{ label: 'rows completed', metric: 'completed', atLeast: 1010 },
		{ label: 'duplicate documents', metric: 'duplicates', atMost: 0 },
		{ label: 'requests of the first run', metric: 'firstRequests', atMost: 1100 },
		{ label: 'requests when all are there', metric: 'againRequests', atMost: 110 },
		{ label: 'requests when 10 are new', metric: 'someNewRequests', atMost: 130 },
	],
};

function inThreeRuns(subject) {
	return {
		...subject,
		run: async (testbed, rowsByRun) => {
			const metrics = { ms: 0 };
			for (const [run, items] of Object.entries(rowsByRun)) {
				const before = countsOf(await testbed.emulator.counts());
				const { ms, failure } = await subject.run(testbed, items);
				if (failure) return { failure };
				const after = countsOf(await testbed.emulator.counts());
				metrics.ms += ms;
				metrics[`${run}Ms`] = ms;
				metrics[`${run}Requests`] = after.requests - before.requests;
			}
			return metrics;
		},
	};
}

async function createFolders(testbed) {
	for (let number = 1; number <= folderCount; number += 1) {
		const folder = { name: `Folder ${number}`, type: 'DOCUMENT' };
		await testbed.post('/folder/create', folder, { 'x-forwarded-for': otherAddress });
	}
}
