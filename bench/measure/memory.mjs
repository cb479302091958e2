import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const collectionMs = 1000;
const kilobytesPerMegabyte = 1024;
/** What Linux takes for: begin to measure the peak anew. */
const resetPeak = '5';

/**
 * Watches how far the memory of a process grows beyond what it has now. Only Linux tells the peak of
 * another process; elsewhere nothing is measured.
 */
export async function watchMemory(pid) {
	if (process.platform !== 'linux') return { stop: () => ({}) };
	process.kill(pid, 'SIGUSR2');
	await sleep(collectionMs);
	writeFileSync(`/proc/${pid}/clear_refs`, resetPeak);
	const before = memoryOf(pid).VmRSS;
	return { stop: () => ({ peakMb: (memoryOf(pid).VmHWM - before) / kilobytesPerMegabyte }) };
}

function memoryOf(pid) {
	const lines = readFileSync(`/proc/${pid}/status`, 'utf8').matchAll(/^(\w+):\s+(\d+) kB$/gm);
	return Object.fromEntries([...lines].map(([, name, kilobytes]) => [name, Number(kilobytes)]));
}
