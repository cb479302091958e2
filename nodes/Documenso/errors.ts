import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { IDataObject, INode } from 'n8n-workflow';

import { failureSchema, type FailureBody } from './schemas/failure';

export type NodeError = NodeApiError | NodeOperationError;

/** An answer of Documenso's with a status that is not a success. */
export interface FailedAnswer {
	status: number;
	/** Parsed JSON, or the text as it came. */
	body: unknown;
	/** Where a redirect points. */
	location?: string;
	/** Seconds or an HTTP date, as the service sent it. */
	retryAfter?: string;
}

/** What a user can do about a code, or failing that a status, of the service's. */
const ADVICE: Readonly<Record<string, string>> = {
	CONVERSION_SERVICE_UNAVAILABLE: 'Convert the file to PDF before this step.',
	DOCUMENT_NOT_COMPLETE: 'There is a certificate once the document is completed or rejected.',
	DOCUMENT_SEND_FAILED: 'The document was created but not sent.',
	ENVELOPE_ITEM_LIMIT_EXCEEDED: 'Send fewer files in one document, or raise the limit of the plan.',
	EXPIRED_CODE: 'Create a new API token in Documenso and put it into the credential.',
	INVALID_DOCUMENT_FILE: 'Use a PDF that opens in a PDF reader without a password.',
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
};

/** The error for an answer: Documenso's own sentence, its code and status, and what to do. */
export function apiError(node: INode, answer: FailedAnswer): NodeApiError {
	const { status } = answer;
	const { message, code } = readFailure(answer);
	const advice =
		status === 429 && answer.retryAfter
			? `Documenso asks to wait ${answer.retryAfter} seconds: run again then, with fewer items at a time.`
			: ((code && ADVICE[code]) ?? ADVICE[String(status)]);
	const error = new NodeApiError(
		node,
		{ message },
		{
			message,
			httpCode: String(status),
			description: [advice, `Documenso answered ${[status, code].filter(Boolean).join(' ')}.`]
				.filter(Boolean)
				.join(' '),
		},
	);
	error.context.code = code;
	return error;
}

/** The error for a request that got no answer. Built anew: the cause would carry the token. */
export function connectionError(node: INode, caught: unknown, method: string, host: string) {
	const code = codeOf(caught);
	const error = new NodeApiError(
		node,
		{},
		{
			message: `The connection to Documenso at ${host} failed`,
			// The code stands here, because n8n replaces a message that contains one by a text of its own.
			description: [
				method === 'GET'
					? "Check the credential's base URL and that n8n can reach it, then run again."
					: 'The request may have taken effect all the same. Look in Documenso before running it again.',
				`n8n says: ${[code, caught instanceof Error && caught.message].filter(Boolean).join(', ')}`,
			].join(' '),
		},
	);
	error.context.code = code;
	return error;
}

export function baseUrlError(node: INode, baseUrl: string) {
	return new NodeOperationError(node, `The base URL "${baseUrl}" in the credential is not a URL`, {
		description:
			'Enter it as in the address bar of the browser, for example https://app.documenso.com',
	});
}

/** The error for what a user entered: names the field, and says what is wrong with it. */
export function inputError(node: INode, itemIndex: number, message: string, description?: string) {
	return new NodeOperationError(node, message, { itemIndex, description });
}

/** Any caught value as an error of n8n's, with the item it belongs to. */
export function asNodeError(node: INode, caught: unknown, itemIndex: number): NodeError {
	const error = isNodeError(caught)
		? caught
		: new NodeOperationError(node, caught instanceof Error ? caught : String(caught));
	error.context.itemIndex ??= itemIndex;
	return error;
}

/** Adds what is known about the document that a failed step concerns. */
export function withDocument(error: unknown, sentence: string, details: IDataObject): unknown {
	if (!isNodeError(error)) return error;
	error.description = [sentence, error.description].filter(Boolean).join(' ');
	error.context.details = details;
	return error;
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

/** Whether the request was lost on the way there or back: nobody knows if it took effect. */
export function isOutcomeUnknown(error: unknown): boolean {
	return isApiError(error) && (!error.httpCode || ['502', '503', '504'].includes(error.httpCode));
}

/** Whether a failed request may have left something behind: a 500 of the service's can come late. */
export function mayLeaveTraces(error: unknown): boolean {
	const failedLate = isApiError(error) && error.httpCode === '500';
	return failedLate || isOutcomeUnknown(error) || hasCode(error, 'DOCUMENT_SEND_FAILED');
}

/** Whether the service gave this code for the failure. */
export function hasCode(error: unknown, code: string): boolean {
	return isNodeError(error) && error.context.code === code;
}

function isApiError(error: unknown): error is NodeApiError {
	return isNodeError(error) && error.name === 'NodeApiError';
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

function readFailure({ status, body, location }: FailedAnswer): { message: string; code?: string } {
	if (location) return { message: `Documenso redirected the request to ${location}` };
	const parsed = failureSchema.safeParse(body);
	if (!parsed.success) return { message: `Documenso answered ${status} without an explanation` };
	const failure = parsed.data;
	return { message: sentence(failure, status), code: codeIn(failure) };
}

/** The top-level code is INTERNAL_SERVER_ERROR whatever went wrong (observed §2). */
function codeIn({ data, code }: FailureBody) {
	return data?.appError?.code ?? data?.code ?? code;
}

function sentence({ issues, message, error, data }: FailureBody, status: number): string {
	const list = issues ?? (Array.isArray(error) ? error : undefined);
	if (list?.length) {
		return list
			.map(({ path, message: what }) => [path.join('.'), what].filter(Boolean).join(': '))
			.join('; ');
	}
	const own = data?.appError?.message ?? message ?? (typeof error === 'string' ? error : undefined);
	return own ?? `Documenso answered ${status}`;
}
