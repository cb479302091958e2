/** A schema preview as n8n reads it from `__schema__`: the keys and types of an output. */
export interface Schema {
	type: string;
	properties?: Record<string, Schema>;
	items?: Schema;
}

/** The schema of values that all stand for the same thing. Keys keep their order. */
export function schemaOf(values: unknown[]): Schema {
	const known = values.filter((value) => value !== null && value !== undefined);
	const [first] = known;
	if (first === undefined) return { type: 'null' };
	if (Array.isArray(first)) {
		const items = known.flatMap((value) => value as unknown[]);
		return items.length > 0 ? { type: 'array', items: schemaOf(items) } : { type: 'array' };
	}
	if (typeof first !== 'object') return { type: typeof first };
	const records = known as Array<Record<string, unknown>>;
	const keys = [...new Set(records.flatMap((record) => Object.keys(record)))];
	const properties = keys.map(
		(key) => [key, schemaOf(records.map((record) => record[key]))] as const,
	);
	return { type: 'object', properties: Object.fromEntries(properties) };
}
