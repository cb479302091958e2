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
		throw isRefusal(error) ? ((await causeIn(check)) ?? error) : error;
	});
}

function isRefusal(error: unknown): boolean {
	if (!(error instanceof ApiFailure)) return false;
	const { source, status = 0 } = error.facts;
	return source === 'documenso' && REFUSALS.includes(status);
}

/** What `check` throws about an input; nothing when it could not look. */
async function causeIn(check: () => Promise<unknown>): Promise<unknown> {
	try {
		await check();
		return undefined;
	} catch (cause) {
		return cause instanceof Refusal || isNotFound(cause) ? cause : undefined;
	}
}
