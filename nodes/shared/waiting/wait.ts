import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import type { Part } from '../inputs/waiting';

const waitSchema = z.object({
	/** The client's, which sees these documents. Executions that began to wait before have none. */
	account: z.string().optional(),
	documents: z.array(z.object({ item: z.number(), id: z.string() })),
	/** What is returned for the items that have no document, because they failed. */
	others: z.array(z.object({ item: z.number(), json: z.custom<IDataObject>() })),
	/** Whether its marker may still be written to a document, because an answer was lost. */
	isDoubtful: z.boolean().optional(),
	isTest: z.boolean().optional(),
	endsOnExpiry: z.boolean(),
	parts: z.array(z.custom<Part>()),
});

/** What a waiting execution keeps in n8n's node context, which n8n saves with the execution. */
export type Wait = z.infer<typeof waitSchema>;

export type WaitedFor = Wait['documents'][number];

export function readWait(value: unknown): Wait {
	return waitSchema.parse(value);
}
