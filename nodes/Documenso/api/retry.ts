/** What may be sent again, and when. A change is repeated only after a 429: everything else may have taken effect. */
const MAX_ATTEMPTS = 5;
/** The most that one request waits in all, in seconds. */
export const MAX_WAIT_SECONDS = 300;
const FIRST_PAUSE_MS = 500;
const TRANSIENT_STATUSES = [502, 503, 504];

/** How the last attempt ended; without a status when no answer came. */
export interface Attempt {
	number: number;
	/** Whether it changes nothing, however often it is sent. */
	isRead: boolean;
	status?: number;
	retryAfter?: string;
	/** Milliseconds since the service refused the request for the first time. */
	waited: number;
	/** Milliseconds since the epoch. */
	now: number;
}

/**
 * Milliseconds to wait before sending again, or `undefined` when the outcome is final. A 429 without `Retry-After`
 * is a spent monthly quota (documenso-api.md: Rate limits): waiting does not help.
 */
export function pauseBeforeRetry(attempt: Attempt): number | undefined {
	if (attempt.number >= MAX_ATTEMPTS) return undefined;
	if (attempt.status === 429) {
		const seconds = retryAfterSeconds(attempt.retryAfter, attempt.now);
		if (seconds === undefined) return undefined;
		return seconds + attempt.waited / 1000 > MAX_WAIT_SECONDS ? undefined : seconds * 1000;
	}
	const transient = attempt.status === undefined || TRANSIENT_STATUSES.includes(attempt.status);
	if (!attempt.isRead || !transient) return undefined;
	return FIRST_PAUSE_MS * 2 ** (attempt.number - 1);
}

/** Reads `Retry-After`, given in seconds or as an HTTP date. */
export function retryAfterSeconds(header: string | undefined, now: number): number | undefined {
	if (header === undefined || header.trim() === '') return undefined;
	const seconds = Number(header);
	if (Number.isFinite(seconds)) return Math.max(0, seconds);
	const date = Date.parse(header);
	return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000));
}
