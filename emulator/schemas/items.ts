import { z } from 'zod';

export const createItemsPayload = z.object({ envelopeId: z.string() });

const itemUpdate = z.object({
	envelopeItemId: z.string(),
	order: z.coerce.number().int().min(1).optional(),
	title: z.string().trim().min(1).max(255).optional(),
});

export type ItemUpdate = z.output<typeof itemUpdate>;

export const updateItems = z.object({
	envelopeId: z.string(),
	data: z.array(itemUpdate).min(1),
});

export const deleteItem = z.object({ envelopeId: z.string(), envelopeItemId: z.string() });
