import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { UserError } from './userError.mjs';

const gracePeriodMs = 10_000;
/** npm would spend it on undoing an installation that the next start begins anew anyway. */
const commandGracePeriodMs = 500;
const orphanGracePeriodMs = 2000;
const running = new Set();
let stopping = false;

// However this process ends, short of being killed itself, nothing that it started stays behind.
process.on('exit', () => running.forEach(({ pid }) => signalGroup(pid, 'SIGKILL')));

/** Starts a program that stays; what it prints goes to its log, or to ours where it has none. */
export function launch(name, command, args, { cwd, env, logFile, graceMs = gracePeriodMs }) {
	if (stopping) throw new UserError('The demo is being stopped.');
	const log = logFile ? openLog(logFile) : 'inherit';
	// A group of its own: stopping it reaches what it started in turn (n8n's task runner), and Ctrl-C
	// in the terminal reaches only us, so that we decide on the order.
	const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', log, log] });
	if (logFile) closeSync(log);

	const exited = new Promise((resolve) => {
		child.once('error', (error) => resolve(error.message));
		child.once('exit', (code, signal) => resolve(signal ?? code));
	});
	const launched = { name, logFile, exited, pid: child.pid, graceMs, stop };
	if (child.pid !== undefined) running.add(launched);
	return launched;

	async function stop() {
		await stopGroup(launched);
		running.delete(launched);
	}
}

/** Runs a program to its end; anything but exit code 0 is a failure that shows the end of its log. */
export async function run(name, command, args, options) {
	const child = launch(name, command, args, { ...options, graceMs: commandGracePeriodMs });
	const code = await child.exited;
	running.delete(child);
	if (code !== 0) throw new UserError(`${name} failed (${code}). ${lastLines(options.logFile)}`);
}

/** Rejects once the program has ended; meant to be raced against what the program is needed for. */
export async function failWhenDead({ name, logFile, exited }) {
	const code = await exited;
	throw new UserError(`${name} has stopped by itself (${code}). ${lastLines(logFile)}`);
}

export async function stopAll() {
	stopping = true;
	await Promise.all([...running].map((child) => child.stop()));
}

async function stopGroup({ pid, exited, graceMs }) {
	signalGroup(pid, 'SIGTERM');
	await Promise.race([exited, sleep(graceMs, undefined, { ref: false })]);
	// What it started is given less: where nobody collects the dead, they count as alive for ever.
	const deadline = Date.now() + Math.min(graceMs, orphanGracePeriodMs);
	while (signalGroup(pid, 0) && Date.now() < deadline) await sleep(50);
	signalGroup(pid, 'SIGKILL');
}

function signalGroup(pid, signal) {
	try {
		return process.kill(-pid, signal);
	} catch {
		return false;
	}
}

function openLog(logFile) {
	mkdirSync(dirname(logFile), { recursive: true });
	return openSync(logFile, 'w');
}

function lastLines(logFile) {
	const lines = readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-15);
	return `The end of ${relative(process.cwd(), logFile)}:\n\n${lines.join('\n')}`;
}
