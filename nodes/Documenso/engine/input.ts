import type {
	IDataObject,
	IExecuteFunctions,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';
import { z } from 'zod';

import { Refusal } from './refusal';
import {
	anyText,
	compact,
	filledText,
	jsonOf,
	trueOrFalse,
	wholeNumber,
	type Schema,
} from './values';

/** How the editor shows an input, except for the name that an operation gives it. */
export type Property = Omit<INodeProperties, 'name'>;

/** Something that a user enters: how the editor shows it, and how its value is read. */
export interface Input<Value> {
	property: Property;
	schema: Schema<Value>;
	/** It is shown and read only while each of these other inputs has one of the values. */
	conditions?: Array<{ input: string; values: unknown[] }>;
}

export type Inputs = Record<string, Input<unknown>>;

/** What an operation gets for its inputs. */
export type Values<I extends Inputs> = { [Name in keyof I]: ValueOf<I[Name]> };

/** What a user added to a collection. */
export type Added<I extends Inputs> = { [Name in keyof I]?: ValueOf<I[Name]> };

type ValueOf<One> = One extends Input<infer Value> ? Value : never;

export type Extras = Partial<Property>;

export function input<Value>(property: Property, schema: Schema<Value>): Input<Value> {
	return { property, schema };
}

/** Text without the blanks around it. Required text must be filled in. */
export function text(displayName: string, extras: Extras = {}): Input<string> {
	return textOf(displayName, extras.required ? filledText() : anyText.default(''), extras);
}

/** Text in a form of its own, such as an email address. */
export function textOf<Value>(
	displayName: string,
	schema: Schema<Value>,
	extras: Extras = {},
): Input<Value> {
	return input({ displayName, type: 'string', default: '', ...extras }, schema);
}

/** A whole number from 1 up. */
export function positiveInteger(displayName: string, extras: Extras = {}): Input<number> {
	return input(
		{ displayName, type: 'number', typeOptions: { minValue: 1 }, default: 1, ...extras },
		wholeNumber(1),
	);
}

export function flag(displayName: string, isOn: boolean, extras: Extras = {}): Input<boolean> {
	return input({ displayName, type: 'boolean', default: isOn, ...extras }, trueOrFalse);
}

/** One of the values that the node itself gives a meaning to. */
export function choice<Value extends string>(
	displayName: string,
	options: Array<INodePropertyOptions & { value: Value }>,
	extras: Extras & { default: Value },
): Input<Value> {
	const known = options.map(({ value }) => value);
	const schema: Schema<Value> = z.custom<Value>((value) => known.includes(value as Value), {
		message: `is none of: ${known.join(', ')}`,
	});
	return { property: { displayName, type: 'options', options, ...extras }, schema };
}

/** One of the values that Documenso gives a meaning to; values that it may add later pass. */
export function openChoice(
	displayName: string,
	options: INodePropertyOptions[],
	extras: Extras & { default: string },
): Input<string> {
	return input({ displayName, type: 'options', options, ...extras }, anyText);
}

/** Any number of values to choose from. */
export function multiChoice<Value>(
	displayName: string,
	options: INodePropertyOptions[],
	schema: Schema<Value[]>,
	extras: Extras = {},
): Input<Value[]> {
	return input({ displayName, type: 'multiOptions', options, default: [], ...extras }, schema);
}

/** A text for the user between the inputs. */
export function notice(displayName: string, extras: Extras = {}): Input<unknown> {
	return input({ displayName, type: 'notice', default: '', ...extras }, z.unknown());
}

/** JSON that a user typed, or the value of an expression. */
export function json<Value>(
	displayName: string,
	schema: Schema<Value>,
	extras: Extras = {},
): Input<Value> {
	return {
		property: { displayName, type: 'json', default: '{}', ...extras },
		schema: jsonOf(schema),
	};
}

/** Optional inputs that a user adds; those left empty count as not added. */
export function collection<I extends Inputs>(
	displayName: string,
	inputs: I,
	extras: Extras = {},
): Input<Added<I>> {
	return collectionOf(displayName, inputs, extras, compact);
}

/** The same where an input that was added and left empty empties what is stored. */
export function changes<I extends Inputs>(displayName: string, inputs: I): Input<Added<I>> {
	return collectionOf(displayName, inputs, {}, (values) =>
		Object.fromEntries(
			Object.entries(values ?? {}).filter(([, value]) => value !== null && value !== undefined),
		),
	);
}

/** The same collection where at least one input has to be added. */
export function atLeastOne<Value extends object>({ schema, ...rest }: Input<Value>): Input<Value> {
	const isFilled = (value: Value) => Object.keys(value).length > 0;
	return { ...rest, schema: schema.refine(isFilled, 'is empty: there is nothing to change') };
}

function collectionOf<I extends Inputs>(
	displayName: string,
	inputs: I,
	extras: Extras,
	added: (values: IDataObject | null) => IDataObject,
): Input<Added<I>> {
	const property: Property = {
		displayName,
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		...extras,
		options: byLabel(propertiesOf(inputs)),
	};
	const shape = Object.entries(inputs).map(([name, { schema }]) => [name, schema.optional()]);
	const schema = z.preprocess(
		(value) => added((value ?? null) as IDataObject | null),
		z.object(Object.fromEntries(shape) as z.ZodRawShape),
	);
	// Zod cannot infer an object that is built from a record.
	return input(property, schema as unknown as Schema<Added<I>>);
}

/** A list of rows with the same inputs; `row` is what the editor and the stored value call a row. */
export function rows<I extends Inputs, Row = Values<I>>(
	displayName: string,
	row: { displayName: string; name: string },
	inputs: I,
	extras: Extras = {},
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
	const shape = Object.entries(inputs).map(([name, { schema }]) => [name, schema]);
	const one = z.object(Object.fromEntries(shape) as z.ZodRawShape) as unknown as Schema<Values<I>>;
	const rowsIn = (value: unknown) =>
		Object.values((value ?? {}) as Record<string, IDataObject[] | undefined>)
			.flatMap((group) => group ?? [])
			.map((values) => compact(values));
	return input(property, z.preprocess(rowsIn, z.array(read(one))));
}

/** The same input with the mark of one that has to be filled in. */
export function required<Value>({ property, ...rest }: Input<Value>): Input<Value> {
	return { ...rest, property: { ...property, required: true } };
}

/** Inputs that the editor shows only while another one has one of these values; otherwise they are undefined. */
export function shownFor<I extends Inputs>(
	name: string,
	values: Array<string | boolean>,
	inputs: I,
): { [Name in keyof I]: Input<ValueOf<I[Name]> | undefined> } {
	const entries = Object.entries(inputs).map(([key, one]) => {
		const { displayOptions } = one.property;
		const show = { ...displayOptions?.show, [name]: values };
		const property = { ...one.property, displayOptions: { ...displayOptions, show } };
		const conditions = [...(one.conditions ?? []), { input: name, values }];
		return [key, { ...one, property, conditions }];
	});
	return Object.fromEntries(entries) as { [Name in keyof I]: Input<ValueOf<I[Name]> | undefined> };
}

/** The inputs as n8n describes them. */
export function propertiesOf(inputs: Inputs): INodeProperties[] {
	return Object.entries(inputs).map(([name, { property }]) => ({ ...property, name }));
}

/** Sorted as the editor shows them. Without a locale: Node takes 6 ms to load its first one. */
function byLabel(properties: INodeProperties[]): INodeProperties[] {
	return [...properties].sort((a, b) => (a.displayName < b.displayName ? -1 : 1));
}

/**
 * Reads the values of an item's inputs. Throws a Refusal that names the input, and inside it the row and the inner
 * input, by their labels.
 */
export function readInputs<I extends Inputs>(
	inputs: I,
	context: IExecuteFunctions,
	itemIndex: number,
): Values<I> {
	// An input that the editor hides has no value: without a fallback n8n would throw.
	const raw = (name: string) =>
		context.getNodeParameter(name, itemIndex, null, { extractValue: true }) ?? undefined;
	const values = Object.entries(inputs).map(([name, { property, schema, conditions = [] }]) => {
		const isShown = conditions.every(({ input, values }) => values.includes(raw(input)));
		if (!isShown) return [name, undefined];
		const result = schema.safeParse(raw(name));
		if (result.success) return [name, result.data];
		throw new Refusal(`'${property.displayName}' ${faultIn(result.error, property)}`);
	});
	return Object.fromEntries(values) as Values<I>;
}

/** Rows are counted from 1, and inputs called by their labels, as a person does. */
function faultIn({ issues: [issue] }: z.ZodError, property: Property): string {
	const { path = [], message = 'unexpected value' } = issue ?? {};
	if (path.length === 0) return message;
	const inner = nested(property);
	const place = path.map((step) =>
		typeof step === 'number'
			? `row ${step + 1}`
			: (inner.find(({ name }) => name === step)?.displayName ?? step),
	);
	return `cannot be used: ${place.join(', ')}: ${message}`;
}

/** The inputs inside a collection, and inside those. */
function nested({ options = [] }: Property): INodeProperties[] {
	return options.flatMap((option) => {
		const inside = 'values' in option ? option.values : 'type' in option ? [option] : [];
		return inside.flatMap((one) => [one, ...nested(one)]);
	});
}
