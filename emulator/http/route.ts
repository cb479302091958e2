import type { z } from 'zod';
import type { Instance } from '../instance';
import type { Caller } from './auth';

/** The file that a download route returns. */
export interface FileAnswer {
	content: Buffer;
	headers: Record<string, string>;
	/** The service sends some files again although the client has them. */
	ignoresIfNoneMatch?: boolean;
}

interface Endpoint {
	method: 'GET' | 'POST';
	/** Relative to the API's base URL, with `:name` for parameters. */
	path: string;
	/** The service's name for it in error bodies: `envelope.find`. */
	operation: string;
}

export interface Procedure extends Endpoint {
	kind: 'procedure';
	input: z.ZodTypeAny;
	/** Of operations that also respond without an API token; then there is no `caller`. A given one may be checked after the input. */
	token?: 'optional' | 'checkedLast' | 'ignored';
	answer(instance: Instance, caller: Caller | undefined, input: unknown): object | Promise<object>;
}

export interface Download extends Endpoint {
	kind: 'download';
	query: z.ZodTypeAny;
	answer(
		instance: Instance,
		caller: Caller,
		params: Record<string, string>,
		query: unknown,
	): Promise<FileAnswer>;
}

export type Route = Procedure | Download;

/** A JSON route. `input` parses the request for `answer`. */
export function procedure<Input extends z.ZodTypeAny>(
	route: Endpoint & {
		input: Input;
		answer(instance: Instance, caller: Caller, input: z.output<Input>): object | Promise<object>;
	},
): Procedure {
	return { kind: 'procedure', ...route };
}

/** A JSON route that also accepts other credentials than an API token. */
export function publicProcedure<Input extends z.ZodTypeAny>(
	route: Endpoint & {
		token: NonNullable<Procedure['token']>;
		input: Input;
		answer(
			instance: Instance,
			caller: Caller | undefined,
			input: z.output<Input>,
		): object | Promise<object>;
	},
): Procedure {
	return { kind: 'procedure', ...route };
}

/** A file route, whose errors have a different format. */
export function download<Query extends z.ZodTypeAny>(
	route: Omit<Endpoint, 'method'> & {
		query: Query;
		answer(
			instance: Instance,
			caller: Caller,
			params: Record<string, string>,
			query: z.output<Query>,
		): Promise<FileAnswer>;
	},
): Download {
	return { kind: 'download', method: 'GET', ...route };
}
