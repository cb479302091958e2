import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { z } from 'zod';

import { anyText, filledText, jsonOf, trueOrFalse, wholeNumber, type Schema } from './values';

/** How the editor shows an input; the operation gives it its name. */
export type Property = Omit<INodeProperties, 'name'>;

/** Something that a user enters: how the editor shows it, and how its value is read. */
export interface Input<Value> {
	property: Property;
	schema: Schema<Value>;
	/** It is shown and read only while each of these other inputs has one of its values. */
	conditions?: Array<{ input: string; values: unknown[] }>;
	limits?: Limit[];
	/** The same inside each row of a list. */
	rowLimits?: Limit[];
	/** Its values are read as if they were in this other collection. */
	partOf?: string;
}

/** Where an expression that gives nothing is refused. */
export interface Limit {
	/** Inside the value; none is the value itself. */
	path: string[];
	/** A text may be empty, or lack a part, but not say "undefined" in its place. */
	mayBeBlank: boolean;
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

/**
 * An input with which an empty value would mean more than the user meant: all recipients, any document, a blank in a
 * contract. Left empty on purpose, it limits nothing.
 */
export function limiting<Value>(one: Input<Value>): Input<Value> {
	return { ...one, limits: [{ path: [], mayBeBlank: false }] };
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
	return {
		...input({ displayName, type: 'string', default: '', ...extras }, schema),
		limits: [{ path: [], mayBeBlank: true }],
	};
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
	const known: unknown[] = options.map(({ value }) => value);
	const schema = z.custom<Value>((value) => known.includes(value), {
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

/** The same input, marked as required in the editor. */
export function required<Value>({ property, ...rest }: Input<Value>): Input<Value> {
	return { ...rest, property: { ...property, required: true } };
}

/** The same input, with a line below it. Unlike a notice, that is no box. */
export function withHint<Value>({ property, ...rest }: Input<Value>, hint: string): Input<Value> {
	return { ...rest, property: { ...property, hint } };
}

/** The same input, which the editor does not show: workflows from before may have it, and n8n drops what it does not know. */
export function hidden<Value>({ property, ...rest }: Input<Value>): Input<Value> {
	return { ...rest, property: { ...property, type: 'hidden' } };
}

/** Inputs that are shown only while another one has one of these values; otherwise their values are undefined. */
export function shownFor<I extends Inputs>(
	name: string,
	values: Array<string | boolean>,
	inputs: I,
): { [Name in keyof I]: Input<ValueOf<I[Name]> | undefined> } {
	const entries = Object.entries(inputs).map(([key, one]) => {
		const conditions = [...(one.conditions ?? []), { input: name, values }];
		return [key, { ...displayed(one, 'show', name, values), conditions }];
	});
	// The names are those of the inputs.
	return Object.fromEntries(entries) as { [Name in keyof I]: Input<ValueOf<I[Name]> | undefined> };
}

/** Inputs that the editor shows only once something is chosen in another one, as n8n's own nodes do. */
export function shownOnceChosen<I extends Inputs>(name: string, inputs: I): I {
	const entries = Object.entries(inputs).map(([key, one]) => [
		key,
		displayed(one, 'hide', name, ['']),
	]);
	// The inputs are the same.
	return Object.fromEntries(entries) as I;
}

/** The same input, which the editor shows, or hides, while another one has one of these values. */
function displayed<Value>(
	one: Input<Value>,
	rule: 'show' | 'hide',
	name: string,
	values: Array<string | boolean>,
): Input<Value> {
	const { displayOptions } = one.property;
	const conditions = { ...displayOptions?.[rule], [name]: values };
	const property = { ...one.property, displayOptions: { ...displayOptions, [rule]: conditions } };
	return { ...one, property };
}

/** The inputs in the form that n8n needs. */
export function propertiesOf(inputs: Inputs): INodeProperties[] {
	return Object.entries(inputs).map(([name, { property }]) => ({ ...property, name }));
}
