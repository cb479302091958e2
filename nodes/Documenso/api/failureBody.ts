import { z } from 'zod';

const issue = z.object({
	path: z.array(z.union([z.string(), z.number()])).default([]),
	message: z.string(),
});

/**
 * What is read of the service's six shapes of error body (documenso-api.md: Error bodies). Anything else in them
 * is ignored.
 */
const failureBody = z.object({
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

type FailureBody = z.infer<typeof failureBody>;

/** The service's own sentence and code; nothing where it was not the service that spoke. */
export function readFailure(
	status: number,
	body: unknown,
): { message: string; code?: string } | undefined {
	const { data: failure } = failureBody.safeParse(body);
	if (!failure || status < 300) return undefined;
	const message = sentence(failure);
	return message ? { message, code: codeIn(failure) } : undefined;
}

/** The top-level code is INTERNAL_SERVER_ERROR whatever went wrong (documenso-api.md: Error bodies). */
function codeIn({ data, code }: FailureBody) {
	return data?.appError?.code ?? data?.code ?? code;
}

function sentence({ issues, message, error, data }: FailureBody): string | undefined {
	const list = issues ?? (Array.isArray(error) ? error : undefined);
	if (list?.length) {
		return list
			.map(({ path, message: what }) => [path.join('.'), what].filter(Boolean).join(': '))
			.join('; ');
	}
	return data?.appError?.message ?? message ?? (typeof error === 'string' ? error : undefined);
}
