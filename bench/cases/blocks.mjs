import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { root } from '../../n8n-host/paths.mjs';
import { titleOf } from '../metrics.mjs';
import { unlimited } from '../services.mjs';
import { thisNode } from '../targets.mjs';

const execute = promisify(execFile);
const program = fileURLToPath(new URL('../measure/longestBlock.mjs', import.meta.url));

const workloads = [
	'pdfOfStreams',
	'pdfOfHeads',
	'pdfOfBrackets',
	'recipients125',
	'recipients1000',
	'markers',
	'longName',
	'longValues',
	'nearNames',
	'manyColumns',
	'sameLabels',
	'picker',
	'filter',
	'rows10000',
	'rows50000',
];

/** Each in a new process, so that none pays for the garbage of another. */
const allWorkloads = {
	name: thisNode,
	run: async ({ apiUrl, apiToken, templates }) => {
		const metrics = {};
		for (const workload of workloads) {
			const given = [workload, apiUrl, apiToken, templates.rentalAgreement.id];
			const { stdout } = await execute(process.execPath, ['--import', 'tsx', program, ...given], {
				cwd: root,
			});
			metrics[workload] = Number(stdout);
		}
		return metrics;
	},
};

export const blocks = {
	name: 'blocks',
	title: 'How long n8n answers nobody: the longest block of the event loop',
	service: unlimited,
	runs: 3,
	subjects: [allWorkloads],
	columns: workloads,
	// A person hardly notices so little. So many rows go through a few loops that have no pause, and to list a million columns
	// takes JavaScript half a second.
	targets: workloads.map((metric) => ({
		label: `milliseconds, ${titleOf(metric)}`,
		metric,
		atMost: ['rows50000', 'manyColumns'].includes(metric) ? 1000 : 200,
	})),
};
