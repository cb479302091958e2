import { z } from 'zod';
import { templateIdOnly } from './legacy';

export const createDirectLink = templateIdOnly.extend({
	directRecipientId: z.coerce.number().optional(),
});

export const toggleDirectLink = templateIdOnly.extend({ enabled: z.coerce.boolean() });
