import { isId, isRecord, type IdMap } from './ids';

/** Compared by value. Other headers belong to the connection, or only have to be present. */
const EXACT_HEADERS = [
	'access-control-allow-methods',
	'access-control-allow-origin',
	'cache-control',
	'content-disposition',
	'content-type',
	'expires',
	'pragma',
	'retry-after',
	'x-ratelimit-limit',
];

const PRESENT_HEADERS = ['etag', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'x-request-id'];

const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const WEB_ADDRESS = /^https?:\/\/[^/]+/;

/** Longer texts are file contents in base64, which differ for substitute files. */
const LONGEST_TEXT = 1000;

export interface Comparison {
	ids: IdMap;
	/** The request's path, or the event of a webhook: it shows what an `id` identifies. */
	context: string;
}

/** One line for each difference between two bodies; IDs have to match those learned before. */
export function compareBodies(
	recorded: unknown,
	emulated: unknown,
	comparison: Comparison,
	path: readonly string[] = [],
	at = '',
): string[] {
	const place = at || 'body';
	if (typeName(recorded) !== typeName(emulated)) {
		return [`${place}: ${show(recorded)}, emulated ${show(emulated)}`];
	}
	if (Array.isArray(recorded) && Array.isArray(emulated)) {
		return compareLists(recorded, emulated, comparison, path, at);
	}
	if (isRecord(recorded) && isRecord(emulated)) {
		return compareObjects(recorded, emulated, comparison, path, at);
	}
	if (isSameValue(recorded, emulated, comparison, path)) return [];
	return [`${place}: ${show(recorded)}, emulated ${show(emulated)}`];
}

function compareLists(
	recorded: readonly unknown[],
	emulated: readonly unknown[],
	comparison: Comparison,
	path: readonly string[],
	at: string,
): string[] {
	const lines = comparison.ids
		.pair(recorded, emulated)
		.filter((pair) => pair.emulated !== undefined)
		.flatMap((pair) =>
			compareBodies(pair.recorded, pair.emulated, comparison, path, `${at}[${pair.index}]`),
		);
	if (recorded.length === emulated.length) return lines;
	return [...lines, `${at || 'body'}: ${recorded.length} elements, emulated ${emulated.length}`];
}

function compareObjects(
	recorded: Readonly<Record<string, unknown>>,
	emulated: Readonly<Record<string, unknown>>,
	comparison: Comparison,
	path: readonly string[],
	at: string,
): string[] {
	const keys = new Set([...Object.keys(recorded), ...Object.keys(emulated)]);
	return [...keys].flatMap((key) => {
		const inner = `${at}.${key}`;
		if (!(key in emulated)) return [`${inner}: ${show(recorded[key])}, emulated no such key`];
		if (!(key in recorded)) return [`${inner}: no such key, emulated ${show(emulated[key])}`];
		// The replay's own: fetch gives its name, the recording client gave none.
		if (key === 'userAgent') return [];
		return compareBodies(recorded[key], emulated[key], comparison, [...path, key], inner);
	});
}

/** One line for each relevant header that differs. */
export function compareHeaders(
	recorded: ReadonlyArray<readonly [string, string]>,
	emulated: Headers,
): string[] {
	const wanted = new Map(recorded.map(([name, value]) => [name.toLowerCase(), value]));
	const exact = EXACT_HEADERS.filter((name) => {
		const value = emulated.get(name);
		// The local Documenso's pages look different, so only the type is compared.
		if (value?.startsWith('text/html')) return !wanted.get(name)?.startsWith('text/html');
		return (wanted.get(name) ?? null) !== value;
	});
	const present = PRESENT_HEADERS.filter((name) => wanted.has(name) !== emulated.has(name));
	return [...exact, ...present].map(
		(name) =>
			`header ${name}: ${wanted.get(name) ?? 'none'}, emulated ${emulated.get(name) ?? 'none'}`,
	);
}

function isSameValue(
	recorded: unknown,
	emulated: unknown,
	{ ids, context }: Comparison,
	path: readonly string[],
): boolean {
	if (typeof recorded === 'number' && isId(recorded, path, context)) {
		// In the audit log, the owner's number, which never changes, may be in the place of a recipient's.
		return emulated === recorded || emulated === ids.translate(recorded, context, path);
	}
	if (typeof recorded !== 'string' || typeof emulated !== 'string') return recorded === emulated;
	if (isId(recorded, path)) return ids.get(recorded) === emulated && isId(emulated, path);
	if (isTyped(path)) return (recorded === '') === (emulated === '');
	if (DATE.test(recorded)) return DATE.test(emulated);
	if (recorded.length > LONGEST_TEXT) return emulated.length > LONGEST_TEXT;
	const withoutHost = (text: string): string => text.replace(WEB_ADDRESS, '');
	return (
		withoutNumbers(ids.translateText(withoutHost(recorded)), path) ===
		withoutNumbers(withoutHost(emulated), path)
	);
}

/** What people typed while signing; the local Documenso's signers enter other texts. */
function isTyped(path: readonly string[]): boolean {
	return path.at(-1) === 'customText' || path.slice(-2).join('.') === 'field.data';
}

/** Messages and secondary IDs contain numbers that may differ. */
function withoutNumbers(text: string, path: readonly string[]): string {
	const key = path.at(-1);
	return key === 'message' || key === 'secondaryId' ? text.replace(/\d+/g, '#') : text;
}

function typeName(value: unknown): string {
	if (value === null) return 'null';
	return Array.isArray(value) ? 'array' : typeof value;
}

function show(value: unknown): string {
	if (value === undefined) return 'nothing';
	const text = JSON.stringify(value);
	return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
