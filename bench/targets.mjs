/** What is measured beside others. */
export const thisNode = 'this node';

/**
 * Compares what a case demands with what was measured. A demand is a metric `of` a subject, or how many
 * times as much that is as the least of those that it is `over`; and at least or at most a number.
 */
export function evaluateTargets({ targets = [] }, subjects) {
	return targets.map(({ label, metric, of = thisNode, over, atLeast, atMost }) => {
		const valueOf = (wanted) => subjects.find(({ name }) => name === wanted).medians[metric];
		const least = over && Math.min(...[over].flat().map(valueOf));
		const value = over ? valueOf(of) / least : valueOf(of);
		// Where it cannot be measured (memory, on some systems) nothing is known about it.
		const met =
			value === undefined ? undefined : atLeast === undefined ? value <= atMost : value >= atLeast;
		return { label, value, atLeast, atMost, met };
	});
}

/** A target with what became of it, in words. */
export function describeTarget({ label, atLeast, atMost, value, met }) {
	const demanded = atLeast === undefined ? `at most ${atMost}` : `at least ${atLeast}`;
	const outcome = met === undefined ? 'n/a' : met ? 'met' : 'NOT MET';
	const measured = value === undefined ? 'n/a' : String(Number(value.toFixed(2)));
	return { demanded: `${label}: ${demanded}`, measured, outcome };
}
