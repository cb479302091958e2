import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { unreadableFailure } from './failure';

/** Reads a value of any form. */
export type Schema<Value> = z.ZodType<Value, z.ZodTypeDef, unknown>;

/** Reads an answer, or a part of one. Throws an ApiFailure if something is missing in it. */
export function parse<Output>(schema: Schema<Output>, answer: unknown): Output {
	const result = schema.safeParse(answer);
	if (result.success) return result.data;
	throw unreadableFailure(result.error);
}

const recordsSchema = z.object({ data: z.array(z.record(z.unknown())) });

/** The records that an answer holds. */
export function dataOf(answer: IDataObject): IDataObject[] {
	// JSON objects are n8n's data objects.
	return parse(recordsSchema, answer).data as IDataObject[];
}
