import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const collectionMs = 1000;
const kilobytesPerMegabyte = 1024;
/** Linux then measures the peak from now on. */
const resetPeak = '5';

/**
 * Measures how far the memory of a process grows beyond its current size. Only Linux reports the peak of
 * another process; on other systems, nothing is measured.
 */
export async function watchMemory(pid) {
	if (process.platform !== 'linux') return { stop: () => ({}) };
	process.kill(pid, 'SIGUSR2');
	await sleep(collectionMs);
	const peak = peakSince(pid);
	return { stop: () => ({ peakMb: peak() }) };
}

/** The same without collecting garbage first: a function that tells how far the memory has grown, in megabytes. */
export function peakSince(pid) {
	writeFileSync(`/proc/${pid}/clear_refs`, resetPeak);
	const before = memoryOf(pid).VmRSS;
	return () => (memoryOf(pid).VmHWM - before) / kilobytesPerMegabyte;
}

function memoryOf(pid) {
	const lines = readFileSync(`/proc/${pid}/status`, 'utf8').matchAll(/^(\w+):\s+(\d+) kB$/gm);
	return Object.fromEntries([...lines].map(([, name, kilobytes]) => [name, Number(kilobytes)]));
}
