import type { z } from 'zod';
import type { Instance } from '../instance';
import type { Caller } from './auth';

/** Answered as a file, or as an error in the download routes' own shape. */
export interface FileAnswer {
	content: Buffer;
	headers: Record<string, string>;
	/** The static versions are sent again although the caller has them. */
	ignoresIfNoneMatch?: boolean;
}

interface Endpoint {
	method: 'GET' | 'POST';
	/** Below the API's base URL, with `:name` for parameters. */
	path: string;
}

export interface Procedure extends Endpoint {
	kind: 'procedure';
	/** What the service calls it in its error bodies: `envelope.find`. */
	operation: string;
	input: z.ZodTypeAny;
	/** Answers without an API token too; `caller` is missing then. */
	isPublic: boolean;
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

/** A JSON route: its input is parsed by `input` before `answer` sees it. */
export function procedure<Input extends z.ZodTypeAny>(
	route: Endpoint & {
		operation: string;
		input: Input;
		answer(instance: Instance, caller: Caller, input: z.output<Input>): object | Promise<object>;
	},
): Procedure {
	return { kind: 'procedure', isPublic: false, ...route };
}

/** A JSON route that knows other ways in than an API token. */
export function publicProcedure<Input extends z.ZodTypeAny>(
	route: Endpoint & {
		operation: string;
		input: Input;
		answer(
			instance: Instance,
			caller: Caller | undefined,
			input: z.output<Input>,
		): object | Promise<object>;
	},
): Procedure {
	return { kind: 'procedure', isPublic: true, ...route };
}

/** A file route: outside the JSON machinery, with errors of its own shape. */
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
