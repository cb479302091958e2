import { completed } from '../measure/documents.mjs';
import { waitForWindow } from '../measure/rateLimitWindow.mjs';
import { rateLimited } from '../services.mjs';
import {
	fillTemplate,
	httpRequests,
	httpRequestsContinued,
	httpRequestsInBatches,
	httpRequestsRetried,
	concurrentClient,
	rowsOf,
	sequentialLoop,
} from '../subjects/rows.mjs';

/** A subject that takes less than a window need not start at its beginning. */
const needs = (subject, ofWindowMs) => ({ ...subject, ofWindowMs });

export const rowsRateLimited = {
	name: 'rate-limit',
	title: '1,200 rows at 1,000 requests a minute',
	service: rateLimited,
	size: 1200,
	warmUpSize: 50,
	runs: 1,
	mayFail: true,
	prepare: (_testbed, size) => rowsOf(size),
	start: ({ ofWindowMs }) => waitForWindow(ofWindowMs),
	inspect: completed,
	subjects: [
		fillTemplate,
		needs(httpRequests, 15_000),
		needs(httpRequestsContinued, 15_000),
		needs(httpRequestsRetried, 25_000),
		needs(httpRequestsInBatches, 40_000),
		sequentialLoop(1),
		concurrentClient,
	],
	columns: ['completed', 'duplicates', 'failed', 'ms', 'requests', 'refused', 'maxInFlight'],
	headline: {
		metric: 'completed',
		title: 'Rows completed of 1,200, at 1,000 requests a minute',
		remark: ({ duplicates }) => (duplicates > 0 ? `, and ${duplicates} twice` : ''),
	},
	targets: [
		{ label: 'rows completed', metric: 'completed', atLeast: 1200 },
		{ label: 'duplicate documents', metric: 'duplicates', atMost: 0 },
		{ label: '429 responses', metric: 'refused', atMost: 1 },
	],
};
