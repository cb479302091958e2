/** A path from a template literal. It encodes every value, so that no ID can add a segment. */
export function path(segments: TemplateStringsArray, ...values: Array<string | number>): string {
	return segments.reduce(
		(built, segment, index) => built + encodeURIComponent(String(values[index - 1])) + segment,
	);
}
