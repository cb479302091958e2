import type { IDataObject } from 'n8n-workflow';

import type { ZodError } from 'zod';

import { readFailure } from './failureBody';
import { maskOf, type Mask } from './mask';

/** What a failed request has done. One that only reads is always `refused`. */
export type Outcome =
	/** Nothing. */
	| 'refused'
	/** Perhaps a part: it failed at Documenso. */
	| 'failed'
	/** Nobody knows: the answer was lost, or came from a proxy on the way. */
	| 'unknown'
	/** Probably nothing: something else answered, for example because the base URL is wrong. */
	| 'elsewhere'
	/** Nothing: it was never sent. */
	| 'unsent';

/** What is known of a failed request. */
export interface FailureFacts {
	/** Documenso's own sentence, or what happened instead of an answer. */
	message: string;
	outcome: Outcome;
	/** What was asked and answered, for whoever debugs it. */
	origin: string;
	/** HTTP status; none without an answer. */
	status?: number;
	/** Documenso's code, or the one of a broken connection. */
	code?: string;
	/** n8n did not send the request, or did not follow a redirect: it leads in circles, or to a blocked address. */
	isBlocked?: boolean;
	/** Seconds that Documenso asks to wait. */
	retryAfter?: number;
	/** What to do, where a step knows better than the code and the status tell. */
	advice?: string;
	/** Who seems to have answered; undefined without an answer. */
	source?: 'documenso' | 'elsewhere' | 'unreadable';
	/** What the steps around the request know: what exists now, and what to do about it; the outermost step first. */
	notes?: string[];
	/** What those steps know, for programs. */
	details?: IDataObject;
}

/** A request that did not succeed. It is never changed: a step that knows more throws a new one. */
export class ApiFailure extends Error {
	override readonly name = 'ApiFailure';

	constructor(readonly facts: FailureFacts) {
		super(facts.message);
	}

	/** The same failure, with what a step around the request knows. */
	withNote(note: string, details: IDataObject = {}): ApiFailure {
		return new ApiFailure({
			...this.facts,
			notes: [note, ...(this.facts.notes ?? [])],
			details: { ...this.facts.details, ...details },
		});
	}

	/** The same with another message, because Documenso calls everything by the same name. */
	withMessage(message: string): ApiFailure {
		return new ApiFailure({ ...this.facts, message });
	}

	/** The same with a message and advice of ours; Documenso's own message goes to the end of the description. */
	withAdvice(message: string, advice: string): ApiFailure {
		const origin = `Documenso says: ${this.message}. ${this.facts.origin}`;
		return new ApiFailure({ ...this.facts, message, advice, origin });
	}
}

/** An answer that is no success. */
export interface FailedAnswer {
	/** The request, for example `GET /envelope/envelope_abc`. */
	asked: string;
	isRead: boolean;
	status: number;
	/** Parsed JSON, or the text as it came. */
	body: unknown;
	/** Where a redirect points. */
	location?: string;
	/** Seconds until another try makes sense. */
	retryAfter?: number;
	/** Seconds that the request has waited already. */
	waited: number;
	/** For the token, which must not get into the error where an answer echoes the request. */
	mask: Mask;
}

/** Characters; whatever stands in front of Documenso may answer anything. */
const MESSAGE_LENGTH = 2000;
const CODE_LENGTH = 100;

const BLOCKED_ADVICE =
	'n8n protects private addresses (N8N_SSRF_PROTECTION_ENABLED), or the redirects lead in circles. Ask whoever runs n8n to allow the host of Documenso, or the one on which it stores its files.';

const REDIRECT_ADVICE =
	"If that is your Documenso's address, enter it as the base URL in the credential, without the part from /api on. If it is a login page, a proxy in front of Documenso asks for a login: let it pass the requests to /api.";

const UNREADABLE = "Documenso's answer could not be read";
const ELSEWHERE = "The base URL in the credential does not lead to Documenso's API";
const UNAVAILABLE = 'Documenso is not available at the moment';
const UNREACHED = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];

export function answerFailure(answer: FailedAnswer): ApiFailure {
	const { asked, isRead, status, mask, retryAfter } = answer;
	// Other answers may name a location, too.
	const location = status < 400 ? answer.location : undefined;
	const own = readFailure(status, answer.body);
	const isOther = !own && isNotDocumensos(answer);
	// A proxy refuses a file that is too large for it: the base URL is right then.
	const isAstray = isOther && status !== 413;
	const unsaid = isAstray ? ELSEWHERE : isUnavailable(status) ? UNAVAILABLE : UNREADABLE;
	const shown = (text: string, length: number) => shortened(mask(text), length);
	const redirect = location && withoutSecrets(location);
	const said = shown(redirect ?? own?.message ?? unsaid, MESSAGE_LENGTH);
	const code = own?.code && shown(own.code, CODE_LENGTH);
	return new ApiFailure({
		message: location ? `Documenso redirected the request to ${said}` : said + waitFor(answer),
		outcome: isRead ? 'refused' : isOther ? 'elsewhere' : outcomeOf(status, own !== undefined),
		origin: `The answer to ${mask(asked)} was ${[status, code].filter(Boolean).join(' ')}.`,
		status,
		code,
		retryAfter,
		source: own ? 'documenso' : isAstray ? 'elsewhere' : 'unreadable',
		...(location ? { advice: REDIRECT_ADVICE } : {}),
	});
}

/** n8n's own advice on some codes. It does not know what a second request may do. */
const RETRY_ADVICE = / You can retry the request immediately.*$/s;

/** The failure of a request that got no answer. It keeps nothing of the cause, which would carry the token. */
export function connectionFailure(
	caught: unknown,
	isRead: boolean,
	host: string,
	mask = maskOf(''),
): ApiFailure {
	const code = codeOf(caught);
	// The code stands at the end, because n8n replaces a message that contains one with its own text.
	const message = caught instanceof Error && caught.message.replace(RETRY_ADVICE, '');
	const reason = [code, message].filter(Boolean).join(', ');
	const isBlocked = isByN8n(caught);
	const isUnsent = isBlocked || UNREACHED.includes(code ?? '');
	return new ApiFailure({
		message: isBlocked
			? `n8n blocked the request to Documenso at ${host}, or a redirect from there`
			: `The connection to Documenso at ${host} failed`,
		outcome: isRead ? 'refused' : isUnsent ? 'unsent' : 'unknown',
		origin: `n8n says: ${shortened(mask(reason), MESSAGE_LENGTH)}`,
		code,
		...(isBlocked ? { isBlocked, advice: BLOCKED_ADVICE } : {}),
	});
}

/** Codes of disks, and of what is missing there. */
const FILE_CODES = [
	...['EACCES', 'EDQUOT', 'EFBIG', 'EIO', 'EISDIR', 'EMFILE', 'ENFILE', 'ENOENT', 'ENOSPC'],
	...['ENOTDIR', 'EPERM', 'EROFS'],
];

/** Whether a download failed at n8n's own store. What n8n itself throws has no code; a broken connection always has. */
export function isOfFiles(caught: unknown): boolean {
	const code = codeOf(caught);
	return code === undefined || FILE_CODES.includes(code);
}

/** The failure of a file that n8n could not read while it was sent, or not store while it came. */
export function fileFailure(doing: 'read' | 'store', caught: unknown): ApiFailure {
	return new ApiFailure({
		message:
			doing === 'read'
				? 'n8n could not read the file to send'
				: 'n8n could not store the downloaded file',
		// A form that breaks off is no request to Documenso.
		outcome: 'unsent',
		origin: `n8n says: ${shortened(messageOf(caught), MESSAGE_LENGTH)}`,
		code: codeOf(caught),
		advice:
			doing === 'read'
				? 'Run the workflow again from the step that makes the file, and check where n8n keeps binary data.'
				: 'Check where n8n keeps binary data: the disk may be full, or may not be written to.',
	});
}

/** The failure of an answer that is a success by its status, but lacks what it should hold. */
export function unreadableFailure({ issues: [issue] }: ZodError, isRead: boolean): ApiFailure {
	return new ApiFailure({
		message: UNREADABLE,
		outcome: isRead ? 'refused' : 'unknown',
		origin: issue
			? shortened(
					`In the answer, ${issue.path.join('.')} is wrong: ${issue.message}`,
					MESSAGE_LENGTH,
				)
			: '',
		source: 'unreadable',
	});
}

/** The failure of a list that has fewer records than its own count. */
export function incompleteListFailure(records: number, count: number): ApiFailure {
	return new ApiFailure({
		message: 'Documenso listed fewer documents than it counts, so the node cannot tell which exist',
		outcome: 'refused',
		origin: `${records} of ${count} came, in three readings.`,
		source: 'unreadable',
		advice: 'Run it again; if it fails again, check the proxy or cache in front of Documenso.',
	});
}

/** The failure of an answer that belongs to another request. */
export function foreignAnswerFailure(what: string): ApiFailure {
	return new ApiFailure({
		message: "Documenso's answer belongs to another request",
		outcome: 'unknown',
		origin: what,
		source: 'unreadable',
		advice: 'A proxy or cache between n8n and Documenso seems to mix up answers.',
	});
}

/** The failure of an answer that Documenso does not give to this request. */
export function elsewhereFailure(answer: FailedAnswer): ApiFailure {
	const { facts } = answerFailure(answer);
	return new ApiFailure({ ...facts, message: ELSEWHERE, code: undefined, source: 'elsewhere' });
}

/** Notes what a step knows about a failure of the API; any other error stays as it is. */
export function withNote(error: unknown, note: string, details: IDataObject = {}): unknown {
	return error instanceof ApiFailure ? error.withNote(note, details) : error;
}

/** The same after a step that has changed something, so that a retry must not start over. */
export function afterAChange(error: unknown, note: string, details: IDataObject = {}): unknown {
	if (!(error instanceof ApiFailure)) return error;
	return new ApiFailure({ ...error.withNote(note, details).facts, outcome: 'failed' });
}

export function hasCode(error: unknown, code: string): boolean {
	return error instanceof ApiFailure && error.facts.code === code;
}

export function hasStatus(error: unknown, status: number): boolean {
	return error instanceof ApiFailure && error.facts.status === status;
}

function hasOutcome(error: unknown, ...outcomes: Outcome[]): boolean {
	return error instanceof ApiFailure && outcomes.includes(error.facts.outcome);
}

/** Whether nobody knows if the request took effect. */
export function isOutcomeUnknown(error: unknown): boolean {
	return hasOutcome(error, 'unknown');
}

/** Whether something else answered in Documenso's place, so that the request has probably done nothing. */
export function isElsewhere(error: unknown): boolean {
	return hasOutcome(error, 'elsewhere');
}

/** Whether a failed request may have changed something, so that sending it again could change it twice. */
export function mayLeaveTraces(error: unknown): boolean {
	return hasOutcome(error, 'unknown', 'failed') || hasCode(error, 'DOCUMENT_SEND_FAILED');
}

/** Whether a failed request may have taken effect, or may still: all but Documenso's own refusal. */
export function mayHaveEffect(error: unknown): boolean {
	return mayLeaveTraces(error) || isElsewhere(error);
}

/** What went wrong, in a sentence for a log. */
export function messageOf(caught: unknown): string {
	return caught instanceof Error ? caught.message : String(caught);
}

/** Part of the message, because n8n shows little else at first. */
function waitFor({ status, retryAfter, waited }: FailedAnswer): string {
	if (status !== 429 || retryAfter === undefined) return '';
	const before = waited > 0 ? `, after ${waited} s of waiting` : '';
	return ` (Documenso asks to wait ${retryAfter} s${before})`;
}

/** A proxy may give up while Documenso is still at work, so only Documenso's own answer counts. */
function outcomeOf(status: number, isFromService: boolean): Outcome {
	if (!isFromService || status < 400 || status === 408 || isUnavailable(status)) return 'unknown';
	return status >= 500 ? 'failed' : 'refused';
}

/** Redirects that ask for the same request at another address. */
const MOVED = [301, 307, 308];

/**
 * Whether something else has answered, for example because the base URL is wrong. A proxy that could not reach
 * Documenso, or got no answer in time, answers with a status that is not counted here.
 */
function isNotDocumensos({ status, body }: FailedAnswer): boolean {
	if (status === 404 || MOVED.includes(status)) return true;
	const isPage = typeof body === 'string' && body.trimStart().startsWith('<');
	return isPage && status < 500 && ![408, 429].includes(status);
}

function isUnavailable(status: number): boolean {
	return [502, 503, 504].includes(status);
}

/** The address without a user, a password and a query. */
function withoutSecrets(location: string): string {
	return location.replace(/[?#].*$/s, '').replace(/^([a-z][a-z+.-]*:)?([/\\]+)[^/\\]*@/i, '$1$2');
}

export function shortened(text: string, length: number): string {
	return text.length > length ? `${text.slice(0, length)}…` : text;
}

/** Whether n8n's protection against forged requests has blocked a request, or its HTTP library a redirect. */
function isByN8n(caught: unknown): boolean {
	if (!(caught instanceof Error)) return false;
	const { code, cause, name, message } = caught as Error & { code?: unknown };
	const isOne =
		(typeof code === 'string' && code.startsWith('ERR_FR_')) ||
		name.startsWith('SsrfBlocked') ||
		/\bredirects?\b/i.test(message);
	return isOne || isByN8n(cause);
}

/** The code of an error or of what caused it, for example `ECONNRESET`. */
function codeOf(caught: unknown): string | undefined {
	if (typeof caught !== 'object' || caught === null) return undefined;
	const { code, cause } = caught as { code?: unknown; cause?: unknown };
	return typeof code === 'string' ? code : codeOf(cause);
}
