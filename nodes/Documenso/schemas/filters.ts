import { z } from 'zod';

import { flag, integerFrom } from './values';

/** What a list is narrowed and sorted by (contract §1.2). */
export const filtersSchema = z
	.object({
		query: z.string().trim(),
		status: z.string(),
		source: z.string(),
		templateId: integerFrom(1),
		hasExpiredRecipients: flag,
		orderByDirection: z.enum(['asc', 'desc']),
	})
	.partial()
	.transform(({ orderByDirection, hasExpiredRecipients, ...filters }) => ({
		...filters,
		...(hasExpiredRecipients ? { hasExpiredRecipients: 'true' } : {}),
		// The direction is ignored unless the column is sent too.
		...(orderByDirection ? { orderByColumn: 'createdAt', orderByDirection } : {}),
	}));
