import { unlimited } from '../services.mjs';
import { fixedConcurrency } from '../subjects/fixedConcurrency.mjs';
import {
	fillTemplate,
	httpRequests,
	httpRequestsInBatches,
	concurrentClient,
	bareNode,
	rowsOf,
	sequentialLoop,
} from '../subjects/rows.mjs';

export const rowsUnlimited = {
	name: 'rows',
	title: '1,000 rows → documents from a template, no rate limit',
	service: unlimited,
	size: 1000,
	warmUpSize: 50,
	// The first runs take a third longer, until V8 has optimised n8n's code.
	runs: 5,
	prepare: (_testbed, size) => rowsOf(size),
	subjects: [
		fillTemplate,
		...fixedConcurrency,
		httpRequests,
		httpRequestsInBatches,
		sequentialLoop(1),
		concurrentClient,
		bareNode,
	],
	columns: ['ms', 'ratio', 'peakMb', 'requests', 'maxInFlight', 'sockets'],
	headline: { metric: 'ms', title: 'Time for 1,000 rows → documents, no rate limit' },
	targets: [
		{
			label: 'time of the sequential loop, over that of this node',
			metric: 'ms',
			of: 'sequential loop',
			over: 'this node',
			atLeast: 12,
		},
		{
			label: 'time, over that with 4 or 8 fixed concurrent requests',
			metric: 'ms',
			over: fixedConcurrency.map((subject) => subject.name),
			atMost: 0.7,
		},
		{
			label: 'time, over that of the bare client',
			metric: 'ms',
			over: concurrentClient.name,
			atMost: 1.2,
		},
		{
			label: 'time, over that of the bare node',
			metric: 'ms',
			over: bareNode.name,
			atMost: 1.2,
		},
		{ label: 'concurrent requests', metric: 'maxInFlight', atMost: 32 },
	],
};
