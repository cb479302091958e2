import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const program = fileURLToPath(new URL('bareClientProgram.mjs', import.meta.url));

/** Sends HTTP requests from a separate process and does nothing else: the lower bound. */
export function bareClient(name, concurrency, requests) {
	return {
		name,
		run: async (testbed, given) => {
			const { node, stateDir, apiUrl, apiToken } = testbed;
			const input = { apiUrl, apiToken, concurrency, requests: requests(given, testbed) };
			const file = join(stateDir, 'bare-client.json');
			await writeFile(file, JSON.stringify(input));
			const { stdout } = await promisify(execFile)(node, [program, file]);
			return JSON.parse(stdout);
		},
	};
}
