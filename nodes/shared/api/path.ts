import { ApiFailure } from './failure';

/** A path from a template literal. It encodes every value, so that no ID can add or remove a segment. */
export function path(segments: TemplateStringsArray, ...values: Array<string | number>): string {
	return segments.reduce((built, segment, index) => built + encoded(values[index - 1]) + segment);
}

/** URLs resolve a segment of dots, also an encoded one, so that a request would reach another endpoint. */
const NO_SEGMENT = ['', '.', '..'];

function encoded(value: string | number | undefined): string {
	const text = String(value);
	// Half of a surrogate pair has no encoding.
	if (!NO_SEGMENT.includes(text) && !/\p{Surrogate}/u.test(text)) return encodeURIComponent(text);
	throw new ApiFailure({
		message: `${JSON.stringify(text)} is not an ID`,
		outcome: 'unsent',
		advice: 'Check the ID, or the expression that gives it.',
	});
}
