import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import type { Part } from '../inputs/waiting';

const waitSchema = z.object({
	documents: z.array(z.object({ item: z.number(), id: z.string() })),
	/** What is returned for the items that have no document, because they failed. */
	others: z.array(z.object({ item: z.number(), json: z.custom<IDataObject>() })),
	/** Written behind the external ID of each document that was open. */
	marker: z.string(),
	/** Whether that may still happen, because an answer was lost. */
	isDoubtful: z.boolean().optional(),
	isTest: z.boolean().optional(),
	endsOnExpiry: z.boolean(),
	parts: z.array(z.custom<Part>()),
});

/** What a waiting execution keeps in n8n's node context, which n8n saves with the execution. */
export type Wait = z.infer<typeof waitSchema>;

/** The document of an item. */
export type WaitedFor = Wait['documents'][number];

export function readWait(value: unknown): Wait {
	return waitSchema.parse(value);
}
