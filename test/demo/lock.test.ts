import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const lockModule = pathToFileURL(join(__dirname, '..', '..', 'demo', 'lock.mjs')).href;

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'lock-'));
});
afterEach(() => {
	rmSync(folder, { recursive: true });
});

/** The arguments of a demo that locks the folder, and then does something. */
function demo(then = '') {
	const source = `import { lock } from '${lockModule}'; await lock(${JSON.stringify(folder)}); ${then}`;
	return ['--input-type=module', '-e', source];
}

/** A demo that has locked the folder and runs until it is killed. */
async function runningDemo() {
	const child = spawn(
		process.execPath,
		demo('console.log("locked"); setInterval(() => {}, 1000);'),
	);
	await new Promise((resolve) => child.stdout.once('data', resolve));
	const ended = new Promise((resolve) => child.once('exit', resolve));
	return {
		pid: child.pid,
		kill: async () => {
			child.kill('SIGKILL');
			await ended;
		},
	};
}

function startBeside() {
	return spawnSync(process.execPath, demo(), { encoding: 'utf8' });
}

test('a demo beside a running one is refused, and told what to do', async () => {
	const first = await runningDemo();
	const { status, stderr } = startBeside();
	await first.kill();
	expect(status).toBe(1);
	expect(stderr).toContain(`The demo is running already (process ${first.pid}).`);
	expect(stderr).toContain('Stop it with Ctrl-C in its terminal first.');
	expect(existsSync(join(folder, 'running'))).toBe(true);
});

test('a demo that was killed keeps no other one out', async () => {
	await (await runningDemo()).kill();
	expect(startBeside().status).toBe(0);
});

test('a demo that has ended keeps no other one out', () => {
	expect(startBeside().status).toBe(0);
	expect(existsSync(join(folder, 'running'))).toBe(false);
	expect(startBeside().status).toBe(0);
});
