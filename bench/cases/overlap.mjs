import { completed } from '../measure/documents.mjs';
import { waitForWindow, windowMs } from '../measure/rateLimitWindow.mjs';
import { rateLimited } from '../services.mjs';
import {
	batchesASecond,
	createDocument,
	createRequest,
	rowsOf,
	searchEach,
	skipExisting,
} from '../subjects/rows.mjs';
import { executions } from '../subjects/workflow.mjs';
import { thisNode } from '../targets.mjs';

const sideBySide = 5;
const fiveOfThisNode = 'this node, five executions';
/** The node leaves the rest of the rate limit to others. */
const limit = 0.9 * rateLimited['rate-limit'];

/** The rows of one execution for each of two that overlap, or different ones for each of five. */
const twice = {
	apartMs: 1000,
	listsOf: (rows) => {
		const same = rows.slice(0, rows.length / sideBySide);
		return [same, same];
	},
};
const five = {
	apartMs: 0,
	listsOf: (rows) => {
		const size = rows.length / sideBySide;
		return Array.from({ length: sideBySide }, (_, index) =>
			rows.slice(index * size, (index + 1) * size),
		);
	},
};

export const overlap = {
	name: 'overlap',
	title:
		'400 rows in each of several executions at once, 1,000 requests a minute: two with the same rows, a second apart; or five with different ones',
	service: rateLimited,
	size: 400,
	warmUpSize: 20,
	runs: 1,
	mayFail: true,
	prepare: (_testbed, size) => rowsOf(sideBySide * size),
	start: () => waitForWindow(),
	inspect: completed,
	subjects: [
		executions(thisNode, skipExisting, twice),
		// 960 requests a minute together.
		executions('HTTP Request, a search for each row', searchEach(batchesASecond(8)), twice),
		overMinimum(executions(fiveOfThisNode, (testbed) => [createDocument(testbed, {})], five)),
		executions(
			'HTTP Request, five executions',
			(testbed) => [createRequest(testbed, '$json', {})],
			five,
		),
	],
	columns: [
		'completed',
		'duplicates',
		'failed',
		'ms',
		'overMinimum',
		'requests',
		'refused',
		'maxInFlight',
	],
	targets: [
		{ label: 'rows completed by two executions', metric: 'completed', atLeast: 400 },
		{ label: 'duplicate documents of two executions', metric: 'duplicates', atMost: 0 },
		{ label: 'rows completed by five', metric: 'completed', of: fiveOfThisNode, atLeast: 2000 },
		{ label: '429 responses to five', metric: 'refused', of: fiveOfThisNode, atMost: 5 },
		{ label: 'concurrent requests of five', metric: 'maxInFlight', of: fiveOfThisNode, atMost: 32 },
		{
			label: 'time of five, over the least that the limit allows',
			metric: 'overMinimum',
			of: fiveOfThisNode,
			atMost: 1.05,
		},
	],
};

/** Adds the time as a multiple of what whole windows of the rate limit take for so many rows. */
function overMinimum(subject) {
	return {
		...subject,
		run: async (testbed, rows) => {
			const { ms, ...rest } = await subject.run(testbed, rows);
			const wholeWindows = Math.floor((rows.length - 1) / limit);
			return { ...rest, ms, overMinimum: ms / (wholeWindows * windowMs) };
		},
	};
}
