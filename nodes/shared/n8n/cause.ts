import { ApiFailure, isNotFound } from '../api/failure';
import { Refusal } from './refusal';

/**
 * Statuses with which Documenso refuses an ID that it does not know, or that is of another kind
 * (documenso-api.md: Status codes).
 */
const REFUSALS = [400, 404, 500];

/**
 * Sends requests. Where Documenso refuses them, `check` looks at the inputs and throws what is wrong with them, so
 * that only a failure costs further requests.
 */
export async function withCause<Result>(
	work: () => Promise<Result>,
	check: () => Promise<unknown>,
): Promise<Result> {
	return await work().catch(async (error: unknown) => {
		if (isRefusal(error)) {
			await check().catch((cause: unknown) => {
				// Otherwise, it could not look.
				if (cause instanceof Refusal || isNotFound(cause)) throw cause;
			});
		}
		throw error;
	});
}

function isRefusal(error: unknown): boolean {
	if (!(error instanceof ApiFailure)) return false;
	const { source, status = 0 } = error.facts;
	return source === 'documenso' && REFUSALS.includes(status);
}
