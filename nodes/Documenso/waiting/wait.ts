import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import type { Part } from '../inputs/waiting';

/** What a waiting execution keeps in n8n's node context, which n8n saves with the execution. */
export interface Wait {
	documents: WaitedFor[];
	/** What is returned for the items that have no document, because they failed. */
	others: Array<{ item: number; json: IDataObject }>;
	/** Written behind the external ID of each document that was open. */
	marker: string;
	endsOnExpiry: boolean;
	parts: Part[];
}

/** The document of an item. */
export interface WaitedFor {
	item: number;
	id: string;
}

const waitSchema = z.object({
	documents: z.array(z.object({ item: z.number(), id: z.string() })),
	others: z.array(z.object({ item: z.number(), json: z.record(z.any()) })),
	marker: z.string(),
	endsOnExpiry: z.boolean(),
	parts: z.array(z.custom<Part>()),
});

export function readWait(value: unknown): Wait {
	return waitSchema.parse(value);
}
