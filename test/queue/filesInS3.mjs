import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { scan } from '../../bench/subjects/scan.mjs';
import { run } from '../../n8n-host/children.mjs';
import { root } from '../../n8n-host/paths.mjs';

const program = join(root, 'test', 'queue', 'filesInS3Program.mjs');

/**
 * A file goes from S3 to Documenso and back. n8n takes S3 only with a licence; so this is its own client for S3 and our
 * node in an execution of n8n's, without the rest of n8n.
 */
export async function filesInS3({ cluster, emulator, apiToken }, megabytes) {
	const { node, files, logDir, stateDir } = cluster;
	const logFile = join(logDir, 's3.log');
	const args = [await scan(files, megabytes), emulator.url, apiToken];
	await run('The transfer through S3', node, ['--expose-gc', '--import', 'tsx', program, ...args], {
		cwd: root,
		env: { ...process.env, N8N_USER_FOLDER: stateDir },
		logFile,
	});
	const lines = (await readFile(logFile, 'utf8')).trimEnd().split('\n');
	const { grown, isSame } = JSON.parse(lines.at(-1));
	const memory = Object.entries(grown).map(([what, mb]) => `${what} ${Math.round(mb)} MB`);
	return [
		{
			what: 'files',
			sent: 1,
			accepted: 1,
			executions: 2,
			failed: 0,
			lost: isSame ? 0 : 1,
			notes: [`${megabytes} MB; the memory grew: ${memory.join(', ')}`],
		},
	];
}
