import { inAnyForm, parentOf, type Properties, type Property } from './properties';

export interface Difference {
	endpoint: string;
	/** `request`, `response`, or empty for the endpoint itself. */
	part: '' | 'request' | 'response';
	/** Its path, such as `recipients[].email`. */
	property: string;
	kind: 'new' | 'gone' | 'changed';
	/** What changed. */
	detail: string;
}

/** A difference inside of something whose endpoint and part are known. */
type Found = Pick<Difference, 'property' | 'kind' | 'detail'>;

/** How what is sent differs from what the service takes. */
export function compareRequest(ours: Properties, theirs: Properties): Found[] {
	return once([
		...gone(ours, theirs),
		...both(ours, theirs, (our, their) => [
			...(isAmong(our.types, their.types) ? [] : [typeChange(our, their)]),
			...refused(our, their),
			...(their.isRequired && !our.isRequired ? ['is required now'] : []),
		]),
		...missing(theirs, ours, (path) =>
			theirs.get(path)?.isRequired
				? { kind: 'changed', detail: 'is new and required' }
				: { kind: 'new', detail: '' },
		),
		...newValues(ours, theirs),
	]);
}

/**
 * How what is read or returned differs from what the service answers. A property is new if nothing that is known has one of its
 * name in such a place: all fields have the same settings, wherever they are.
 */
export function compareResponse(
	{ read, returned, places }: { read: Properties; returned: Properties; places: Set<string> },
	theirs: Properties,
): Found[] {
	const isKnown = (path: string): boolean =>
		path === '' || places.has(placeOf(path)) || (path.endsWith('[]') && isKnown(parentOf(path)));
	return [
		...gone(new Map([...returned, ...read]), theirs),
		...both(read, theirs, (our, their) => [
			...(isAmong(their.types, our.types) ? [] : [typeChange(our, their)]),
			...(our.isRequired && !their.isRequired ? ['may be missing now'] : []),
		]),
		...[...theirs.keys()]
			.filter((path) => path === inAnyForm(path))
			.filter((path) => !isKnown(path) && isKnown(parentOf(path)))
			.map((property) => ({ property, kind: 'new' as const, detail: '' })),
	];
}

/** The end of a path: `fieldMeta.label` of `data[].fields[].fieldMeta.label`. */
export function placeOf(path: string): string {
	return path.split('.').slice(-2).join('.');
}

function gone(ours: Properties, theirs: Properties): Found[] {
	return missing(ours, theirs, () => ({ kind: 'gone', detail: '' }));
}

/** What `some` has and `others` lack: only the outermost, and not where `others` take anything. */
function missing(
	some: Properties,
	others: Properties,
	describe: (path: string) => Pick<Found, 'kind' | 'detail'>,
): Found[] {
	return [...some.keys()]
		.filter((path) => path !== '' && !path.endsWith('>') && !others.has(path))
		.filter((path) => {
			const parent = others.get(parentOf(path));
			const isOpen = parent?.types.has('any') || others.has(`${parentOf(path)}.*`);
			return parent && !isOpen && !path.endsWith('.*');
		})
		.map((path) => ({ property: path, ...describe(path) }));
}

/** What holds for all forms of a value is not said for each. */
function once(all: Found[]): Found[] {
	const keyOf = ({ property, kind, detail }: Found) => [property, kind, detail].join(' ');
	const keys = new Set(all.map(keyOf));
	return all.filter((found) => {
		const property = inAnyForm(found.property);
		return property === found.property || !keys.has(keyOf({ ...found, property }));
	});
}

function both(
	ours: Properties,
	theirs: Properties,
	differ: (our: Property, their: Property) => string[],
): Found[] {
	return [...ours].flatMap(([property, our]) => {
		const their = theirs.get(property);
		const details = their ? differ(our, their) : [];
		return details.map((detail) => ({ property, kind: 'changed' as const, detail }));
	});
}

function isAmong(some: Set<string>, others: Set<string>): boolean {
	if (some.has('any') || others.has('any')) return true;
	return [...some].every((one) => others.has(one));
}

function typeChange({ types: before }: Property, { types: now }: Property): string {
	return `is ${[...now].join(' or ')}, was ${[...before].join(' or ')}`;
}

function refused({ values: sent }: Property, { values: taken }: Property): string[] {
	if (!sent || !taken) return [];
	const lost = [...sent].filter((value) => !taken.has(value));
	return lost.length > 0 ? [`no longer takes ${lost.join(', ')}`] : [];
}

function newValues(ours: Properties, theirs: Properties): Found[] {
	return [...ours].flatMap(([property, { values: sent }]) => {
		const taken = theirs.get(property)?.values;
		const more = sent && taken ? [...taken].filter((value) => !sent.has(value)) : [];
		return more.length > 0
			? [{ property, kind: 'new' as const, detail: `takes ${more.join(', ')}` }]
			: [];
	});
}
