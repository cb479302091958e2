import { withRoom } from '../services.mjs';
import {
	fillTemplate,
	httpRequests,
	httpRequestsInBatches,
	limit,
	limitInN8n,
	rowsOf,
	sequentialLoop,
} from '../subjects/rows.mjs';

export const rowsWithRoom = {
	name: 'rows',
	title: '1,000 rows → documents from a template, service with room',
	service: withRoom,
	size: 1000,
	warmUpSize: 50,
	// The first ones, before n8n has optimised its code, take a third longer.
	runs: 5,
	prepare: (_lab, size) => rowsOf(size),
	subjects: [
		fillTemplate,
		httpRequests,
		httpRequestsInBatches,
		sequentialLoop(1),
		limit,
		limitInN8n,
	],
	columns: ['ms', 'ratio', 'peakMb', 'requests', 'maxInFlight', 'sockets'],
	headline: { measure: 'ms', title: 'Time for 1,000 rows → documents, service with room' },
	targets: [
		{
			says: 'time of the sequential loop over that of this node',
			measure: 'ms',
			of: 'sequential loop',
			over: 'this node',
			atLeast: 12,
		},
		{ says: 'time over that of the limit', measure: 'ms', over: limit.name, atMost: 1.2 },
		{
			says: 'time over that of the limit in n8n',
			measure: 'ms',
			over: limitInN8n.name,
			atMost: 1.2,
		},
		{ says: 'most requests in flight', measure: 'maxInFlight', atMost: 32 },
	],
};
