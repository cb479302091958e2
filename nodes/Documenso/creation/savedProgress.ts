import { z } from 'zod';

import type { Progress } from '../../shared/n8n/progress';

const stepSchema = z.discriminatedUnion('state', [
	z.object({ state: z.literal('draft'), id: z.string() }),
	/**
	 * A request may still take effect: one that creates a document, or one that sends or deletes the document with this
	 * ID; and since when nothing more is known of it.
	 */
	z.object({ state: z.literal('doubtful'), id: z.string().optional(), since: z.number() }),
]);

/** What is known of a document that an item has. */
const knownSchema = z.object({
	/** It is the item's: the answer to its creation came, or its external ID is the node's own. */
	isProved: z.boolean(),
	/** An earlier request of the item may have created another: before it is sent, it is compared. */
	isToCompare: z.boolean(),
});

const identitySchema = z.object({
	externalId: z.string(),
	/** By whose clock the time is. */
	process: z.string(),
});

const savedSchema = stepSchema.and(knownSchema).and(identitySchema);

export type Step = z.infer<typeof stepSchema>;
export type Known = z.infer<typeof knownSchema>;

/** What is saved of an item while its document is being created. */
export type SavedProgress = z.infer<typeof savedSchema>;

/** What n8n has saved of an item, now or in an earlier try. */
export function savedIn(progress: Progress): SavedProgress | undefined {
	if (!('kept' in progress)) return undefined;
	return savedSchema.safeParse(progress.kept).data;
}
