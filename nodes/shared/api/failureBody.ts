import { z } from 'zod';

/** An answer with more of them is not Documenso's, and would keep n8n busy. */
const MOST_ISSUES = 100;

const issues = z
	.array(z.unknown())
	.transform((all) => all.slice(0, MOST_ISSUES))
	.pipe(
		z.array(
			z.object({
				path: z.array(z.union([z.string(), z.number()])).default([]),
				message: z.string(),
			}),
		),
	);

/**
 * What the node reads of Documenso's six shapes of error bodies (documenso-api.md: Error bodies). Firewalls put other
 * things under the same names, which must not hide their message.
 */
const failureBody = z.object({
	message: z.string().optional().catch(undefined),
	code: z.string().optional().catch(undefined),
	error: z.union([z.string(), issues]).optional().catch(undefined),
	issues: issues.optional().catch(undefined),
	data: z
		.object({
			code: z.string().optional(),
			httpStatus: z.number().optional(),
			appError: z
				.object({ code: z.string().optional(), message: z.string().optional() })
				.optional(),
		})
		.optional()
		.catch(undefined),
});

type FailureBody = z.infer<typeof failureBody>;

/** What an error body says; undefined where it says nothing that can be read. */
export function readFailure(status: number, body: unknown) {
	const { data: failure } = failureBody.safeParse(body);
	if (!failure || status < 300) return undefined;
	const message = sentence(failure);
	if (!message) return undefined;
	// The code at the top may be INTERNAL_SERVER_ERROR for any fault (documenso-api.md: Error bodies).
	const code = failure.data?.appError?.code ?? failure.data?.code ?? failure.code;
	return { message, code, isDocumensos: isDocumensos(status, failure) };
}

/**
 * Whether Documenso itself has answered a change: a firewall's refusal is JSON with a message, too, and may come when
 * Documenso has done what was asked. Headers do not count: proxies add and remove them.
 */
function isDocumensos(status: number, { data, ...rest }: FailureBody): boolean {
	const isMarked = data?.code !== undefined && data.httpStatus !== undefined;
	const isTooMany = status === 429 && typeof rest.error === 'string' && !rest.message && !rest.code;
	return isMarked || data?.appError !== undefined || isTooMany;
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
