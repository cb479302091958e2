/** A schema preview as n8n reads it from `__schema__`: the keys and types of an output. */
export interface Schema {
	type: string;
	properties?: Record<string, Schema>;
	items?: Schema;
}

/** What is null in the outputs of the tests may be this elsewhere. The editor shows nothing useful for null. */
const ELSEWHERE: Record<string, string> = {
	completedAt: 'string',
	existing: 'object',
	externalId: 'string',
	folderId: 'string',
	ipAddress: 'string',
	lastRemindedAt: 'string',
	openedAt: 'string',
	parentId: 'string',
	rejectionReason: 'string',
	signedAt: 'string',
	signingOrder: 'number',
};

/** The schema of values that all stand for the same thing, under this key. Keys keep their order. */
export function schemaOf(values: unknown[], under = ''): Schema {
	const known = values.filter((value) => value !== null && value !== undefined);
	const [first] = known;
	if (first === undefined) return { type: ELSEWHERE[under] ?? 'null' };
	if (Array.isArray(first)) {
		const items = known.flatMap((value) => value as unknown[]);
		return items.length > 0 ? { type: 'array', items: schemaOf(items) } : { type: 'array' };
	}
	if (typeof first !== 'object') return { type: typeof first };
	const records = known as Array<Record<string, unknown>>;
	const keys = [...new Set(records.flatMap((record) => Object.keys(record)))];
	const properties = keys.map(
		(key) =>
			[
				key,
				schemaOf(
					records.map((record) => record[key]),
					key,
				),
			] as const,
	);
	return { type: 'object', properties: Object.fromEntries(properties) };
}
