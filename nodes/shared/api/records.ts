import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { unreadableFailure } from './failedRequest';

export type Schema<Value> = z.ZodType<Value, z.ZodTypeDef, unknown>;

/**
 * Reads what was read, or a part of it. Throws an ApiFailure if something is missing in it. The client reads the answer
 * to a change: if that is unreadable, nobody knows what the change has done.
 */
export function parse<Output>(schema: Schema<Output>, answer: unknown, isRead = true): Output {
	const result = schema.safeParse(answer);
	if (result.success) return result.data;
	throw unreadableFailure(result.error, isRead);
}

/** What is needed of an answer, and whatever else it holds: JSON objects are n8n's data objects. */
export function whole<Shape extends z.ZodRawShape>(
	schema: z.ZodObject<Shape>,
): Schema<IDataObject & z.infer<typeof schema>> {
	return schema.passthrough();
}

export const recordsSchema = z.object({ data: z.array(whole(z.object({}))) });

/** What Documenso answers to a change: that it succeeded, or what has changed. A firewall answers something else with 200, too. */
export const changedSchema = whole(z.object({})).superRefine((answer, context) => {
	if (answer.success === true || 'id' in answer || 'data' in answer) return;
	context.addIssue({ code: 'custom', path: ['success'], message: 'Required' });
});

/** A record. Without an ID, an answer is something else's: nobody knows then whether anything was added. */
export const recordSchema = whole(z.object({ id: z.string().or(z.number()) }));

/** The same for several things in one request. */
export const allAddedSchema = z.object({ data: z.array(recordSchema).nonempty() });

export function dataOf(answer: IDataObject): IDataObject[] {
	return parse(recordsSchema, answer).data;
}
