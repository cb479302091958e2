import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { UserError } from './userError.mjs';

const gracePeriodMs = 10_000;
/** Short, because npm would only undo an installation that the next start begins again anyway. */
const commandGracePeriodMs = 500;
const orphanGracePeriodMs = 2000;
const running = new Set();
let stopping = false;

// Unless this process is killed, it leaves no child process behind.
process.on('exit', () => running.forEach(({ pid }) => signalGroup(pid, 'SIGKILL')));

/** Starts a program that keeps running. Its output goes to its log file, or to ours if it has none. */
export function launch(name, command, args, { cwd, env, logFile, graceMs = gracePeriodMs }) {
	if (stopping) throw new UserError('The demo is being stopped.');
	const log = logFile ? openLog(logFile) : 'inherit';
	// In a separate process group: stopping it also stops what it started (n8n's task runner), and Ctrl-C
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

/** Runs a program to its end. Any exit code but 0 throws an error with the end of its log. */
export async function run(name, command, args, options) {
	const child = launch(name, command, args, { ...options, graceMs: commandGracePeriodMs });
	const code = await child.exited;
	running.delete(child);
	if (code !== 0) throw new UserError(`${name} failed (${code}). ${lastLines(options.logFile)}`);
}

/** Rejects once the program has ended. Race it against the work that needs the program. */
export async function failWhenDead({ name, logFile, exited }) {
	const code = await exited;
	throw new UserError(`${name} stopped unexpectedly (${code}). ${lastLines(logFile)}`);
}

export async function stopAll() {
	stopping = true;
	await Promise.all([...running].map((child) => child.stop()));
}

async function stopGroup({ pid, exited, graceMs }) {
	signalGroup(pid, 'SIGTERM');
	await Promise.race([exited, sleep(graceMs, undefined, { ref: false })]);
	// What it started gets less time: in containers that reap no zombies, it seems alive for ever.
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
