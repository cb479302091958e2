import { median } from './measure/statistics.mjs';
import { watchMemory } from './measure/memory.mjs';
import { countsOf } from './measure/counts.mjs';
import { judge, thisNode } from './targets.mjs';
import { step } from '../demo/progress.mjs';

/**
 * Measures every subject of a case, in turns, so that what the machine does meanwhile hits all alike.
 * `runs` replaces what the case says about how often.
 */
export async function runCase(theCase, lab, runs) {
	if (theCase.service) await lab.serve(theCase.service);
	const timesOf = (subject) => runs ?? subject.runs ?? theCase.runs;
	const measured = theCase.subjects.map((subject) => ({ subject, runs: [] }));
	for (let round = 1; measured.some(({ subject }) => round <= timesOf(subject)); round += 1) {
		for (const { subject, runs } of measured) {
			if (round > timesOf(subject)) continue;
			const title = `${theCase.name}: ${subject.name}, ${round} of ${timesOf(subject)}`;
			runs.push(await step(title, () => measure(theCase, subject, lab, round)));
		}
	}
	const subjects = measured.map(({ subject, runs }) => summary(theCase, subject, runs));
	const own = subjects.find(({ name }) => name === thisNode).medians.ms;
	if (own > 0) for (const { medians } of subjects) medians.ratio = medians.ms / own;
	return { name: theCase.name, title: theCase.title, subjects, targets: judge(theCase, subjects) };
}

async function measure(theCase, subject, lab, round) {
	if (subject.inN8n && theCase.needsFreshN8n) await lab.restartN8n();
	if (subject.inN8n && (round === 1 || theCase.needsFreshN8n)) {
		await runOnce(theCase, subject, lab, theCase.warmUpSize);
	}
	return runOnce(theCase, subject, lab, theCase.size * (subject.share ?? 1), watched);
}

async function runOnce(theCase, subject, lab, size, perform = performed) {
	if (theCase.service) await lab.emulator.reset();
	const given = await theCase.prepare?.(lab, size);
	if (theCase.service) await lab.emulator.forgetCalls();
	return perform(theCase, subject, lab, given);
}

async function watched(theCase, subject, lab, given) {
	const others = await theCase.observe?.(lab);
	const memory = subject.inN8n && (await watchMemory((await lab.n8n()).child.pid));
	await theCase.start?.(subject);
	const measures = await performed(theCase, subject, lab, given);
	Object.assign(measures, memory && memory.stop(), await others?.stop());
	if (theCase.service) Object.assign(measures, countsOf(await lab.emulator.counts()));
	Object.assign(measures, await theCase.inspect?.(lab));
	if (subject.share) measures.ms /= subject.share;
	return measures;
}

async function performed(theCase, subject, lab, given) {
	const { failure, ...measures } = await subject.run(lab, given);
	if (failure === undefined) return { ...measures, failed: 0 };
	if (!theCase.mayFail) throw new Error(`${theCase.name}, ${subject.name}: ${failure}`);
	return { ...measures, failed: 1 };
}

function summary(theCase, { name, note, share }, runs) {
	const keys = Object.keys(runs[0]);
	const medians = Object.fromEntries(keys.map((key) => [key, median(runs.map((run) => run[key]))]));
	const part = share < 1 && `measured on ${theCase.size * share}, and scaled up`;
	return { name, note: [note, part].filter(Boolean).join('; ') || undefined, medians, runs };
}
