/** Keys that distinguish the elements of the service's lists, except IDs and dates. */
const DISTINGUISHING_KEYS = [
	'email',
	'role',
	'title',
	'type',
	'event',
	'name',
	'label',
	'page',
	'positionX',
	'positionY',
	'order',
	'source',
	'status',
	'data',
];

export interface ElementPair {
	index: number;
	recorded: unknown;
	emulated: unknown;
}

/**
 * Pairs corresponding elements of two lists, because recipients, for example, come in no fixed order.
 * Elements without a counterpart are paired with the remaining ones, in order, if there are any.
 * `recipientOf` maps recorded recipients to emulated ones.
 */
export function pairElements(
	recorded: readonly unknown[],
	emulated: readonly unknown[],
	recipientOf: (recipientId: unknown) => unknown = (recipientId) => recipientId,
): ElementPair[] {
	const left = new Set(emulated.keys());
	const partners = new Map<number, number>();
	const match = (keyOf: (element: unknown, isRecorded: boolean) => unknown): void => {
		for (const [index, element] of recorded.entries()) {
			if (partners.has(index)) continue;
			const key = keyOf(element, true);
			const partner = [...left].find((at) => keyOf(emulated[at], false) === key);
			if (partner === undefined) continue;
			left.delete(partner);
			partners.set(index, partner);
		}
	};
	// Fields of two recipients may have the same position.
	match((element, isRecorded) => {
		const owner = partOf(element, 'recipientId');
		return JSON.stringify([describe(element), isRecorded ? recipientOf(owner) : owner]);
	});
	match(describe);
	match(() => '');
	return recorded.map((element, index) => {
		const partner = partners.get(index);
		const counterpart = partner === undefined ? undefined : emulated[partner];
		return { index, recorded: element, emulated: counterpart };
	});
}

function describe(element: unknown): string {
	if (typeof element !== 'object' || element === null) return JSON.stringify(element);
	return JSON.stringify(DISTINGUISHING_KEYS.map((key) => withoutIds(partOf(element, key))));
}

function withoutIds(value: unknown): unknown {
	if (typeof value !== 'object' || value === null) return value;
	return Object.entries(value).filter(
		([key, entry]) => typeof entry !== 'object' && !key.endsWith('Id') && key !== 'id',
	);
}

function partOf(element: unknown, key: string): unknown {
	if (typeof element !== 'object' || element === null) return undefined;
	return (element as Record<string, unknown>)[key];
}
