import { z } from 'zod';

/** What every delivery has (contract §3.1); all else passes through as it came. */
const eventSchema = z
	.object({
		event: z.string().regex(/^[A-Z][A-Z0-9_]*$/),
		payload: z.object({ id: z.number() }).passthrough(),
	})
	.passthrough();

export type DocumensoEvent = z.infer<typeof eventSchema>;

/** Stands for every event, also those that Documenso adds later. */
export const ANY_EVENT = '*';

/** The event in a webhook's body, or nothing if the body is not one. */
export function readEvent(body: unknown): DocumensoEvent | undefined {
	return eventSchema.safeParse(body).data;
}

export function isSelected({ event }: DocumensoEvent, selected: string[]): boolean {
	return selected.includes(ANY_EVENT) || selected.includes(event);
}
