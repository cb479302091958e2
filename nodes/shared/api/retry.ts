import type { FailureFacts } from './failure';

const MAX_ATTEMPTS = 5;
/** The most that one request waits, over all its attempts. */
export const MAX_WAIT_SECONDS = 300;
const FIRST_PAUSE_MS = 500;
const TRANSIENT_STATUSES = [502, 503, 504];

interface FailedAttempt extends Pick<
	FailureFacts,
	'status' | 'outcome' | 'isBlocked' | 'retryAfter'
> {
	/** Counted from 1. */
	number: number;
	isRead: boolean;
	/** Milliseconds since Documenso refused the request for the first time. */
	waited: number;
}

/**
 * Milliseconds to wait before sending again, or `undefined` when the outcome is final. A change is sent again only
 * after Documenso's own 429, because after any other failure it may have taken effect. A 429 without `Retry-After` is a spent
 * monthly quota (documenso-api.md: Rate limits): waiting does not help.
 */
export function pauseBeforeRetry(attempt: FailedAttempt): number | undefined {
	const { number, isRead, isBlocked, outcome, status, retryAfter, waited } = attempt;
	if (number >= MAX_ATTEMPTS || isBlocked) return undefined;
	const growing = FIRST_PAUSE_MS * 2 ** (number - 1);
	if (status === 429) {
		if (outcome !== 'refused') return undefined;
		if (retryAfter === undefined || retryAfter + waited / 1000 > MAX_WAIT_SECONDS) return undefined;
		// Otherwise `Retry-After: 0` would spend all attempts at once.
		return Math.max(retryAfter * 1000, growing);
	}
	const isTransient = status === undefined || TRANSIENT_STATUSES.includes(status);
	return isRead && isTransient ? growing : undefined;
}

/** Reads `Retry-After`, given in seconds or as an HTTP date. */
export function retryAfterSeconds(header: string | undefined, now: number): number | undefined {
	if (header === undefined || header.trim() === '') return undefined;
	const seconds = Number(header);
	if (Number.isFinite(seconds)) return Math.max(0, seconds);
	const date = Date.parse(header);
	return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000));
}
