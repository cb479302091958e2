import { hasCode, hasStatus, isElsewhere, isOutcomeUnknown } from '../api/failure';
import { Refusal } from './refusal';

/**
 * Statuses with which Documenso refuses an ID that it does not know, or that is of another kind
 * (documenso-api.md: Status codes).
 */
const REFUSALS = [400, 404, 500];

/**
 * Does what Documenso refuses by itself where an input names nothing that fits. Only then `check` looks for that
 * and throws it, so that success costs no further request.
 */
export async function withCause<Result>(
	work: () => Promise<Result>,
	check: () => Promise<unknown>,
): Promise<Result> {
	return await work().catch(async (error: unknown) => {
		const isRefused = REFUSALS.some((status) => hasStatus(error, status));
		const mayHaveCause = isRefused && !isOutcomeUnknown(error) && !isElsewhere(error);
		throw mayHaveCause ? ((await causeIn(check)) ?? error) : error;
	});
}

/** What `check` throws about an input; nothing when it could not look. */
async function causeIn(check: () => Promise<unknown>): Promise<unknown> {
	try {
		await check();
		return undefined;
	} catch (cause) {
		return cause instanceof Refusal || hasCode(cause, 'NOT_FOUND') ? cause : undefined;
	}
}
