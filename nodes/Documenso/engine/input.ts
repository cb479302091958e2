import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { z } from 'zod';

import { adviceIn, inPlainWords, labelOf, namedFaultIn } from './inputFaults';
import type { Parameters } from './parameters';
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

/** How the editor shows an input; the operation gives it its name. */
type Property = Omit<INodeProperties, 'name'>;

/** Something that a user enters: how the editor shows it, and how its value is read. */
export interface Input<Value> {
	property: Property;
	schema: Schema<Value>;
	/** It is shown and read only while each of these other inputs has one of its values. */
	conditions?: Array<{ input: string; values: unknown[] }>;
	/**
	 * Where an expression that gives nothing is refused, because an empty input would mean more than the user meant: all
	 * recipients, any document. Paths inside the value; none is the value itself.
	 */
	limits?: string[][];
	/** The same inside each row of a list. */
	rowLimits?: string[][];
}

export type Inputs = Record<string, Input<unknown>>;

/** What an operation gets. */
export type Values<I extends Inputs> = { [Name in keyof I]: ValueOf<I[Name]> };

/** What a user added to a collection. */
export type Added<I extends Inputs> = { [Name in keyof I]?: ValueOf<I[Name]> };

type ValueOf<One> = One extends Input<infer Value> ? Value : never;

export type Extras = Partial<Property>;

export function input<Value>(property: Property, schema: Schema<Value>): Input<Value> {
	return { property, schema };
}

/** An input that limits what an operation does; left empty on purpose, it limits nothing. */
export function limiting<Value>(one: Input<Value>): Input<Value> {
	return { ...one, limits: [[]] };
}

/** Text, without the blanks around it. It may be empty unless it is required. */
export function text(displayName: string, extras: Extras = {}): Input<string> {
	return textOf(displayName, extras.required ? filledText() : anyText.default(''), extras);
}

/** Text that must have a certain form, such as an email address. */
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

/** A choice between values of the node's own. */
export function choice<Value extends string>(
	displayName: string,
	options: Array<INodePropertyOptions & { value: Value }>,
	extras: Extras & { default: NoInfer<Value> },
): Input<Value> {
	const known = options.map(({ value }) => value);
	const schema = z.custom<Value>((value) => known.some((one) => one === value), {
		message: `is not one of: ${known.join(', ')}`,
	});
	return input({ displayName, type: 'options', options, ...extras }, schema);
}

/** A choice between values of Documenso's. Other values pass, because Documenso may add some. */
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

/** A text between the inputs. */
export function notice(displayName: string): Input<unknown> {
	return input({ displayName, type: 'notice', default: '' }, z.unknown());
}

/** JSON that a user typed, or the value of an expression. */
export function json<Value>(
	displayName: string,
	schema: Schema<Value>,
	extras: Extras = {},
): Input<Value> {
	return input({ displayName, type: 'json', default: '{}', ...extras }, jsonOf(schema));
}

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
	const schema = z.preprocess(
		// n8n stores a collection as an object.
		(value) => added((value ?? {}) as IDataObject),
		objectOf(inputs).partial(),
	);
	// Zod cannot infer an object that is built from a record.
	return { ...input(property, schema as unknown as Schema<Added<I>>), limits: limitsOf(inputs) };
}

function limitsOf(inputs: Inputs): string[][] {
	return Object.entries(inputs).flatMap(([name, { limits = [] }]) =>
		limits.map((path) => [name, ...path]),
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

/** The same input, marked as required in the editor. */
export function required<Value>({ property, ...rest }: Input<Value>): Input<Value> {
	return { ...rest, property: { ...property, required: true } };
}

/** Inputs that are shown only while another one has one of these values; otherwise their values are undefined. */
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
	// The names are those of the inputs.
	return Object.fromEntries(entries) as { [Name in keyof I]: Input<ValueOf<I[Name]> | undefined> };
}

/** Inputs that the editor shows only once something is chosen in another one, as n8n's own nodes do. */
export function shownOnceChosen<I extends Inputs>(name: string, inputs: I): I {
	const entries = Object.entries(inputs).map(([key, one]) => {
		const { displayOptions } = one.property;
		const hide = { ...displayOptions?.hide, [name]: [''] };
		return [
			key,
			{ ...one, property: { ...one.property, displayOptions: { ...displayOptions, hide } } },
		];
	});
	// The inputs are the same.
	return Object.fromEntries(entries) as I;
}

/** The inputs in the form that n8n needs. */
export function propertiesOf(inputs: Inputs): INodeProperties[] {
	return Object.entries(inputs).map(([name, { property }]) => ({ ...property, name }));
}

/** Alphabetical, as n8n wants collections. Not with a locale: Node takes 6 ms to load its first one. */
function byLabel(properties: INodeProperties[]): INodeProperties[] {
	return [...properties].sort((a, b) => (a.displayName < b.displayName ? -1 : 1));
}

/**
 * Reads the values of an item's inputs. Throws a Refusal that names the input, and inside it the row and the inner
 * input, by their labels.
 */
export function readInputs<I extends Inputs>(
	inputs: I,
	parameters: Parameters,
	item: number,
): Values<I> {
	const raw = (name: string) => parameters.read(name, item);
	const values = Object.entries(inputs).map(([name, one]) => {
		const { property, schema, conditions = [] } = one;
		const isShown = conditions.every(({ input, values }) => values.includes(raw(input)));
		if (!isShown) return [name, undefined];
		for (const { path, shown } of limitsIn(one, parameters.rows(name))) {
			const empty = parameters.emptyExpressions([name, ...path], item);
			if (empty.length > 0) throw givesNothing(labelOf(property, shown), empty);
		}
		const result = schema.safeParse(raw(name), { errorMap: inPlainWords });
		if (result.success) return [name, result.data];
		throw new Refusal(namedFaultIn(result.error, property), adviceIn(result.error));
	});
	// Each name has the value that its schema has read.
	return Object.fromEntries(values) as Values<I>;
}

/** Where an expression must give something, and how users call the place: they count the rows of all groups. */
function limitsIn(
	{ limits = [], rowLimits = [] }: Input<unknown>,
	groups: ReturnType<Parameters['rows']>,
): Array<{ path: string[]; shown: Array<string | number> }> {
	const rowsStored = groups.flatMap(({ group, count }) =>
		Array.from({ length: count }, (_, row) => [group, String(row)]),
	);
	return [
		...limits.map((path) => ({ path, shown: path })),
		...rowLimits.flatMap((path) =>
			rowsStored.map((row, index) => ({ path: [...row, ...path], shown: [index, ...path] })),
		),
	];
}

function givesNothing(label: string, expressions: string[]): Refusal {
	return new Refusal(
		`'${label}' has an expression that gives nothing: ${expressions.join(', ')}`,
		'Correct the expression. To leave the input empty on purpose, remove the expression.',
	);
}
