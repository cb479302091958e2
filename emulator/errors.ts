import type { ZodIssue } from 'zod';

/** Statuses of the service's JSON routes (documenso-api.md: Status codes); other codes are 400. */
const STATUS_BY_CODE: Record<string, number> = {
	UNAUTHORIZED: 401,
	FORBIDDEN: 403,
	NOT_FOUND: 404,
	TOO_MANY_REQUESTS: 429,
	UNKNOWN_ERROR: 500,
	NOT_IMPLEMENTED: 501,
};

/** Download routes know fewer codes; all others are a 500 without a reason. */
const DOWNLOAD_STATUS_BY_CODE: Record<string, number> = {
	INVALID_BODY: 400,
	INVALID_REQUEST: 400,
	ENVELOPE_DRAFT: 400,
	ENVELOPE_COMPLETED: 400,
	ENVELOPE_REJECTED: 400,
	ENVELOPE_LEGACY: 400,
	UNAUTHORIZED: 401,
	FORBIDDEN: 403,
	NOT_FOUND: 404,
};

interface ErrorAnswer {
	status: number;
	body: object;
}

/** An error that the service expects. Any other error is a 500 with its message. */
export class AppError extends Error {
	constructor(
		readonly code: string,
		message: string,
		readonly details: { statusCode?: number; userMessage?: string } = {},
	) {
		super(message);
	}
}

/** The request does not match the operation's schema. */
export class ValidationError extends Error {
	constructor(readonly issues: ZodIssue[]) {
		super('Input validation failed');
	}
}

/** A download's query, or a number in its path, does not match its schema. */
export class DownloadQueryError extends Error {
	constructor(
		readonly data: unknown,
		readonly issues: ZodIssue[],
	) {
		super('Invalid query');
	}
}

/** Thrown before the operation runs: no token, unknown route, invalid JSON. */
export class RequestError extends Error {
	constructor(
		readonly status: number,
		readonly code: string,
		message: string,
	) {
		super(message);
	}
}

export function notFound(message: string): AppError {
	return new AppError('NOT_FOUND', message);
}

export function describeError(error: unknown, path?: string): ErrorAnswer {
	if (error instanceof AppError) return describeAppError(error, path);
	if (error instanceof ValidationError) {
		const data = { code: 'BAD_REQUEST', httpStatus: 400, path };
		const { message, issues } = error;
		return { status: 400, body: { message, code: 'BAD_REQUEST', data, issues } };
	}
	const { status, code } =
		error instanceof RequestError ? error : { status: 500, code: 'INTERNAL_SERVER_ERROR' };
	const message = error instanceof Error ? error.message : String(error);
	return { status, body: { message, code, data: { code, httpStatus: status, path } } };
}

export function describeDownloadError(error: unknown): ErrorAnswer {
	if (error instanceof DownloadQueryError) {
		const { data, issues } = error;
		return { status: 400, body: { data, error: issues, success: false } };
	}
	if (!(error instanceof AppError)) {
		return { status: 500, body: { error: 'Something went wrong' } };
	}
	const status = DOWNLOAD_STATUS_BY_CODE[error.code] ?? 500;
	const message = status === 500 ? 'Something went wrong' : error.message;
	// As recorded, a missing item is the only error without a code.
	return {
		status,
		body: status === 404 ? { error: message } : { error: message, code: error.code },
	};
}

function describeAppError(error: AppError, path?: string): ErrorAnswer {
	const { code, message, details } = error;
	const status = STATUS_BY_CODE[code] ?? 400;
	// The status in the body may differ: for an expired token the response is 400 and says 401.
	const httpStatus = details.statusCode ?? status;
	const data = { code, httpStatus, path, appError: { code, message, ...details } };
	return { status, body: { message, code: 'INTERNAL_SERVER_ERROR', data } };
}
