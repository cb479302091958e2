import { z } from 'zod';

/** What every operation has under Options. */
export const optionsSchema = z.object({
	maxInFlight: z.coerce.number().int('is not a whole number').min(1, 'is not above 0').optional(),
});
