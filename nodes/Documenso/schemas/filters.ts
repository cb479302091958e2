import { z } from 'zod';

import { trueOrFalse, wholeNumber } from '../engine/values';

/** What a list is narrowed and sorted by (contract §1.2). */
export const filtersSchema = z
	.object({
		query: z.string().trim(),
		status: z.string(),
		source: z.string(),
		templateId: wholeNumber(1),
		hasExpiredRecipients: trueOrFalse,
		orderByDirection: z.enum(['asc', 'desc']),
	})
	.partial()
	.transform(({ orderByDirection, hasExpiredRecipients, ...filters }) => ({
		...filters,
		...(hasExpiredRecipients ? { hasExpiredRecipients: 'true' } : {}),
		// The direction is ignored unless the column is sent too.
		...(orderByDirection ? { orderByColumn: 'createdAt', orderByDirection } : {}),
	}));
