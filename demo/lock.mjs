import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, relative } from 'node:path';

import { UserError } from '../n8n-host/userError.mjs';

/**
 * Keeps a second demo out of this folder until the process exits. Both would use one database of n8n, and the
 * second would put its own addresses into the workflows of the first.
 */
export async function lock(stateDir) {
	await mkdir(stateDir, { recursive: true });
	const file = join(stateDir, 'running');
	const other = idIn(file);
	if (isRunning(other)) {
		throw new UserError(
			`The demo is running already (process ${other}). Stop it with Ctrl-C in its terminal first. If it is not running, delete ${relative(process.cwd(), file)}.`,
		);
	}
	writeFileSync(file, String(process.pid));
	process.on('exit', () => rmSync(file, { force: true }));
}

function idIn(file) {
	try {
		return Number(readFileSync(file, 'utf8'));
	} catch {
		return 0;
	}
}

/** A demo that was killed leaves its file behind, and this process may have been given the same id. */
function isRunning(id) {
	if (id === 0 || id === process.pid) return false;
	try {
		return process.kill(id, 0);
	} catch (error) {
		// The process of another user.
		return error.code === 'EPERM';
	}
}
