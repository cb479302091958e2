/** The parts of JSON Schema, and of OpenAPI 3.0, that tell which properties there are. */
export interface JsonSchema {
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

/** By path, such as `recipients[].email`; the whole is ``. What may be called anything is `formValues.*`. */
export type Properties = Map<string, Property>;

export function propertiesOf(schema: JsonSchema): Properties {
	const properties: Properties = new Map();
	add(properties, '', schema, true);
	return properties;
}

function add(properties: Properties, path: string, schema: JsonSchema, isRequired: boolean) {
	if (schema.not) return;
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
	for (const one of all) {
		for (const [inner, property] of one) {
			const among = all.filter((other) => canContain(other.get(parentOf(inner)), inner));
			const isInAll = among.every((other) => other.get(inner)?.isRequired);
			note(properties, inner, { ...property, isRequired: property.isRequired && isInAll });
		}
	}
	if (all.some((one) => one.get(path)?.values === undefined)) delete properties.get(path)?.values;
}

function canContain(property: Property | undefined, path: string): boolean {
	return property?.types.has(path.endsWith('[]') ? 'array' : 'object') ?? false;
}

/** `recipients[]` of `recipients[].email`. */
export function parentOf(path: string): string {
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
