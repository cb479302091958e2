import type { IDataObject } from 'n8n-workflow';

import type { ZodError } from 'zod';

import { readFailure } from './failureBody';

/**
 * What became of a failed request: Documenso `refused` it; it `failed` there, perhaps after a part was done; its
 * fate is `unknown`, because the answer was lost or came from something else on the way; something `elsewhere`
 * answered it, because the base URL is wrong for example; or it was never sent (`unsent`). A request that only reads counts as refused, whatever happened.
 */
export type Outcome = 'refused' | 'failed' | 'unknown' | 'elsewhere' | 'unsent';

/** What is known of a failed request. */
export interface FailureFacts {
	/** Documenso's own sentence, or what happened instead of an answer. */
	message: string;
	outcome: Outcome;
	/** What happened to the request, for those who look deeper. */
	origin: string;
	/** HTTP status; none where no answer came. */
	status?: number;
	/** Documenso's code, or the one of a broken connection. */
	code?: string;
	/** Seconds that Documenso asks to wait. */
	retryAfter?: number;
	/** What to do, where a step knows better than the code and the status tell. */
	advice?: string;
	/** Where the answer seems to come from; undefined if there was none. */
	source?: 'documenso' | 'elsewhere' | 'unreadable';
	/** What the steps around the request know: what stands now, and what to do about it; the last step first. */
	notes: string[];
	/** What those steps know, for programs. */
	details: IDataObject;
}

/** A request that did not succeed. It is never changed: a step that knows more throws a new one. */
export class ApiFailure extends Error {
	override readonly name = 'ApiFailure';

	constructor(readonly facts: FailureFacts) {
		super(facts.message);
	}

	/** The same failure, with what a step around the request knows. */
	noting(note: string, details: IDataObject = {}): ApiFailure {
		return new ApiFailure({
			...this.facts,
			notes: [note, ...this.facts.notes],
			details: { ...this.facts.details, ...details },
		});
	}

	/** The same with another message, because Documenso calls everything by the same name. */
	saying(message: string): ApiFailure {
		return new ApiFailure({ ...this.facts, message });
	}

	/** The same in other words; Documenso's own sentence goes to the end of the description. */
	reworded(message: string, advice: string): ApiFailure {
		const origin = `Documenso says: ${this.message}. ${this.facts.origin}`;
		return new ApiFailure({ ...this.facts, message, advice, origin });
	}

	/** The same after a step that stands, so that a retry must not begin anew. */
	halfDone(note: string, details: IDataObject = {}): ApiFailure {
		const { facts } = this.noting(note, details);
		return new ApiFailure({ ...facts, outcome: 'failed' });
	}
}

/** An answer that is not the success that was asked for. */
export interface FailedAnswer {
	/** The request, for example `GET /envelope/envelope_abc`. */
	asked: string;
	/** Whether the request could change nothing. */
	isRead: boolean;
	status: number;
	/** Parsed JSON, or the text as it came. */
	body: unknown;
	/** Where a redirect points. */
	location?: string;
	/** Seconds until another try makes sense. */
	retryAfter?: number;
	/** Seconds that the request was held back already. */
	waited: number;
	/** The token: an answer that echoes the request must not put it into the error. */
	secret: string;
}

const UNREADABLE = "Documenso's answer could not be read";
const ELSEWHERE = "The base URL in the credential does not lead to Documenso's API";
const UNAVAILABLE = 'Documenso is not available at the moment';
const UNREACHED = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];

export function answerFailure(answer: FailedAnswer): ApiFailure {
	const { asked, isRead, status, location, secret, retryAfter } = answer;
	const own = readFailure(status, answer.body);
	const isOther = !own && isNotDocumensos(answer);
	// A proxy refuses a file that is too large for it: the base URL is right then.
	const isAstray = isOther && status !== 413;
	const unsaid = isAstray ? ELSEWHERE : isUnavailable(status) ? UNAVAILABLE : UNREADABLE;
	const said = location
		? `Documenso redirected the request to ${location}`
		: (own?.message ?? unsaid) + waitFor(answer);
	return new ApiFailure({
		message: secret ? said.replaceAll(secret, '***') : said,
		outcome: isRead ? 'refused' : isOther ? 'elsewhere' : outcomeOf(status, own !== undefined),
		origin: `The answer to ${asked} was ${[status, own?.code].filter(Boolean).join(' ')}.`,
		status,
		code: own?.code,
		retryAfter,
		source: own ? 'documenso' : isAstray ? 'elsewhere' : 'unreadable',
		notes: [],
		details: {},
	});
}

/** The failure of a request that got no answer. It keeps nothing of the cause, which would carry the token. */
export function connectionFailure(caught: unknown, isRead: boolean, host: string): ApiFailure {
	const code = codeOf(caught);
	// The code stands at the end, because n8n replaces a message that contains one with its own text.
	const reason = [code, caught instanceof Error && caught.message].filter(Boolean).join(', ');
	return new ApiFailure({
		message: `The connection to Documenso at ${host} failed`,
		outcome: isRead ? 'refused' : UNREACHED.includes(code ?? '') ? 'unsent' : 'unknown',
		origin: `n8n says: ${reason}`,
		code,
		notes: [],
		details: {},
	});
}

/** The failure of an answer with a status of success that lacks what the API says it has. */
export function unreadableFailure({ issues: [issue] }: ZodError): ApiFailure {
	return new ApiFailure({
		message: UNREADABLE,
		outcome: 'unknown',
		origin: issue ? `First difference: ${issue.path.join('.')} ${issue.message}` : '',
		source: 'unreadable',
		notes: [],
		details: {},
	});
}

/** Notes what a step knows about a failure of the API; any other error is left as it is. */
export function noting(error: unknown, note: string, details: IDataObject = {}): unknown {
	return error instanceof ApiFailure ? error.noting(note, details) : error;
}

/** The same after a step that stands, so that a retry must not begin anew. */
export function halfDone(error: unknown, note: string, details: IDataObject = {}): unknown {
	return error instanceof ApiFailure ? error.halfDone(note, details) : error;
}

export function hasCode(error: unknown, code: string): boolean {
	return error instanceof ApiFailure && error.facts.code === code;
}

export function hasStatus(error: unknown, status: number): boolean {
	return error instanceof ApiFailure && error.facts.status === status;
}

/** Whether nobody knows if the request took effect. */
export function isOutcomeUnknown(error: unknown): boolean {
	return error instanceof ApiFailure && error.facts.outcome === 'unknown';
}

/** Whether a failed request may have left something behind: a 500 of the service's can come late. */
export function mayLeaveTraces(error: unknown): boolean {
	const failedLate = error instanceof ApiFailure && error.facts.outcome === 'failed';
	return failedLate || isOutcomeUnknown(error) || hasCode(error, 'DOCUMENT_SEND_FAILED');
}

/** Whether something else answered in Documenso's place: it may be worth a look, but nothing says that it took effect. */
export function isElsewhere(error: unknown): boolean {
	return error instanceof ApiFailure && error.facts.outcome === 'elsewhere';
}

/** Whether only a look at Documenso tells what a failed request has done. */
export function isWorthALook(error: unknown): boolean {
	return mayLeaveTraces(error) || isElsewhere(error);
}

/** What went wrong, in a sentence for a log. */
export function messageOf(caught: unknown): string {
	return caught instanceof Error ? caught.message : String(caught);
}

/** In the message, because n8n shows little else at first. */
function waitFor({ status, retryAfter, waited }: FailedAnswer): string {
	if (status !== 429 || retryAfter === undefined) return '';
	const before = waited > 0 ? `, after ${waited} s of waiting` : '';
	return ` (Documenso asks to wait ${retryAfter} s${before})`;
}

/** A proxy may give up while Documenso is still at work, so only Documenso's own word counts. */
function outcomeOf(status: number, isFromService: boolean): Outcome {
	if (!isFromService || status < 400 || status === 408 || isUnavailable(status)) return 'unknown';
	return status >= 500 ? 'failed' : 'refused';
}

/** Redirects that ask for the same request at another address. */
const MOVED = [301, 307, 308];

/**
 * Whether the answer is a page of something else, because the base URL is wrong for example. A proxy that has
 * waited for Documenso in vain says so with another status.
 */
function isNotDocumensos({ status, body }: FailedAnswer): boolean {
	if (status === 404 || MOVED.includes(status)) return true;
	const isPage = typeof body === 'string' && body.trimStart().startsWith('<');
	return isPage && status < 500 && ![408, 429].includes(status);
}

function isUnavailable(status: number): boolean {
	return [502, 503, 504].includes(status);
}

/** The code of an error or of what caused it, for example `ECONNRESET`. */
function codeOf(caught: unknown): string | undefined {
	if (!(caught instanceof Error)) return undefined;
	const { code, cause } = caught as Error & { code?: unknown };
	return typeof code === 'string' ? code : codeOf(cause);
}
