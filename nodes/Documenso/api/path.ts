/** Builds an API path from a template literal; every value is encoded, so an id can never add a segment. */
export function path(segments: TemplateStringsArray, ...values: Array<string | number>): string {
	return segments.reduce(
		(built, segment, index) => built + encodeURIComponent(String(values[index - 1])) + segment,
	);
}
