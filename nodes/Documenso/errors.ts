import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { IDataObject, INode } from 'n8n-workflow';

import { ZodError } from 'zod';

import { failureSchema, type FailureBody } from './schemas/failure';
import { MAX_WAIT_SECONDS } from './transport/retry';

export type NodeError = NodeApiError | NodeOperationError;

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
	/** The token, lest an answer that echoes the request put it into the error. */
	secret: string;
}

/**
 * What became of a failed request: Documenso `refused` it; it `failed` there, perhaps after a part was
 * done; its fate is `unknown`, because the answer was lost or came from something else on the way; something
 * `elsewhere` answered it, as where the base URL is wrong; or it was never sent (`unsent`). A request that only
 * reads counts as refused, whatever happened.
 */
type Outcome = 'refused' | 'failed' | 'unknown' | 'elsewhere' | 'unsent';

const UNREACHED = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];

const UNREADABLE = "Documenso's answer could not be read";
const UNREADABLE_ADVICE =
	"This is not what Documenso's API answers: check the base URL, and whether a proxy or a login page stands in front of Documenso.";

const ELSEWHERE = "The base URL in the credential does not lead to Documenso's API";
const ELSEWHERE_ADVICE =
	'Check the base URL: it is the address at which you open Documenso in a browser, for example https://app.documenso.com. If it is right, a proxy, a firewall or a login page in front of Documenso has answered instead.';

const UNAVAILABLE = 'Documenso is not available at the moment';
const UNAVAILABLE_ADVICE = 'Wait until Documenso, or the proxy in front of it, is well again.';

/** What a user can do about a code, or failing that a status, of the service's. */
const ADVICE: Readonly<Record<string, string>> = {
	CONVERSION_SERVICE_UNAVAILABLE: 'Convert the file to PDF before this step.',
	DOCUMENT_NOT_COMPLETE: 'There is a certificate once the document is completed or rejected.',
	DOCUMENT_SEND_FAILED: 'The document was created but not sent.',
	ENVELOPE_ITEM_LIMIT_EXCEEDED: 'Send fewer files in one document, or raise the limit of the plan.',
	EXPIRED_CODE: 'Create a new API token in Documenso and put it into the credential.',
	INVALID_DOCUMENT_FILE:
		'Use a PDF that opens in a PDF reader and has no password or restriction. Documenso also refuses a PDF that opens without a password but has an owner password against printing or editing: save it without protection.',
	LIMIT_EXCEEDED: 'The plan allows no more documents this month.',
	MISSING_SIGNATURE_FIELD: 'Give every signer at least one signature field.',
	RECIPIENT_LIMIT_EXCEEDED: 'Send to fewer recipients, or raise the limit of the plan.',
	UNSUPPORTED_FILE_TYPE: 'Documenso takes PDF files.',
	'401':
		'Check the API token in the credential, and that its user may do this. The token belongs to one team.',
	'404':
		"Check the ID, and that the credential's token belongs to the team that owns it. If nothing is found, check the base URL.",
	'413': 'The file is larger than this Documenso accepts (50 MB by default).',
	'429': 'The quota of this period is spent: waiting a moment does not help.',
	'500': 'If the message names nothing that you can change, try again later.',
	'502': UNAVAILABLE_ADVICE,
	'503': UNAVAILABLE_ADVICE,
	'504': UNAVAILABLE_ADVICE,
};

/** What a user has to reckon with after a change that failed, unless more is known of it. */
const CAUTION: Readonly<Record<Outcome, string>> = {
	refused: '',
	failed: 'A part of it may have been done: look in Documenso before running it again.',
	unknown:
		'The request may have taken effect all the same: look in Documenso before running it again.',
	elsewhere: '',
	unsent: '',
};

/** The error for an answer: Documenso's own sentence, its code and status, and what to do. */
export function apiError(node: INode, answer: FailedAnswer): NodeApiError {
	const { asked, isRead, status, location, secret } = answer;
	const failure = readFailure(answer);
	const { code } = failure ?? {};
	const isOther = !failure && isFromElsewhere(answer);
	// A proxy refuses a file that is too large for it: the base URL is right then.
	const isAstray = isOther && status !== 413;
	const unsaid = isAstray ? ELSEWHERE : isUnavailable(status) ? UNAVAILABLE : UNREADABLE;
	const said = location
		? `Documenso redirected the request to ${location}`
		: (failure?.message ?? unsaid) + waitFor(answer);
	return explained(node, {
		message: secret ? said.replaceAll(secret, '***') : said,
		httpCode: String(status),
		advice: isAstray
			? ELSEWHERE_ADVICE
			: (adviceFor(answer, code) ?? (failure ? '' : UNREADABLE_ADVICE)),
		origin: `The answer to ${asked} was ${[status, code].filter(Boolean).join(' ')}.`,
		code,
		outcome: isRead ? 'refused' : isOther ? 'elsewhere' : outcomeOf(status, failure !== undefined),
	});
}

/** The error for a request that got no answer. Built anew: the cause would carry the token. */
export function connectionError(node: INode, caught: unknown, isRead: boolean, host: string) {
	const code = codeOf(caught);
	const outcome = isRead ? 'refused' : UNREACHED.includes(code ?? '') ? 'unsent' : 'unknown';
	// The code stands at the end, because n8n replaces a message that contains one by a text of its own.
	const reason = [code, caught instanceof Error && caught.message].filter(Boolean).join(', ');
	return explained(node, {
		message: `The connection to Documenso at ${host} failed`,
		advice:
			outcome === 'unknown'
				? ''
				: "Check the credential's base URL and that n8n can reach it, then run again.",
		origin: `n8n says: ${reason}`,
		code,
		outcome,
	});
}

/** The error for an answer with a status of success that lacks what the API says it has. */
export function unreadableError(node: INode, { issues }: ZodError): NodeApiError {
	const [issue] = issues;
	return explained(node, {
		message: UNREADABLE,
		advice: UNREADABLE_ADVICE,
		origin: issue ? `First difference: ${issue.path.join('.')} ${issue.message}` : '',
		outcome: 'unknown',
	});
}

interface Explanation {
	message: string;
	httpCode?: string;
	/** What the user can do. */
	advice: string;
	/** Where the error comes from, for those who look deeper. */
	origin: string;
	code?: string;
	outcome: Outcome;
}

function explained(node: INode, { message, httpCode, ...context }: Explanation): NodeApiError {
	const { advice, origin, outcome } = context;
	const description = [advice, CAUTION[outcome], origin].filter(Boolean).join(' ');
	const error = new NodeApiError(node, { message }, { message, httpCode, description });
	Object.assign(error.context, context);
	return error;
}

/** In the message, because n8n shows little else at first. */
function waitFor({ status, retryAfter, waited }: FailedAnswer): string {
	if (status !== 429 || retryAfter === undefined) return '';
	const before = waited > 0 ? `, after ${waited} s of waiting` : '';
	return ` (Documenso asks to wait ${retryAfter} s${before})`;
}

function adviceFor({ status, retryAfter }: FailedAnswer, code?: string): string | undefined {
	if (status === 429 && retryAfter !== undefined) {
		return `A request waits ${MAX_WAIT_SECONDS} seconds in all, and not that long: run again later, or with fewer items at a time.`;
	}
	return (code && ADVICE[code]) ?? ADVICE[String(status)];
}

/** A proxy may give up while Documenso is still at work, so only Documenso's own word counts. */
function outcomeOf(status: number, isFromService: boolean): Outcome {
	if (!isFromService || status < 400 || status === 408 || isUnavailable(status)) return 'unknown';
	return status >= 500 ? 'failed' : 'refused';
}

/** Redirects that ask for the same request at another address. */
const MOVED = [301, 307, 308];

/**
 * Whether something other than Documenso answered, because the base URL is wrong for example. A proxy that waited
 * for Documenso in vain answers with another status.
 */
function isFromElsewhere({ status, body }: FailedAnswer): boolean {
	if (status === 404 || MOVED.includes(status)) return true;
	const isPage = typeof body === 'string' && body.trimStart().startsWith('<');
	return isPage && status < 500 && ![408, 429].includes(status);
}

function isUnavailable(status: number): boolean {
	return [502, 503, 504].includes(status);
}

export function baseUrlError(node: INode, baseUrl: string) {
	return new NodeOperationError(node, `The base URL "${baseUrl}" in the credential is not a URL`, {
		description:
			'Enter where Documenso is, without the path of a page: for example https://app.documenso.com',
	});
}

/** The error for what a user entered: names the field, and says what is wrong with it. */
export function inputError(node: INode, itemIndex: number, message: string, description?: string) {
	return new NodeOperationError(node, message, { itemIndex, description });
}

/** The error for an item whose earlier try may have taken effect. */
export function notRepeatedError(node: INode, itemIndex: number, said: string) {
	return inputError(
		node,
		itemIndex,
		`${said} in an earlier try, which is not repeated [item ${itemIndex}]`,
		'Documenso may have done it all the same, and would do it twice. Look there, and run the workflow anew if it was not done.',
	);
}

/** Lines of the list of bad items that are written out. */
const LISTED_ITEMS = 200;

/**
 * One error for all items that cannot be used, of the `total` that were checked: for none of these anything was
 * created. Others may be done since an earlier try.
 */
export function itemsError(
	node: INode,
	errors: Array<{ item: number; error: NodeError }>,
	total: number,
	doneBefore: number,
): NodeError {
	const bad = [...errors].sort((a, b) => a.item - b.item);
	const first = bad[0]?.error;
	// The same answer for all: it was asked for once.
	if (first && bad.every(({ error }) => error === first) && bad.length > 1) return first;
	if (first && bad.length === 1) {
		const nothing = total > 1 ? 'Nothing was created for any item.' : '';
		first.description = [first.description, nothing].filter(Boolean).join(' ');
		return first;
	}
	const lines = bad
		.slice(0, LISTED_ITEMS)
		.map(
			({ item, error }) => `Item ${item}: ${asText(error.message.replace(` [item ${item}]`, ''))}`,
		);
	const rest = bad
		.slice(LISTED_ITEMS)
		.map(({ item }) => item)
		.join(', ');
	const advice = [...new Set(bad.map(({ error }) => asText(error.description ?? '')))];
	const description = [...lines, rest && `And the items ${rest}`, ...advice].filter(Boolean);
	// Without an item of its own: n8n would put "[item 0]" behind the message.
	return new NodeOperationError(
		node,
		`${bad.length} of ${total} items cannot be used, so nothing ${doneBefore > 0 ? 'more ' : ''}was created`,
		{ description: description.join('<br>') },
	);
}

/** n8n shows a description as HTML. */
function asText(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** Says how far the items got before one of them failed, lest those that are done are done again. */
export function withProgress(error: unknown, done: number, total: number): unknown {
	if (!isNodeError(error) || done === 0) return error;
	const sentence = `${done} of ${total} items were done before. A retry of this execution does only the others; running the workflow anew does all of them again.`;
	error.description = [error.description, sentence].filter(Boolean).join(' ');
	return error;
}

/** Any caught value as an error of n8n's, with the item it belongs to: of several that share it, the first. */
export function asNodeError(node: INode, caught: unknown, itemIndex: number): NodeError {
	const error = isNodeError(caught)
		? caught
		: caught instanceof ZodError
			? unreadableError(node, caught)
			: new NodeOperationError(node, caught instanceof Error ? caught : String(caught));
	const known = error.context.itemIndex as number | undefined;
	error.context.itemIndex = Math.min(known ?? itemIndex, itemIndex);
	return error;
}

/** Says in other words what Documenso refuses; its own sentence is kept in the description. */
export function reworded(error: unknown, message: string, advice: string): unknown {
	if (!isNodeError(error)) return error;
	const { origin: answer = '' } = error.context as Partial<Explanation>;
	const origin = `Documenso says: ${error.message}. ${answer}`;
	Object.assign(error.context, { advice, origin });
	error.description = `${advice} ${origin}`;
	error.message = message;
	return error;
}

/**
 * Says what is known about the document that a failed step concerns, in place of the general advice to look.
 */
export function withDocument(error: unknown, sentence: string, details: IDataObject): unknown {
	if (!isNodeError(error)) return error;
	const { advice, origin } = error.context as Partial<Explanation>;
	// A step may add to what the step inside it knew.
	const known = [sentence, ...((error.context.known as string[] | undefined) ?? [])];
	error.description = [...known, advice, origin].filter(Boolean).join(' ');
	error.context.known = known;
	error.context.details = { ...(error.context.details as IDataObject | undefined), ...details };
	return error;
}

/** The same for a step after which an earlier one stands, so that a retry must not begin anew. */
export function halfDone(error: unknown, sentence: string, details: IDataObject): unknown {
	if (isNodeError(error)) error.context.outcome = 'failed';
	return withDocument(error, sentence, details);
}

/** The error for deliveries that could not be told from forged ones. */
export function secretMissingError(node: INode) {
	return new NodeOperationError(
		node,
		"The credential has no webhook secret: enter one there, and the same in Documenso's webhook",
		{
			description:
				"Without a secret in the Documenso API credential anyone who knows the URL could start this workflow; to allow that, switch on 'Accept Unverified Deliveries' under 'Options'.",
		},
	);
}

/** The error for a filter of a trigger's; `fault` continues "The filter cannot be used: …". */
export function filterError(node: INode, filter: string, fault: string) {
	return new NodeOperationError(node, `The filter '${filter}' cannot be used: ${fault}`, {
		description: 'Fill the filter in, or remove it.',
	});
}

const REGISTERING =
	"Registering needs the API token of a team's admin or manager, and an address of n8n that Documenso can reach. To do without, set 'Registration' to 'Manual', and paste the node's webhook URL into Documenso, under Team Settings > Webhooks.";

/** The error for webhooks that Documenso did not register. n8n shows little more than its message. */
export function registrationError(error: unknown): unknown {
	if (!isNodeError(error)) return error;
	const { origin } = error.context as Partial<Explanation>;
	const trace = isOutcomeUnknown(error)
		? 'There may be a webhook for this node in Documenso now: look, and remove it.'
		: '';
	error.description = [REGISTERING, trace, origin].filter(Boolean).join(' ');
	error.message = `Documenso did not register the webhook (${error.message}). Check that the API token is valid, and of a team's admin or manager; or set 'Registration' to 'Manual'`;
	return error;
}

export function messageOf(caught: unknown): string {
	return caught instanceof Error ? caught.message : String(caught);
}

/** Statuses with which Documenso refuses an id that it does not know, or that is of another kind (observed §3). */
const REFUSALS = [400, 404, 500];

/**
 * Does `work`, which Documenso refuses when an input names nothing that fits. Only after a refusal `check` looks
 * for the reason and throws it, so that success costs no extra request.
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
async function causeIn(check: () => Promise<unknown>): Promise<NodeError | undefined> {
	try {
		await check();
	} catch (cause) {
		if (!isNodeError(cause)) return undefined;
		if (cause.name === 'NodeOperationError' || hasCode(cause, 'NOT_FOUND')) return cause;
	}
	return undefined;
}

/** Calls by its name what Documenso did not find: it says "Envelope" of everything, or no more than a code. */
export function notFoundError(error: unknown, message: string): unknown {
	if (hasCode(error, 'NOT_FOUND') && isNodeError(error)) error.message = message;
	return error;
}

/** Whether the service answered with this status. */
export function hasStatus(error: unknown, status: number): boolean {
	return isNodeError(error) && 'httpCode' in error && error.httpCode === String(status);
}

/**
 * A failed item's output under Continue On Fail. n8n sends an item to the error output only
 * while `error`, `message` and `details` are its only keys.
 */
export function errorOutput(error: NodeError): IDataObject {
	const status = 'httpCode' in error && error.httpCode ? Number(error.httpCode) : undefined;
	return {
		error: error.message,
		details: {
			...(status ? { status } : {}),
			...(error.context.code ? { code: error.context.code as string } : {}),
			...(error.description ? { description: error.description } : {}),
			...(error.context.details as IDataObject | undefined),
		},
	};
}

/** Whether nobody knows if the request took effect. */
export function isOutcomeUnknown(error: unknown): boolean {
	return isNodeError(error) && error.context.outcome === 'unknown';
}

/** Whether a failed request may have left something behind: a 500 of the service's can come late. */
export function mayLeaveTraces(error: unknown): boolean {
	const failedLate = isNodeError(error) && error.context.outcome === 'failed';
	return failedLate || isOutcomeUnknown(error) || hasCode(error, 'DOCUMENT_SEND_FAILED');
}

/** Whether something else answered in Documenso's place: then no error says that the request may have taken effect. */
export function isElsewhere(error: unknown): boolean {
	return isNodeError(error) && error.context.outcome === 'elsewhere';
}

/** Whether only a look at Documenso tells what a failed request has done. */
export function isWorthALook(error: unknown): boolean {
	return mayLeaveTraces(error) || isElsewhere(error);
}

/** Whether the service gave this code for the failure. */
export function hasCode(error: unknown, code: string): boolean {
	return isNodeError(error) && error.context.code === code;
}

/** By name, because n8n and a community package may load two copies of n8n-workflow. */
function isNodeError(value: unknown): value is NodeError {
	return (
		value instanceof Error && (value.name === 'NodeApiError' || value.name === 'NodeOperationError')
	);
}

/** The code of an error or of what caused it, for example `ECONNRESET`. */
function codeOf(caught: unknown): string | undefined {
	if (!(caught instanceof Error)) return undefined;
	const { code, cause } = caught as Error & { code?: unknown };
	return typeof code === 'string' ? code : codeOf(cause);
}

/** What the service said, or nothing where it was not the service that spoke. */
function readFailure({
	status,
	body,
}: FailedAnswer): { message: string; code?: string } | undefined {
	const { data: failure } = failureSchema.safeParse(body);
	if (!failure || status < 300) return undefined;
	const message = sentence(failure);
	return message ? { message, code: codeIn(failure) } : undefined;
}

/** The top-level code is INTERNAL_SERVER_ERROR whatever went wrong (observed §2). */
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
