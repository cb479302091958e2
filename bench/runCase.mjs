import { median } from './measure/statistics.mjs';
import { watchMemory } from './measure/memory.mjs';
import { countsOf } from './measure/counts.mjs';
import { probedEndpoint } from './measure/otherUsers.mjs';
import { evaluateTargets, thisNode } from './targets.mjs';
import { step } from '../n8n-host/progress.mjs';

/**
 * Measures the subjects of a case in turns, so that other load on the machine affects all of them alike.
 * `runs` overrides how often the case wants each of them measured.
 */
export async function runCase(theCase, testbed, runs) {
	if (theCase.service) await testbed.serve(theCase.service);
	const timesOf = (subject) => runs ?? subject.runs ?? theCase.runs;
	const measured = theCase.subjects.map((subject) => ({ subject, runs: [] }));
	for (let round = 1; measured.some(({ subject }) => round <= timesOf(subject)); round += 1) {
		for (const { subject, runs } of measured) {
			if (round > timesOf(subject)) continue;
			const title = `${theCase.name}: ${subject.name}, ${round} of ${timesOf(subject)}`;
			runs.push(await step(title, () => measure(theCase, subject, testbed, round)));
		}
	}
	const subjects = measured.map(({ subject, runs }) => summary(theCase, subject, runs));
	const own = subjects.find(({ name }) => name === thisNode).medians.ms;
	if (own > 0) for (const { medians } of subjects) medians.ratio = medians.ms / own;
	return {
		name: theCase.name,
		title: theCase.title,
		subjects,
		targets: evaluateTargets(theCase, subjects),
	};
}

async function measure(theCase, subject, testbed, round) {
	if (subject.inN8n && theCase.needsFreshN8n) await testbed.restartN8n();
	if (subject.inN8n && (round === 1 || theCase.needsFreshN8n)) {
		await runOnce(theCase, subject, testbed, theCase.warmUpSize);
	}
	return runOnce(theCase, subject, testbed, theCase.size * (subject.share ?? 1), runAndMeasure);
}

async function runOnce(theCase, subject, testbed, size, run = runSubject) {
	if (theCase.service) await testbed.emulator.reset();
	const given = await theCase.prepare?.(testbed, size);
	if (theCase.service) await testbed.emulator.forgetCalls();
	return run(theCase, subject, testbed, given);
}

async function runAndMeasure(theCase, subject, testbed, given) {
	const others = await theCase.observe?.(testbed);
	const memory = subject.inN8n && (await watchMemory((await testbed.n8n()).child.pid));
	await theCase.start?.(subject);
	const metrics = await runSubject(theCase, subject, testbed, given);
	Object.assign(metrics, memory && memory.stop(), await others?.stop());
	if (theCase.service) {
		const counts = await testbed.emulator.counts();
		Object.assign(metrics, countsOf(counts, theCase.observe && probedEndpoint));
	}
	Object.assign(metrics, await theCase.inspect?.(testbed));
	if (subject.share) metrics.ms /= subject.share;
	return metrics;
}

async function runSubject(theCase, subject, testbed, given) {
	const { failure, ...metrics } = await subject.run(testbed, given);
	if (failure === undefined) return { ...metrics, failed: 0 };
	if (!theCase.mayFail) throw new Error(`${theCase.name}, ${subject.name}: ${failure}`);
	return { ...metrics, failed: 1 };
}

function summary(theCase, { name, note, share }, runs) {
	const keys = Object.keys(runs[0]);
	const medians = Object.fromEntries(keys.map((key) => [key, median(runs.map((run) => run[key]))]));
	const scaled = share < 1 && `measured on ${theCase.size * share}, and scaled up`;
	return { name, note: [note, scaled].filter(Boolean).join('; ') || undefined, medians, runs };
}
