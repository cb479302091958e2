/** What is measured beside others. */
export const thisNode = 'this node';

/**
 * Compares what a case demands with what was measured. A demand is a measure `of` a subject, or how many
 * times as much that is as the least of those that it is `over`; and at least or at most a number.
 */
export function judge({ targets = [] }, subjects) {
	return targets.map(({ says, measure, of = thisNode, over, atLeast, atMost }) => {
		const valueOf = (wanted) => subjects.find(({ name }) => name === wanted).medians[measure];
		const least = over && Math.min(...[over].flat().map(valueOf));
		const value = over ? valueOf(of) / least : valueOf(of);
		// Where it cannot be measured (memory, on some systems) nothing is known about it.
		const met =
			value === undefined ? undefined : atLeast === undefined ? value <= atMost : value >= atLeast;
		return { says, value, atLeast, atMost, met };
	});
}
