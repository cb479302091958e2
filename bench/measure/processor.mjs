import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second. */
const millisecondsPerTick = 10;

/**
 * The processor time that a process has taken so far, in milliseconds. Only Linux reports it of another process; on other
 * systems it is undefined.
 */
export function processorTimeOf(pid) {
	if (process.platform !== 'linux') return undefined;
	const { user, system } = statOf(pid);
	return (user + system) * millisecondsPerTick;
}

/** The same for a process and all that it started, with those that have ended. */
export function processorTimeOfTree(root) {
	if (process.platform !== 'linux') return undefined;
	const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
	const all = pids.map((pid) => ({ pid: Number(pid), ...statIfThere(pid) }));
	const tree = all.filter(({ pid }) => pid === root);
	for (const { pid } of tree) tree.push(...all.filter(({ parent }) => parent === pid));
	const ticks = tree.map(({ user, system, ended }) => user + system + ended);
	return ticks.reduce((sum, one) => sum + one, 0) * millisecondsPerTick;
}

function statIfThere(pid) {
	try {
		return statOf(pid);
	} catch {
		return undefined;
	}
}

function statOf(pid) {
	const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
	// The name in brackets may contain blanks.
	const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
	const [user, system, endedUser, endedSystem] = fields.slice(11, 15).map(Number);
	return { parent: Number(fields[1]), user, system, ended: endedUser + endedSystem };
}
