import type { INode } from 'n8n-workflow';
import { z } from 'zod';

import {
	apiError,
	asNodeError,
	connectionError,
	errorOutput,
	inputError,
	isOutcomeUnknown,
	mayLeaveTraces,
	type FailedAnswer,
} from '../../nodes/Documenso/errors';

const node: INode = {
	id: '1',
	name: 'Documenso',
	type: 'n8n-nodes-documenso.documenso',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

function failed(
	answer: Pick<FailedAnswer, 'status' | 'body' | 'retryAfter'> & Partial<FailedAnswer>,
) {
	return apiError(node, {
		asked: 'POST /envelope/use',
		isRead: false,
		waited: 0,
		secret: 'api_token',
		...answer,
	});
}

describe('the six shapes of a failure', () => {
	const failures: Array<[string, number, unknown, string, string | undefined]> = [
		[
			'a failed schema names the path',
			400,
			{
				message: 'Input validation failed',
				code: 'BAD_REQUEST',
				data: { code: 'BAD_REQUEST', httpStatus: 400 },
				issues: [{ code: 'x', path: ['payload', 'title'], message: 'Required' }],
			},
			'payload.title: Required',
			'BAD_REQUEST',
		],
		[
			'an application error has its code inside',
			404,
			{
				message: 'Envelope not found',
				code: 'INTERNAL_SERVER_ERROR',
				data: { code: 'NOT_FOUND', appError: { code: 'NOT_FOUND', message: 'Envelope not found' } },
			},
			'Envelope not found',
			'NOT_FOUND',
		],
		[
			'a framework error has its code on top',
			401,
			{ message: 'Invalid session or API token.', code: 'UNAUTHORIZED' },
			'Invalid session or API token.',
			'UNAUTHORIZED',
		],
		[
			'a plain error has only its sentence',
			500,
			{
				message: 'Document has no recipients',
				code: 'INTERNAL_SERVER_ERROR',
				data: { code: 'INTERNAL_SERVER_ERROR' },
			},
			'Document has no recipients',
			'INTERNAL_SERVER_ERROR',
		],
		[
			'a download has text',
			500,
			{ error: 'Something went wrong', code: 'EXPIRED_CODE' },
			'Something went wrong',
			'EXPIRED_CODE',
		],
		[
			'a download has a list',
			400,
			{ data: {}, error: [{ path: ['version'], message: 'Invalid enum value' }], success: false },
			'version: Invalid enum value',
			undefined,
		],
		[
			'a proxy has a page',
			502,
			'<html>Bad gateway</html>',
			'Documenso is not available at the moment',
			undefined,
		],
		['nothing at all', 500, '', "Documenso's answer could not be read", undefined],
	];

	test.each(failures)('%s', (_, status, body, message, code) => {
		const error = failed({ status, body });
		expect(error).toMatchObject({ name: 'NodeApiError', message, httpCode: String(status) });
		expect(error.context.code).toBe(code);
	});
});

test.each([
	[400, 'EXPIRED_CODE', 'Create a new API token'],
	[401, 'UNAUTHORIZED', 'Check the API token'],
	[404, 'NOT_FOUND', 'Check the ID'],
	[413, undefined, 'larger than this Documenso accepts'],
	[400, 'INVALID_DOCUMENT_FILE', 'no password or restriction'],
])('a %s %s says what to do', (status, code, advice) => {
	expect(failed({ status, body: { message: 'No', code } }).description).toContain(advice);
});

test('a 429 that asks for a long wait says for how long, and how long was waited before', () => {
	const answer = { status: 429, body: { error: 'Too many' }, retryAfter: 3600 };
	expect(failed(answer).message).toBe('Too many (Documenso asks to wait 3600 s)');
	expect(failed({ ...answer, waited: 120 }).message).toBe(
		'Too many (Documenso asks to wait 3600 s, after 120 s of waiting)',
	);
	expect(failed(answer).description).toContain('run again later');
});

test('an outcome is unknown when the request or its answer was lost, and only then', () => {
	expect(isOutcomeUnknown(connectionError(node, new Error(), false, 'host'))).toBe(true);
	expect(isOutcomeUnknown(failed({ status: 504, body: '' }))).toBe(true);
	expect(isOutcomeUnknown(failed({ status: 520, body: '<html>' }))).toBe(true);
	expect(isOutcomeUnknown(failed({ status: 200, body: [] }))).toBe(true);
	expect(isOutcomeUnknown(failed({ status: 500, body: { message: 'No' } }))).toBe(false);
	const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
	expect(isOutcomeUnknown(connectionError(node, refused, false, 'host'))).toBe(false);
	expect(isOutcomeUnknown(inputError(node, 0, 'No'))).toBe(false);
});

test('a failure may have left a document when it came late, or says that the send failed', () => {
	const sendFailed = { message: 'x', data: { appError: { code: 'DOCUMENT_SEND_FAILED' } } };
	expect(mayLeaveTraces(failed({ status: 400, body: sendFailed }))).toBe(true);
	expect(mayLeaveTraces(failed({ status: 500, body: '' }))).toBe(true);
	expect(mayLeaveTraces(failed({ status: 400, body: { message: 'x' } }))).toBe(false);
	expect(mayLeaveTraces(new Error('x'))).toBe(false);
});

test('anything thrown becomes an error of n8n’s with its item', () => {
	expect(asNodeError(node, new TypeError('odd'), 3)).toMatchObject({
		name: 'NodeOperationError',
		message: 'odd',
		context: { itemIndex: 3 },
	});
	expect(asNodeError(node, 'text', 0).message).toBe('text');
});

test('an error that several items share is that of the first of them', () => {
	const error = inputError(node, 5, 'No');
	expect(asNodeError(node, error, 7).context.itemIndex).toBe(5);
	expect(asNodeError(node, error, 2).context.itemIndex).toBe(2);
});

test('a failed item has only the keys that lead n8n to the error output', () => {
	const error = failed({ status: 404, body: { message: 'No', code: 'NOT_FOUND' } });
	expect(Object.keys(errorOutput(error)).sort()).toEqual(['details', 'error']);
});

test('a token that an answer echoes is not passed on', () => {
	const body = { message: 'Headers: {"authorization":"api_token"}' };
	expect(JSON.stringify(failed({ status: 400, body }))).not.toContain('api_token');
});

test('an answer that lacks what the API promises is explained, not shown as it is', () => {
	const parsed = z.object({ id: z.string() }).safeParse({});
	expect(asNodeError(node, parsed.error, 2)).toMatchObject({
		message: "Documenso's answer could not be read",
		description: expect.stringContaining('First difference: id Required') as string,
		context: { itemIndex: 2 },
	});
});
