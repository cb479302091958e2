import { watchOtherUsers } from '../measure/otherUsers.mjs';
import { fourWorkers, oneWorker } from '../services.mjs';
import {
	fillTemplate,
	httpRequests,
	httpRequestsInBatches,
	concurrentClient,
	rowsOf,
	sequentialLoop,
} from '../subjects/rows.mjs';

const others = [httpRequests, httpRequestsInBatches, sequentialLoop(0.1), concurrentClient];

function busy(name, how, service, headline) {
	return {
		name,
		title: `1,000 rows, service with a capacity of 20 requests a second (${how})`,
		service,
		size: 1000,
		warmUpSize: 10,
		runs: 1,
		prepare: (_testbed, size) => rowsOf(size),
		observe: watchOtherUsers,
		subjects: [fillTemplate, ...others],
		columns: ['ms', 'ratio', 'othersMs', 'othersP95Ms', 'othersRatio'],
		headline,
		targets: [
			{
				label: 'time, over that of the fastest',
				metric: 'ms',
				over: others.map((subject) => subject.name),
				atMost: 1.1,
			},
			{
				label: 'waiting time of others, over that without load',
				metric: 'othersRatio',
				atMost: 2,
			},
		],
	};
}

export const rowsBusyFourWorkers = busy('busy', '4 workers of 200 ms', fourWorkers, {
	metric: 'othersMs',
	title: 'Waiting time of other users, service with a capacity of 20 requests a second',
});
export const rowsBusyOneWorker = busy('busy-one', '1 worker of 50 ms', oneWorker);
