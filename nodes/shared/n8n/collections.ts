import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { z } from 'zod';

import {
	input,
	propertiesOf,
	type Added,
	type Extras,
	type Input,
	type Inputs,
	type Limit,
	type Property,
	type Values,
} from './input';
import { compact, type Schema } from './values';

/** Inputs that hold other inputs: collections, to which a user adds some, and lists of rows. */

/** Optional inputs that a user adds. An empty one counts as not added. */
export function collection<I extends Inputs>(
	displayName: string,
	inputs: I,
	extras: Extras = {},
): Input<Added<I>> {
	return collectionOf(displayName, inputs, extras, compact);
}

/** The same for an update: an empty text empties what is stored. */
export function changes<I extends Inputs>(displayName: string, inputs: I): Input<Added<I>> {
	return collectionOf(displayName, inputs, {}, (values) =>
		Object.fromEntries(
			Object.entries(values).filter(([, value]) => value !== null && value !== undefined),
		),
	);
}

/** The same collection, but a user has to add at least one input. */
export function atLeastOne<Value extends object>({ schema, ...rest }: Input<Value>): Input<Value> {
	const isFilled = (value: Value) => Object.keys(value).length > 0;
	const issue = { message: 'is empty', params: { advice: 'Add at least one field to change.' } };
	return { ...rest, schema: schema.refine(isFilled, issue) };
}

function collectionOf<I extends Inputs>(
	displayName: string,
	inputs: I,
	extras: Extras,
	added: (values: IDataObject) => IDataObject,
): Input<Added<I>> {
	const property: Property = {
		displayName,
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		...extras,
		options: byLabel(propertiesOf(inputs)),
	};
	// n8n stores a collection as an object.
	const read = (value: unknown) => added((value ?? {}) as IDataObject);
	return {
		...input(property, z.preprocess(read, anyOf(inputs))),
		limits: limitsOf(inputs),
	};
}

/** What was added of some inputs. */
export function anyOf<I extends Inputs>(inputs: I): Schema<Added<I>> {
	// Zod cannot infer an object that is built from a record.
	return objectOf(inputs).partial() as unknown as Schema<Added<I>>;
}

function limitsOf(inputs: Inputs): Limit[] {
	return Object.entries(inputs).flatMap(([name, { limits = [] }]) =>
		limits.map(({ path, mayBeBlank }) => ({ path: [name, ...path], mayBeBlank })),
	);
}

/** The same collection, with more inputs in the editor; whoever adds them reads them. */
export function withMore<Value>(one: Input<Value>, inputs: Inputs): Input<Value> {
	// A collection's options are inputs.
	const own = (one.property.options ?? []) as INodeProperties[];
	const options = byLabel([...own, ...propertiesOf(inputs)]);
	return { ...one, property: { ...one.property, options } };
}

function objectOf(inputs: Inputs) {
	const schemas = Object.entries(inputs).map(([name, { schema }]) => [name, schema] as const);
	return z.object(Object.fromEntries(schemas));
}

/** A list of rows with the same inputs; `row` is the name of a row in the editor and in the stored value. */
export function rows<I extends Inputs, Row = Values<I>>(
	displayName: string,
	row: { displayName: string; name: string },
	inputs: I,
	extras: Extras = {},
	// By default, a row is what its inputs hold.
	read: (schema: Schema<Values<I>>) => Schema<Row> = (schema) => schema as unknown as Schema<Row>,
): Input<Row[]> {
	const property: Property = {
		displayName,
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		default: {},
		...extras,
		options: [{ ...row, values: propertiesOf(inputs) }],
	};
	// Zod cannot infer an object that is built from a record.
	const one = objectOf(inputs) as unknown as Schema<Values<I>>;
	// n8n stores the rows in an object, under the name of a row.
	const rowsIn = (value: unknown) =>
		Object.values((value ?? {}) as Record<string, IDataObject[] | undefined>)
			.flatMap((group) => group ?? [])
			.map((values) => compact(values));
	return {
		...input(property, z.preprocess(rowsIn, z.array(read(one)))),
		rowLimits: limitsOf(inputs),
	};
}

/** Alphabetical, as n8n wants collections. Not with a locale: Node takes 6 ms to load its first one. */
function byLabel(properties: INodeProperties[]): INodeProperties[] {
	return [...properties].sort((a, b) => (a.displayName < b.displayName ? -1 : 1));
}
