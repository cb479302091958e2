/** The subject that the others are compared with. */
export const thisNode = 'this node';

/**
 * Compares the targets of a case with the measurements. A target limits a metric `of` a subject, or its
 * ratio to the lowest value of the subjects that it is `over`.
 */
export function evaluateTargets({ targets = [] }, subjects) {
	return targets.map(({ label, metric, of = thisNode, over, atLeast, atMost }) => {
		const valueOf = (wanted) => subjects.find(({ name }) => name === wanted).medians[metric];
		const lowest = over && Math.min(...[over].flat().map(valueOf));
		const value = over ? valueOf(of) / lowest : valueOf(of);
		// Undefined if it cannot be measured here, such as memory outside Linux.
		const met =
			value === undefined ? undefined : atLeast === undefined ? value <= atMost : value >= atLeast;
		return { label, value, atLeast, atMost, met };
	});
}

/** A target and its outcome, as text. */
export function describeTarget({ label, atLeast, atMost, value, met }) {
	const demanded = atLeast === undefined ? `at most ${atMost}` : `at least ${atLeast}`;
	const outcome = met === undefined ? 'n/a' : met ? 'met' : 'NOT MET';
	const measured = value === undefined ? 'n/a' : String(Number(value.toFixed(2)));
	return { demanded: `${label}: ${demanded}`, measured, outcome };
}
