import { watchOtherUsers } from '../measure/otherUsers.mjs';
import { shown } from '../metrics.mjs';
import { fourWorkers, oneWorker } from '../services.mjs';
import { fixedConcurrency } from '../subjects/fixedConcurrency.mjs';
import {
	fillTemplate,
	httpRequests,
	httpRequestsInBatches,
	concurrentClient,
	rowsOf,
	sequentialLoop,
} from '../subjects/rows.mjs';

const alternatives = [
	...fixedConcurrency,
	httpRequests,
	httpRequestsInBatches,
	sequentialLoop(0.1),
	concurrentClient,
];
const [, fixedAtEight] = fixedConcurrency;

function busy(name, how, service) {
	return {
		name,
		title: `1,000 rows, service with a capacity of 20 requests a second (${how})`,
		service,
		size: 1000,
		warmUpSize: 10,
		runs: 1,
		prepare: (_testbed, size) => rowsOf(size),
		observe: watchOtherUsers,
		subjects: [fillTemplate, ...alternatives],
		columns: ['ms', 'ratio', 'othersMs', 'othersP95Ms', 'othersRatio'],
		headline: {
			metric: 'othersMs',
			title: `Waiting time of other users, service with a capacity of 20 requests a second (${how})`,
			remark: ({ ms }) => `, rows in ${shown('ms', ms)}`,
		},
		targets: [
			{
				label: 'time, over that of the fastest',
				metric: 'ms',
				over: alternatives.map((subject) => subject.name),
				atMost: 1.1,
			},
			{
				label: 'waiting time of others, over that without load',
				metric: 'othersRatio',
				atMost: 2,
			},
			{
				label: 'waiting time of others, over that with 8 fixed concurrent requests',
				metric: 'othersMs',
				over: fixedAtEight.name,
				atMost: 1,
			},
		],
	};
}

export const rowsBusyFourWorkers = busy('busy', '4 workers of 200 ms', fourWorkers);
export const rowsBusyOneWorker = busy('busy-one', '1 worker of 50 ms', oneWorker);
