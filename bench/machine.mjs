import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { arch, availableParallelism, cpus, platform, totalmem } from 'node:os';
import { join } from 'node:path';

import { n8nFolder } from '../n8n-host/paths.mjs';

const bytesPerGigabyte = 1024 ** 3;

/** The machine that the numbers were measured on; `node` is the path of the Node that runs n8n. */
export function machine(node) {
	const manifest = join(n8nFolder, 'node_modules', 'n8n', 'package.json');
	return {
		cores: availableParallelism(),
		model: cpus()[0]?.model.trim() || 'unknown',
		memoryGb: Math.round(totalmem() / bytesPerGigabyte),
		platform: `${platform()} ${arch()}`,
		node: execFileSync(node, ['--version'], { encoding: 'utf8' }).trim().slice(1),
		n8n: JSON.parse(readFileSync(manifest, 'utf8')).version,
	};
}

export function describeRun({ date, machine: { cores, model, memoryGb, node, n8n } }) {
	return `${date.slice(0, 10)}, ${cores} cores of ${model}, ${memoryGb} GB, n8n ${n8n} on Node ${node}`;
}
