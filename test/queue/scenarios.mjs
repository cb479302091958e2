import { contracts } from './contracts.mjs';
import { deliveriesTo } from './deliveries.mjs';
import { disturbances } from './disturbances.mjs';
import { firstLook, threeTimes, whileDown } from './events.mjs';
import { files } from './files.mjs';
import { filesInS3 } from './filesInS3.mjs';
import { overlap } from './overlap.mjs';
import { pacing } from './pacing.mjs';
import { redirects } from './redirects.mjs';
import { refused } from './refused.mjs';
import { repeats } from './repeats.mjs';
import { waits } from './waits.mjs';

/**
 * What is tried, in this order. `long` and `short` say with how many rows, executions, deliveries or megabytes; without `short`, only
 * in the long form.
 */
export const scenarios = [
	...Object.entries(disturbances).map(([name, { title, sizes, ...disturbance }]) => ({
		name,
		title,
		...sizes,
		run: async (stage, count) => await contracts(stage, count, disturbance),
	})),
	{
		name: 'down',
		title: 'n8n is down while documents are signed',
		long: 300,
		run: whileDown,
	},
	{
		name: 'thrice',
		title: 'Each event is delivered again after a minute, and after a restart',
		long: 300,
		run: threeTimes,
	},
	{
		name: 'first',
		title: 'The trigger is published where 5,000 documents are',
		long: 5000,
		run: firstLook,
	},
	{
		name: 'waits',
		title: 'All workers are replaced while executions wait',
		long: 100,
		short: 20,
		run: waits,
	},
	...[1, 2].map((workers) => ({
		name: `pacing-${workers}`,
		title: `Five executions on ${workers === 1 ? 'one worker' : 'two workers'} share the rate limit`,
		long: 2000,
		run: async (stage, count) => await pacing(workers, stage, count),
	})),
	{
		name: 'overlap',
		title: 'The same rows start twice in the same moment',
		long: 400,
		run: overlap,
	},
	{
		name: 'repeats',
		title: 'Each event reaches both webhook processes, twice',
		long: 100,
		run: repeats,
	},
	...[1, 2].map((processes) => ({
		name: `deliveries-${processes}`,
		title: `As many deliveries as possible, ${processes} webhook process${processes > 1 ? 'es' : ''}`,
		long: 600,
		run: async (stage, count) => await deliveriesTo(processes, stage, count),
	})),
	{
		name: 'files',
		title: '200 MB through a worker, binary data in the database',
		long: 200,
		run: files,
	},
	{
		name: 'refused',
		title: 'Some rows have no address',
		long: 20,
		short: 20,
		run: refused,
	},
	{
		name: 'redirects',
		title: 'Documenso redirects to another host',
		long: 20,
		short: 20,
		run: redirects,
	},
	{
		name: 's3',
		title: 'A large file from S3 to Documenso and back',
		long: 200,
		short: 20,
		run: filesInS3,
	},
];
