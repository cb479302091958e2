import type { ZodError } from 'zod';

import { ApiFailure, messageOf, shortened, type Outcome } from './failure';
import { readFailure } from './failureBody';
import { maskOf, type Mask } from './mask';

/** An answer that is no success. */
export interface FailedAnswer {
	/** The request, for example `GET /envelope/envelope_abc`. */
	asked: string;
	isRead: boolean;
	status: number;
	/** Parsed JSON, or the text as it came. */
	body: unknown;
	/** Where a redirect points, or has led. */
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

const REDIRECT_ADVICE =
	"If that is your Documenso's address, enter it as the base URL in the credential, without the part from /api on. If it is a login page, a proxy in front of Documenso asks for a login: let it pass the requests to /api.";

const FIREWALL_ADVICE =
	'Documenso does not answer like this: a firewall or proxy in front of it seems to have blocked the request, or its answer.';

const UNREADABLE = "Documenso's answer could not be read";
const ELSEWHERE = "The base URL in the credential does not lead to Documenso's API";
const UNAVAILABLE = 'Documenso is not available at the moment';

export function answerFailure(answer: FailedAnswer): ApiFailure {
	const { asked, isRead, status, location, mask, retryAfter } = answer;
	const own = readFailure(status, answer.body);
	// What is only read can be asked again, whoever has refused it.
	const isForeign = !isRead && own?.isDocumensos === false;
	const isByFirewall = isForeign && status < 500 && status !== 413;
	const isOther = !own && isNotDocumensos(answer);
	// A proxy refuses a file that is too large for it: the base URL is right then.
	const isAstray = isOther && status !== 413;
	const unsaid = isAstray ? ELSEWHERE : isUnavailable(status) ? UNAVAILABLE : UNREADABLE;
	const shown = (text: string, length: number) => shortened(mask(text), length);
	const redirect = location && bareAddress(location);
	const said = shown(redirect ?? own?.message ?? unsaid, MESSAGE_LENGTH);
	const code = own?.code && shown(own.code, CODE_LENGTH);
	const failure = new ApiFailure({
		message: location ? `Documenso redirected the request to ${said}` : said + waitFor(answer),
		outcome: isRead ? 'refused' : isOther ? 'elsewhere' : outcomeOf(status, own?.isDocumensos),
		origin: `The answer to ${mask(asked)} was ${[status, code].filter(Boolean).join(' ')}.`,
		status,
		code,
		retryAfter,
		source: isForeign ? 'unreadable' : own ? 'documenso' : isAstray ? 'elsewhere' : 'unreadable',
		...(isByFirewall ? { advice: FIREWALL_ADVICE } : {}),
		...(location ? { advice: REDIRECT_ADVICE } : {}),
	});
	const clearer = CLEARER.find(({ isMeant }) => isMeant(failure));
	return own && clearer ? failure.withAdvice(clearer.message, clearer.advice) : failure;
}

const INTERACTED_ADVICE =
	'They have acted, or a field of theirs is filled in, such as a date that a row has given. Cancel the document, and send it again with a new External ID.';

/** What to say instead of Documenso's words that tell a user nothing (documenso-api.md: Rate limits; Downloads). */
const CLEARER = [
	{
		isMeant: ({ facts }: ApiFailure) => facts.status === 429 && facts.retryAfter === undefined,
		message: 'The monthly quota of the Documenso plan is used up',
		advice: 'Wait until next month, or raise the limit of the plan.',
	},
	{
		isMeant: ({ message }: ApiFailure) => /^\s*Invalid `prisma\./.test(message),
		message: 'Documenso failed at its database',
		advice:
			'Check whether what the IDs here name was deleted in the meantime. If not, try again later.',
	},
	{
		isMeant: ({ message }: ApiFailure) =>
			/\brecipient (who )?has already interacted/i.test(message),
		message:
			'This recipient has already interacted with the document, so Documenso changes neither them nor their fields',
		advice: INTERACTED_ADVICE,
	},
	{
		isMeant: ({ message }: ApiFailure) =>
			/cannot have fields, or they have already interacted/i.test(message),
		message:
			'Documenso gives this recipient no more fields: they only get a copy or view the document, or have already interacted with it',
		advice: INTERACTED_ADVICE,
	},
	{
		isMeant: ({ facts }: ApiFailure) => facts.code === 'DOCUMENT_NOT_COMPLETE',
		message: 'The document has no certificate yet',
		advice:
			"There is none before the document is completed or rejected, and none at all of a cancelled one. Start this step with the event 'Document Completed'.",
	},
];

/** The same where Documenso is known to be: something on the way has answered, perhaps after Documenso did what was asked. */
export function interceptedFailure({ facts }: ApiFailure): ApiFailure {
	const said = { message: UNREADABLE, advice: FIREWALL_ADVICE };
	return new ApiFailure({ ...facts, ...said, outcome: 'unknown', source: 'unreadable' });
}

/** The failure of an answer that Documenso does not give to this request. */
export function elsewhereFailure(answer: FailedAnswer): ApiFailure {
	const { facts } = answerFailure(answer);
	return new ApiFailure({ ...facts, message: ELSEWHERE, code: undefined, source: 'elsewhere' });
}

/** Part of the message, because n8n shows little else at first. */
function waitFor({ status, retryAfter, waited }: FailedAnswer): string {
	if (status !== 429 || retryAfter === undefined) return '';
	const before = waited > 0 ? `, after ${waited} s of waiting` : '';
	return ` (Documenso asks to wait ${retryAfter} s${before})`;
}

/** A proxy may give up while Documenso is still at work, so only Documenso's own answer counts. */
function outcomeOf(status: number, isDocumensos = false): Outcome {
	if (!isDocumensos || status < 400 || status === 408 || isUnavailable(status)) return 'unknown';
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
function bareAddress(location: string): string {
	return location.replace(/[?#].*$/s, '').replace(/^([a-z][a-z+.-]*:)?([/\\]+)[^/\\]*@/i, '$1$2');
}

const UNREACHED = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];

const BLOCKED_ADVICE =
	'n8n protects private addresses (N8N_SSRF_PROTECTION_ENABLED). Ask whoever runs n8n to allow the host of Documenso, or the one on which it stores its files.';

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

/** The failure of a download that ended too early, though nothing on the way said so. */
export function cutShortFailure(fileName: string): ApiFailure {
	return new ApiFailure({
		message: `The downloaded ${fileName} is cut short: its end is missing`,
		outcome: 'refused',
		advice: 'Try again. If it is cut short each time, look at the proxy in front of Documenso.',
	});
}

export function storeFailure(
	host: string,
	{ status, body, retryAfter }: Pick<FailedAnswer, 'status' | 'body' | 'retryAfter'>,
): ApiFailure {
	// S3's own form. The rest of its answer can repeat signed addresses.
	const [, said] = /<Message>([^<]*?)\.?</.exec(String(body)) ?? [];
	return new ApiFailure({
		message: `Documenso's file store at ${host} refused the download`,
		outcome: 'refused',
		origin: `The answer was ${status}${said ? `: ${shortened(said, MESSAGE_LENGTH)}` : ''}.`,
		status,
		retryAfter,
		source: 'unreadable',
		advice:
			'Try again: the link to a file is valid for a short time. If it is refused each time, ask whoever runs Documenso to check its file store.',
	});
}

export function redirectsFailure(host: string, redirects: number): ApiFailure {
	return new ApiFailure({
		message: `The request to Documenso at ${host} was redirected more than ${redirects} times`,
		outcome: 'refused',
		isBlocked: true,
		advice:
			'The redirects seem to lead in circles. Check the base URL in the credential, and the proxy in front of Documenso.',
	});
}

/** Whether n8n's protection against forged requests has blocked a request. */
function isByN8n(caught: unknown): boolean {
	return (
		caught instanceof Error && (caught.name.startsWith('SsrfBlocked') || isByN8n(caught.cause))
	);
}

/** The code of an error or of what caused it, for example `ECONNRESET`. */
function codeOf(caught: unknown): string | undefined {
	if (typeof caught !== 'object' || caught === null) return undefined;
	const { code, cause } = caught as { code?: unknown; cause?: unknown };
	return typeof code === 'string' ? code : codeOf(cause);
}

/** The failure of an answer that is a success by its status, but lacks what it should hold. */
export function unreadableFailure({ issues: [issue] }: ZodError, isRead: boolean): ApiFailure {
	return new ApiFailure({
		message: UNREADABLE,
		outcome: isRead ? 'refused' : 'unknown',
		origin:
			issue &&
			shortened(
				`In the answer, ${issue.path.join('.')} is wrong: ${issue.message}`,
				MESSAGE_LENGTH,
			),
		source: 'unreadable',
	});
}
