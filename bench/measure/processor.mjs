import { readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second. */
const millisecondsPerTick = 10;

/**
 * The processor time that a process has taken so far, in milliseconds. Only Linux reports it of another process; on other
 * systems it is undefined.
 */
export function processorTimeOf(pid) {
	if (process.platform !== 'linux') return undefined;
	const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
	// The name in brackets may contain blanks.
	const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
	const [user, system] = fields.slice(11, 13).map(Number);
	return (user + system) * millisecondsPerTick;
}
