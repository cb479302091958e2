import { z } from 'zod';

export const createPresignToken = z.object({
	/** In minutes, at most a week. */
	expiresIn: z.coerce.number().min(0).max(10_080).default(60),
	scope: z.string().optional(),
});

export const verifyPresignToken = z.object({
	token: z.string().min(1, 'Token is required'),
	scope: z.string().optional(),
});
