/** What tells the elements of the service's lists apart, apart from ids and dates. */
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
 * Pairs the elements of two lists that mean the same: recipients, for one, come in no useful
 * order. What has no counterpart is paired with what is left, in order, and may stay alone.
 * `recipientOf` knows which emulated recipient a recorded one has become.
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
	// Two people's fields may lie in the same place.
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
