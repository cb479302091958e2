import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

const childrenModule = pathToFileURL(join(__dirname, '..', '..', 'n8n-host', 'children.mjs')).href;

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'children-'));
});
afterEach(() => {
	rmSync(folder, { recursive: true });
});

/** A program that starts another one, as n8n starts its task runner; the log gets both ids. */
const family = `
	const { spawn } = require('node:child_process');
	const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
	console.log(process.pid, child.pid);
	setInterval(() => {}, 1000);`;

/** Runs code that imports from n8n-host/children.mjs, in a process of its own. */
function runModule(code: string) {
	const source = `import { launch, run, stopAll } from '${childrenModule}'; ${code}`;
	const child = spawn(process.execPath, ['--input-type=module', '-e', source]);
	let stderr = '';
	child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
	return new Promise<{ code: number | null; stderr: string }>((resolve) => {
		child.once('close', (status) => {
			resolve({ code: status, stderr });
		});
	});
}

function launching(script: string, then: string): string {
	const logFile = JSON.stringify(join(folder, 'family.log'));
	return `import { setTimeout as sleep } from 'node:timers/promises';
		launch('family', process.execPath, ['-e', ${JSON.stringify(script)}], { logFile: ${logFile} });
		await sleep(500); ${then}`;
}

async function expectAllGone() {
	const pids = readFileSync(join(folder, 'family.log'), 'utf8').trim().split(' ').map(Number);
	expect(pids).toHaveLength(2);
	const alive = () => pids.filter((pid) => isAlive(pid));
	for (let wait = 0; wait < 20 && alive().length > 0; wait++) await sleep(50);
	expect(alive()).toEqual([]);
}

/** A dead process that nobody has collected yet is listed with the state Z. */
function isAlive(pid: number): boolean {
	const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
	return stdout.trim() !== '' && !stdout.startsWith('Z');
}

test('stopping a program also stops what it has started', async () => {
	await runModule(launching(family, 'await stopAll(); process.exit(0);'));
	await expectAllGone();
});

test('a crash of the demo leaves no program behind', async () => {
	const { stderr } = await runModule(launching(family, 'throw new Error("crashed");'));
	expect(stderr).toContain('crashed');
	await expectAllGone();
});

test('a program that fails is reported with the end of its log', async () => {
	const logFile = JSON.stringify(join(folder, 'failing.log'));
	const { code, stderr } = await runModule(
		`await run('The build', process.execPath, ['-e', 'console.log("no such file"); process.exit(3)'], { logFile: ${logFile} });`,
	);
	expect(code).toBe(1);
	expect(stderr).toMatch(/The build failed \(3\)\. The end of .*failing\.log:\n\nno such file/);
});
