import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

const recordsSchema = z.object({ data: z.array(z.record(z.unknown())) });

/** The records that an answer holds. */
export function dataOf(answer: IDataObject): IDataObject[] {
	return recordsSchema.parse(answer).data as IDataObject[];
}
