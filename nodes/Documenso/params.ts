import type {
	IDataObject,
	IExecuteFunctions,
	INodeProperties,
	ResourceMapperValue,
} from 'n8n-workflow';
import { z } from 'zod';

import { Refusal } from './engine/refusal';
import { foundFile, type FileReference } from './schemas/files';
import { numericId } from './engine/values';

type Schema<Output> = z.ZodType<Output, z.ZodTypeDef, unknown>;

/** Values by the names of their columns. */
export interface Given {
	/** Whether they are all columns that the item has, so that some may be for something else. */
	isAutomatic: boolean;
	values: Record<string, unknown>;
}

/** One item's parameters. The item is bound here, so that no operation can read another item's. */
export class Params {
	constructor(
		readonly context: IExecuteFunctions,
		readonly itemIndex: number,
		private readonly properties: readonly INodeProperties[],
	) {}

	/** Text, or the id that a resource locator holds. Blanks around it are dropped. */
	string(name: string): string {
		const value = this.read(name) ?? '';
		if (typeof value === 'string') return value.trim();
		if (typeof value === 'number' || typeof value === 'boolean') return String(value);
		throw this.refuse(name, 'is not text');
	}

	/** Like `string`, but an empty one is refused before any request. */
	required(name: string): string {
		const value = this.string(name);
		if (value === '') throw this.refuse(name, 'is empty');
		return value;
	}

	/** Also understands "true" and "false": the service takes any text for true (contract §0). */
	boolean(name: string): boolean {
		const value = this.read(name);
		if (typeof value === 'boolean') return value;
		if (value === 'true' || value === 'false') return value === 'true';
		throw this.refuse(name, 'is neither true nor false');
	}

	number(name: string): number {
		const value = Number(this.read(name));
		if (Number.isNaN(value)) throw this.refuse(name, 'is not a number');
		return value;
	}

	/** A whole number from 1 up. */
	atLeastOne(name: string): number {
		const value = this.number(name);
		if (!Number.isInteger(value) || value < 1)
			throw this.refuse(name, 'is not a whole number above 0');
		return value;
	}

	/** Ids from a list, or from text with commas between. */
	ids(name: string): number[] {
		const value = this.read(name) ?? [];
		const list = typeof value === 'string' ? value.split(',') : value;
		return this.parse(
			name,
			Array.isArray(list) ? list.filter((one) => String(one).trim() !== '') : [list],
			z.array(numericId),
		);
	}

	/** Names of binary fields, with commas between; or files that an expression has found. */
	files(name: string): FileReference[] {
		const value = this.read(name);
		const found = z.array(foundFile).min(1).safeParse([value].flat());
		if (found.success) return found.data;
		const names = this.required(name).split(',');
		const given = names.map((one) => one.trim()).filter((one) => one !== '');
		if (given.length === 0) throw this.refuse(name, 'names no field');
		return given;
	}

	/** A single value as a schema reads it. */
	value<Output>(name: string, schema: Schema<Output>): Output {
		return this.parse(name, this.read(name) ?? undefined, schema);
	}

	/** A collection as a schema reads it. What the user left empty is left out before. */
	collection<Output>(name: string, schema: Schema<Output>): Output {
		return this.parse(name, compact(this.read(name) as IDataObject | null), schema);
	}

	/** A collection of changes: what the user added and left empty is to be emptied. */
	changes<Output>(name: string, schema: Schema<Output>): Output {
		const given = Object.entries((this.read(name) ?? {}) as IDataObject);
		const known = given.filter(([, value]) => value !== null && value !== undefined);
		return this.parse(name, Object.fromEntries(known), schema);
	}

	/** The rows of a fixed collection that repeats one group. */
	rows<Output>(name: string, schema: Schema<Output>): Output[] {
		const groups = (this.read(name) ?? {}) as Record<string, IDataObject[] | undefined>;
		const rows = Object.values(groups).flatMap((group) => group ?? []);
		return this.parse(
			name,
			rows.map((row) => compact(row)),
			z.array(schema),
		);
	}

	/**
	 * What a resource mapper gives: the values entered in it, or with Map Automatically the item's own columns.
	 * It is read as a whole, because n8n checks a mapper's values only when they are read alone: its message
	 * would name one column of one item.
	 */
	columns(name: string): Given {
		const { mappingMode, value } = (this.read(name) ?? {}) as Partial<ResourceMapperValue>;
		const isAutomatic = mappingMode === 'autoMapInputData';
		const own = this.context.getInputData()[this.itemIndex]?.json;
		return { isAutomatic, values: (isAutomatic ? own : value) ?? {} };
	}

	/** JSON that a user typed, or the value that an expression made. */
	json<Output>(name: string, schema: Schema<Output>): Output {
		const value = this.read(name);
		return this.parse(
			name,
			typeof value === 'string' ? this.parseJson(name, value) : value,
			schema,
		);
	}

	/** The error for a value that cannot be used; `fault` continues "'Field' …". */
	refuse(name: string, fault: string, advice?: string): Refusal {
		const label = this.properties.find((property) => property.name === name)?.displayName ?? name;
		return new Refusal(`'${label}' ${fault}`, advice);
	}

	private parseJson(name: string, text: string): unknown {
		try {
			return JSON.parse(text);
		} catch (error) {
			throw this.refuse(
				name,
				'is not valid JSON',
				error instanceof Error ? error.message : undefined,
			);
		}
	}

	private parse<Output>(name: string, value: unknown, schema: Schema<Output>): Output {
		const result = schema.safeParse(value);
		if (result.success) return result.data;
		const [issue] = result.error.issues;
		const fault = issue ? readable(issue, this.propertiesNamed(name)) : 'unexpected value';
		throw this.refuse(name, `cannot be used: ${fault}`);
	}

	private propertiesNamed(name: string): INodeProperties[] {
		return this.properties.filter((property) => property.name === name);
	}

	private read(name: string): unknown {
		// An input that the editor hides has no value: without a fallback n8n would throw.
		return this.context.getNodeParameter(name, this.itemIndex, null, { extractValue: true });
	}
}

/** Leaves out what was not filled in; `false` and `0` are values. */
export function compact(values: IDataObject | null): IDataObject {
	return Object.fromEntries(
		Object.entries(values ?? {}).filter(
			([, value]) => value !== undefined && value !== null && value !== '',
		),
	);
}

/** Rows are counted from 1, and inputs called by their labels, as a person does. */
function readable({ path, message }: z.ZodIssue, properties: INodeProperties[]): string {
	const inner = properties.flatMap(nested);
	const place = path.map((step) =>
		typeof step === 'number'
			? `row ${step + 1}`
			: (inner.find(({ name }) => name === step)?.displayName ?? step),
	);
	return place.length > 0 ? `${place.join(', ')}: ${message}` : message;
}

/** The inputs inside a collection, and inside those. */
function nested({ options = [] }: INodeProperties): INodeProperties[] {
	return options.flatMap((option) => {
		const inputs = 'values' in option ? option.values : 'type' in option ? [option] : [];
		return inputs.flatMap((input) => [input, ...nested(input)]);
	});
}
