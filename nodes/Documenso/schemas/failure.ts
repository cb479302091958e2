import { z } from 'zod';

const issue = z.object({
	path: z.array(z.union([z.string(), z.number()])).default([]),
	message: z.string(),
});

/** What is read of the service's six shapes of error body (observed §2). Anything else in them is ignored. */
export const failureSchema = z.object({
	message: z.string().optional(),
	code: z.string().optional(),
	error: z.union([z.string(), z.array(issue)]).optional(),
	issues: z.array(issue).optional(),
	data: z
		.object({
			code: z.string().optional(),
			appError: z
				.object({ code: z.string().optional(), message: z.string().optional() })
				.optional(),
		})
		.optional(),
});

export type FailureBody = z.infer<typeof failureSchema>;
