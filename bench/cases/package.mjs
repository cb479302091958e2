import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { packageName, unpackPackage } from '../../n8n-host/package.mjs';
import { n8nFolder, root } from '../../n8n-host/paths.mjs';
import { thisNode } from '../targets.mjs';

const execute = promisify(execFile);
const program = fileURLToPath(new URL('../measure/loadPackage.cjs', import.meta.url));
const bytesPerKilobyte = 1000;

const loading = {
	name: thisNode,
	run: async (testbed) => {
		const { folder, unpackedSize, entryCount } = await (unpacked ??= unpack(testbed));
		const { stdout } = await execute(
			testbed.node,
			[program, folder],
			// As n8n lets packages find its own modules.
			{ env: { ...process.env, NODE_PATH: join(n8nFolder, 'node_modules') } },
		);
		return {
			unpackedKb: unpackedSize / bytesPerKilobyte,
			files: entryCount,
			loadMs: Number(stdout),
		};
	},
};

let unpacked;

async function unpack({ stateDir, logDir, packageTarball }) {
	const { stdout } = await execute('npm', ['pack', '--dry-run', '--json'], { cwd: root });
	const [{ unpackedSize, entryCount }] = JSON.parse(stdout);
	const userFolder = join(stateDir, 'unpacked');
	await unpackPackage(packageTarball, userFolder, logDir);
	const folder = join(userFolder, '.n8n', 'nodes', 'node_modules', packageName);
	return { folder, unpackedSize, entryCount };
}

export const loadingThePackage = {
	name: 'package',
	title: 'Loading the package: all nodes and the credential',
	runs: 15,
	subjects: [loading],
	columns: ['unpackedKb', 'files', 'loadMs'],
	targets: [{ label: 'milliseconds to load', metric: 'loadMs', atMost: 30 }],
};
