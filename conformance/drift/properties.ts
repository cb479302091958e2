/** The parts of JSON Schema, and of OpenAPI 3.0, that tell which properties there are. */
export interface JsonSchema {
	$ref?: string;
	type?: string | string[];
	nullable?: boolean;
	enum?: unknown[];
	const?: unknown;
	properties?: Record<string, JsonSchema>;
	required?: string[];
	additionalProperties?: boolean | JsonSchema;
	items?: JsonSchema;
	anyOf?: JsonSchema[];
	oneOf?: JsonSchema[];
	allOf?: JsonSchema[];
	/** `{ "not": {} }` is what must not be there. */
	not?: JsonSchema;
}

export interface Property {
	/** Of JSON: `string`, `null` and so on; `any` if the schema does not say. */
	types: Set<string>;
	/** All that it may be, if that is limited. */
	values?: Set<string>;
	isRequired: boolean;
}

/**
 * By path, such as `recipients[].email`; the whole is ``. What may be called anything is `formValues.*`. What one of
 * several forms has is there twice: as `fields[].fieldMeta` and as `fields[]<TEXT>.fieldMeta`.
 */
export type Properties = Map<string, Property>;

export function propertiesOf(schema: JsonSchema): Properties {
	const properties: Properties = new Map();
	add(properties, '', schema, true);
	return properties;
}

function add(properties: Properties, path: string, schema: JsonSchema, isRequired: boolean) {
	if (schema.not) return;
	// Otherwise it would count as anything, and nothing in it would be compared.
	if (schema.$ref)
		throw new Error(`${path || 'A body'} is ${schema.$ref}: drift reads no references`);
	for (const part of schema.allOf ?? []) add(properties, path, part, isRequired);
	const variants = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
	if (variants.length > 0) merge(properties, path, variants, isRequired);
	if (variants.length > 0 || schema.allOf) {
		if (schema.nullable) properties.get(path)?.types.add('null');
		return;
	}

	const values = schema.const === undefined ? schema.enum : [schema.const];
	note(properties, path, {
		types: typesOf(schema, values),
		...(values ? { values: new Set(values.map(String)) } : {}),
		isRequired,
	});
	const inside = (name: string) => (path === '' ? name : `${path}.${name}`);
	for (const [name, one] of Object.entries(schema.properties ?? {})) {
		add(properties, inside(name), one, schema.required?.includes(name) ?? false);
	}
	const { additionalProperties: others, items } = schema;
	if (typeof others === 'object') add(properties, inside('*'), others, false);
	if (items) add(properties, `${path}[]`, items, true);
}

/** What only some variants have, or need, is not required. */
function merge(properties: Properties, path: string, variants: JsonSchema[], isRequired: boolean) {
	const all = variants.map((variant) => {
		const one: Properties = new Map();
		add(one, path, variant, isRequired);
		return one;
	});
	const forms = formsOf(all, path);
	for (const one of all) {
		const form = forms?.get(one);
		for (const [inner, property] of one) {
			if (form) note(properties, `${path}<${form}>${inner.slice(path.length)}`, copyOf(property));
			const among = all.filter((other) => canContain(other.get(parentOf(inner)), inner));
			const isInAll = among.every((other) => other.get(inner)?.isRequired);
			note(properties, inner, { ...property, isRequired: property.isRequired && isInAll });
		}
	}
	if (all.some((one) => one.get(path)?.values === undefined)) delete properties.get(path)?.values;
}

/** What tells each form from the others: a value, such as a field's type, or a property that only it needs. */
function formsOf(all: Properties[], path: string): Map<Properties, string> | undefined {
	if (path === '') return undefined;
	const namesIn = (one: Properties) =>
		[...one.keys()].filter((name) => name !== path && parentOf(name) === path).sort();
	const byValue = namesIn(all[0] ?? new Map<string, Property>()).map((name) =>
		all.map((one) => {
			const [value, ...others] = one.get(name)?.values ?? [];
			return others.length > 0 ? undefined : value;
		}),
	);
	const byName = all.map((one) =>
		namesIn(one).find(
			(name) => one.get(name)?.isRequired && !all.some((other) => other !== one && other.has(name)),
		),
	);
	const names = [...byValue, byName].find(
		(some) => !some.includes(undefined) && new Set(some).size === all.length,
	);
	return names && new Map(all.map((one, index) => [one, names[index] ?? '']));
}

/** `fields[].fieldMeta` of `fields[]<TEXT>.fieldMeta`. */
export function inAnyForm(path: string): string {
	return path.replace(/<[^<>]*>/g, '');
}

function copyOf({ types, values, isRequired }: Property): Property {
	return { types: new Set(types), ...(values ? { values: new Set(values) } : {}), isRequired };
}

function canContain(property: Property | undefined, path: string): boolean {
	return property?.types.has(path.endsWith('[]') ? 'array' : 'object') ?? false;
}

/** `recipients[]` of `recipients[].email` or `recipients[]<CC>`. */
export function parentOf(path: string): string {
	if (path.endsWith('>')) return path.slice(0, path.lastIndexOf('<'));
	return path.endsWith('[]')
		? path.slice(0, -2)
		: path.slice(0, Math.max(0, path.lastIndexOf('.')));
}

function note(properties: Properties, path: string, property: Property) {
	const known = properties.get(path);
	if (!known) return void properties.set(path, property);
	for (const type of property.types) known.types.add(type);
	for (const value of property.values ?? []) known.values?.add(value);
	known.isRequired &&= property.isRequired;
}

function typesOf({ type, nullable }: JsonSchema, values: unknown[] | undefined): Set<string> {
	const given = type ?? values?.map((value) => (value === null ? 'null' : typeof value)) ?? 'any';
	const types = [given].flat().map((one) => (one === 'integer' ? 'number' : one));
	return new Set(nullable ? [...types, 'null'] : types);
}
