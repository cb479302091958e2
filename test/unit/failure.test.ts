import { inspect } from 'node:util';

import { z } from 'zod';

import { connectionFailure } from '../../nodes/shared/api/failedRequest';
import {
	ApiFailure,
	afterAChange,
	hasCode,
	hasStatus,
	isElsewhere,
	isOutcomeUnknown,
	mayHaveEffect,
	mayLeaveTraces,
	withNote,
	type FailureFacts,
	type Outcome,
} from '../../nodes/shared/api/failure';
import { readFailure } from '../../nodes/shared/api/failureBody';
import { maskOf } from '../../nodes/shared/api/mask';
import { parse } from '../../nodes/shared/api/records';
import { errorOf } from '../support/errors';
import { failed, lost } from '../support/failures';

const PAGE = '<!DOCTYPE html><title>Log in</title>';
const said = { message: 'No', data: { code: 'BAD_REQUEST', httpStatus: 400 } };
/** What a firewall says. */
const foreign = { message: 'Blocked', code: 'FORBIDDEN', status: 403 };
const sendFailed = { message: 'x', data: { appError: { code: 'DOCUMENT_SEND_FAILED' } } };

describe('the six shapes of a refusal', () => {
	const shapes: Array<[string, number, unknown, string, string | undefined]> = [
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
	];

	test.each(shapes)('%s', (_, status, body, message, code) => {
		expect(readFailure(status, body)).toMatchObject({ message, code });
		expect(failed({ status, body, isRead: true })).toMatchObject({
			name: 'ApiFailure',
			message,
			facts: { status, code, source: 'documenso' },
		});
	});

	test('several faults stand one after another, and one without a path stands alone', () => {
		const issues = [
			{ path: ['fields', 0, 'page'], message: 'Too small' },
			{ message: 'Unrecognized key' },
		];
		expect(readFailure(400, { issues })?.message).toBe(
			'fields.0.page: Too small; Unrecognized key',
		);
	});

	test.each([
		['<html>Bad gateway</html>'],
		[''],
		[undefined],
		[[]],
		[{}],
		[{ issues: [] }],
		[{ error: { message: 'odd' } }],
		[{ message: 7 }],
	])('%j is none of them', (body) => {
		expect(readFailure(500, body)).toBeUndefined();
	});

	test('of fifty thousand faults, only the first are read', () => {
		let reads = 0;
		const fault = {
			get message() {
				reads += 1;
				return 'Invalid';
			},
		};
		const { message } = readFailure(400, { issues: Array(50_000).fill(fault) }) ?? {};
		expect(message).toMatch(/^Invalid; Invalid/);
		expect(reads).toBeLessThan(1000);
	});

	test('an answer of success is no refusal, whatever it says', () => {
		expect(readFailure(200, said)).toBeUndefined();
	});
});

describe('what an answer means', () => {
	const UNREADABLE = "Documenso's answer could not be read";
	const UNAVAILABLE = 'Documenso is not available at the moment';
	const ELSEWHERE = "The base URL in the credential does not lead to Documenso's API";
	const QUOTA = 'The monthly quota of the Documenso plan is used up';
	const tooMany = { error: 'Too many requests, please try again later.' };
	const blocked = (more: object) => ({ message: 'Blocked', ...more });

	/** What became of the request, whose the answer was, and what the user reads. */
	const answers: Array<[number, unknown, Outcome, string, string]> = [
		[400, said, 'refused', 'documenso', 'No'],
		[401, said, 'refused', 'documenso', 'No'],
		[404, said, 'refused', 'documenso', 'No'],
		[429, said, 'refused', 'documenso', QUOTA],
		[429, tooMany, 'refused', 'documenso', QUOTA],
		[400, sendFailed, 'refused', 'documenso', 'x'],
		[500, said, 'failed', 'documenso', 'No'],
		[501, said, 'failed', 'documenso', 'No'],
		[408, said, 'unknown', 'documenso', 'No'],
		[502, said, 'unknown', 'documenso', 'No'],
		[503, said, 'unknown', 'documenso', 'No'],
		[504, said, 'unknown', 'documenso', 'No'],
		[400, foreign, 'unknown', 'unreadable', 'Blocked'],
		[401, foreign, 'unknown', 'unreadable', 'Blocked'],
		[403, foreign, 'unknown', 'unreadable', 'Blocked'],
		[404, foreign, 'unknown', 'unreadable', 'Blocked'],
		[422, foreign, 'unknown', 'unreadable', 'Blocked'],
		[500, foreign, 'unknown', 'unreadable', 'Blocked'],
		[429, foreign, 'unknown', 'unreadable', QUOTA],
		[403, { error: 'Blocked', code: 'FORBIDDEN' }, 'unknown', 'unreadable', 'Blocked'],
		// Whatever a firewall says beside its message.
		[403, blocked({ data: { code: 'FORBIDDEN' } }), 'unknown', 'unreadable', 'Blocked'],
		[403, blocked({ code: 403 }), 'unknown', 'unreadable', 'Blocked'],
		[403, blocked({ data: null }), 'unknown', 'unreadable', 'Blocked'],
		[403, blocked({ error: { code: 1020 }, issues: 'none' }), 'unknown', 'unreadable', 'Blocked'],
		[500, '', 'unknown', 'unreadable', UNREADABLE],
		[429, PAGE, 'unknown', 'unreadable', UNREADABLE],
		[520, '<html>', 'unknown', 'unreadable', UNREADABLE],
		[200, [], 'unknown', 'unreadable', UNREADABLE],
		[302, '', 'unknown', 'unreadable', UNREADABLE],
		[502, PAGE, 'unknown', 'unreadable', UNAVAILABLE],
		[503, '', 'unknown', 'unreadable', UNAVAILABLE],
		[504, '', 'unknown', 'unreadable', UNAVAILABLE],
		// A proxy refuses a large file: the base URL is right then.
		[413, PAGE, 'elsewhere', 'unreadable', UNREADABLE],
		[200, PAGE, 'elsewhere', 'elsewhere', ELSEWHERE],
		[403, PAGE, 'elsewhere', 'elsewhere', ELSEWHERE],
		[404, '', 'elsewhere', 'elsewhere', ELSEWHERE],
		[404, 'Not found', 'elsewhere', 'elsewhere', ELSEWHERE],
		[301, '', 'elsewhere', 'elsewhere', ELSEWHERE],
		[307, '', 'elsewhere', 'elsewhere', ELSEWHERE],
		[308, '', 'elsewhere', 'elsewhere', ELSEWHERE],
	];

	test.each(answers)('a %i with %j: %s, %s, "%s"', (status, body, outcome, source, message) => {
		const failure = failed({ status, body });
		expect(failure.message).toBe(message);
		expect(failure.facts).toMatchObject({ outcome, source });
		expect(isOutcomeUnknown(failure)).toBe(outcome === 'unknown');
		expect(isElsewhere(failure)).toBe(outcome === 'elsewhere');
		expect(failed({ status, body, isRead: true }).facts.outcome).toBe('refused');
	});
});

describe('the message', () => {
	test('of a redirect says where it points', () => {
		const location = 'https://login.example.com/';
		expect(failed({ status: 302, body: '', location }).message).toBe(
			'Documenso redirected the request to https://login.example.com/',
		);
	});

	test('of a 429 says how long Documenso asks to wait, and how long was waited before', () => {
		const answer = { status: 429, body: { error: 'Too many' }, retryAfter: 3600 };
		expect(failed(answer).message).toBe('Too many (Documenso asks to wait 3600 s)');
		expect(failed({ ...answer, waited: 120 }).message).toBe(
			'Too many (Documenso asks to wait 3600 s, after 120 s of waiting)',
		);
		expect(failed({ ...answer, status: 400 }).message).toBe('Too many');
	});

	test('of a broken connection names the host, and its code stands with the origin', () => {
		const failure = lost('ECONNRESET');
		expect(failure.message).toBe('The connection to Documenso at sign.example.com failed');
		expect(failure.facts).toMatchObject({
			code: 'ECONNRESET',
			origin: 'n8n says: ECONNRESET, broken',
		});
	});

	test.each([
		['a read', true, 'refused'],
		['a change', false, 'unknown'],
	])('of an answer to %s that lacks what it needs names that', async (_, isRead, outcome) => {
		const failure = await errorOf(() => parse(z.object({ id: z.string() }), {}, isRead));
		expect(failure).toBeInstanceOf(ApiFailure);
		expect(failure).toMatchObject({
			message: "Documenso's answer could not be read",
			facts: {
				outcome,
				origin: 'In the answer, id is wrong: Required',
				source: 'unreadable',
			},
		});
	});
});

test('the origin says what was asked, and the status and code of the answer', () => {
	const body = { message: 'No', code: 'LIMIT_EXCEEDED' };
	expect(failed({ status: 400, body }).facts.origin).toBe(
		'The answer to POST /envelope/use was 400 LIMIT_EXCEEDED.',
	);
	expect(failed({ status: 502, body: '' }).facts.origin).toBe(
		'The answer to POST /envelope/use was 502.',
	);
});

describe('the outcome of a request that got no answer', () => {
	test('is nobody’s word', () => {
		expect(lost().facts.source).toBeUndefined();
	});

	test.each(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])(
		'%s never reached Documenso',
		(code) => {
			expect(lost(code).facts.outcome).toBe('unsent');
		},
	);

	test.each(['ECONNRESET', 'ETIMEDOUT', 'ECONNABORTED', undefined])(
		'after %s nobody knows',
		(code) => {
			expect(lost(code).facts.outcome).toBe('unknown');
			expect(lost(code, true).facts.outcome).toBe('refused');
		},
	);

	test('the code of a connection may be that of what caused the error', () => {
		const cause = Object.assign(new Error(), { code: 'ECONNREFUSED' });
		const caught = new Error('Request failed', { cause });
		expect(connectionFailure(caught, false, 'host').facts.outcome).toBe('unsent');
	});
});

describe('a failure may have left something behind', () => {
	test.each([
		['a lost answer', lost('ECONNRESET'), true],
		['an answer of a proxy’s', failed({ status: 504, body: '' }), true],
		['a 500 of Documenso’s', failed({ status: 500, body: said }), true],
		['a document that was made but not sent', failed({ status: 400, body: sendFailed }), true],
		['a refusal', failed({ status: 400, body: said }), false],
		['a read', failed({ status: 500, body: said, isRead: true }), false],
		['a page of something else', failed({ status: 403, body: PAGE }), false],
		['a connection that was never made', lost('ECONNREFUSED'), false],
		['an error of another kind', new Error('x'), false],
	])('after %s', (_, error, may) => {
		expect(mayLeaveTraces(error)).toBe(may);
	});

	test('after something else answered, a look at Documenso tells', () => {
		const astray = failed({ status: 403, body: PAGE });
		expect(mayHaveEffect(astray)).toBe(true);
		expect(mayHaveEffect(lost('ECONNRESET'))).toBe(true);
		expect(mayHaveEffect(failed({ status: 400, body: said }))).toBe(false);
	});
});

test('a failure is found by its code and status, any other error by none', () => {
	const failure = failed({ status: 404, body: { message: 'No', code: 'NOT_FOUND' } });
	expect([hasCode(failure, 'NOT_FOUND'), hasStatus(failure, 404)]).toEqual([true, true]);
	expect([hasCode(failure, 'LIMIT_EXCEEDED'), hasStatus(failure, 400)]).toEqual([false, false]);
	const other = Object.assign(new Error(), { code: 'NOT_FOUND', facts: { status: 404 } });
	expect([hasCode(other, 'NOT_FOUND'), hasStatus(other, 404)]).toEqual([false, false]);
});

describe('the token is never shown', () => {
	/** All that a log or a saved execution could hold of an error. */
	const allOf = (failure: ApiFailure) => inspect(failure, { depth: null });

	test('of an answer that echoes it, more than once', () => {
		const body = { message: 'api_token: {"authorization":"api_token"}' };
		const failure = failed({ status: 400, body });
		expect(failure.message).toBe('***: {"authorization":"***"}');
		expect(allOf(failure)).not.toContain('api_token');
	});

	test('of an address that a redirect carries it to', () => {
		const location = 'https://login.example.com/?token=api_token';
		expect(allOf(failed({ status: 302, body: '', location }))).not.toContain('api_token');
	});

	test('of a broken connection, whose request carries it', () => {
		const config = { headers: { Authorization: 'api_token' } };
		const caught = Object.assign(new Error('socket hang up'), { config });
		expect(allOf(connectionFailure(caught, false, 'host'))).not.toContain('api_token');
	});

	test('of a code, or of the address that was asked for', () => {
		const body = { message: 'No', code: 'UNKNOWN_api_token' };
		const failure = failed({ status: 400, body, asked: 'GET /envelope/api_token' });
		expect(failure.facts.code).toBe('UNKNOWN_***');
		expect(failure.facts.origin).toBe('The answer to GET /envelope/*** was 400 UNKNOWN_***.');
		expect(allOf(failure)).not.toContain('api_token');
	});

	test('of what n8n says of a broken connection', () => {
		const caught = new Error('Invalid header: api_token', { cause: new Error('api_token') });
		const failure = connectionFailure(caught, false, 'host', maskOf('api_token'));
		expect(failure.facts.origin).toBe('n8n says: Invalid header: ***');
		expect(allOf(failure)).not.toContain('api_token');
	});

	test.each([' api_token\n', 'Bearer api_token', 'bearer  api_token '])(
		'that was entered as %j',
		(secret) => {
			const body = { message: 'Who is api_token?' };
			const failure = failed({ status: 401, body, mask: maskOf(secret) });
			expect(failure.message).toBe('Who is ***?');
		},
	);

	test.each([
		'https://tina:s3cret@login.example.com/page?next=s3cret#s3cret',
		'//tina:s3cret@login.example.com/page',
		'HTTPS:/\\tina:s3@cret@login.example.com/page',
	])('nor a password in the address %j to which an answer redirects', (location) => {
		const failure = failed({ status: 302, body: '', location });
		expect(allOf(failure)).not.toMatch(/tina|s3|cret/);
		expect(failure.message).toContain('login.example.com/page');
	});

	test('a credential without a token leaves messages as they are', () => {
		expect(failed({ status: 401, body: said, mask: maskOf('') }).message).toBe('No');
	});
});

describe('an answer without end', () => {
	const long = 'x'.repeat(1_000_000);

	test.each([
		['in its message', { message: long }],
		['in its code', { message: 'No', code: long }],
		['in its list of faults', { issues: Array(1000).fill({ path: ['a'], message: 'No' }) }],
	])('%s is cut short', (_, body) => {
		const { message, facts } = failed({ status: 400, body });
		expect(message.length + (facts.origin ?? '').length).toBeLessThan(3000);
		expect(facts.code?.length ?? 0).toBeLessThan(200);
	});

	test('as the address of a redirect is cut short', () => {
		const location = `https://example.com/${long}`;
		expect(failed({ status: 302, body: '', location }).message.length).toBeLessThan(3000);
	});
});

describe('a request that n8n itself refuses', () => {
	const named = (name: string) => Object.assign(new Error('Blocked'), { name });
	const blocked: Array<[string, Error]> = [
		['a blocked address', named('SsrfBlockedIpError')],
		['a blocked host', new Error('Failed', { cause: named('SsrfBlockedHostnameError') })],
	];

	test.each(blocked)('for %s has done nothing, and the error says who refused', (_, caught) => {
		const { message, facts } = connectionFailure(caught, false, 'sign.example.com');
		expect(message).toMatch(/^n8n blocked the request to Documenso at sign\.example\.com/);
		expect(facts).toMatchObject({ isBlocked: true, outcome: 'unsent' });
		expect(facts.advice).toContain('N8N_SSRF_PROTECTION_ENABLED');
	});

	test('is not any that failed on the way', () => {
		expect(lost('ECONNRESET').facts.isBlocked).toBeUndefined();
	});
});

describe('a step that knows more', () => {
	/** Throws where anything of it is changed. */
	function frozen(): ApiFailure {
		const { facts } = failed({ status: 400, body: { message: 'Busy', code: 'BAD_REQUEST' } });
		const fixed: FailureFacts = {
			...facts,
			notes: Object.freeze(['First.']) as string[],
			details: Object.freeze({ documentId: 'a' }),
		};
		return Object.freeze(new ApiFailure(Object.freeze(fixed)));
	}

	test.each([
		['noting', (failure: ApiFailure) => failure.withNote('Then.', { folder: 'b' })],
		['saying', (failure: ApiFailure) => failure.withMessage('Not now')],
		['reworded', (failure: ApiFailure) => failure.withAdvice('Not now', 'Wait.')],
		['afterAChange', (failure: ApiFailure) => afterAChange(failure, 'Then.') as ApiFailure],
	])('makes another failure by %s, and leaves the first as it was', (_, knowing) => {
		const first = frozen();
		const before = structuredClone({ ...first.facts });
		const second = knowing(first);
		expect(second).toBeInstanceOf(ApiFailure);
		expect(second).not.toBe(first);
		expect(second.facts).not.toEqual(before);
		expect(first.facts).toEqual(before);
	});

	test('notes it before what earlier steps have noted', () => {
		expect(frozen().withNote('Then.', { folder: 'b' }).facts).toMatchObject({
			notes: ['Then.', 'First.'],
			details: { documentId: 'a', folder: 'b' },
		});
	});

	test('has the last word on what is known', () => {
		expect(frozen().withNote('Then.', { documentId: 'b' }).facts.details).toEqual({
			documentId: 'b',
		});
	});

	test('may call things by their names', () => {
		const failure = frozen().withMessage('There is no document with the ID a');
		expect(failure.message).toBe('There is no document with the ID a');
		expect(failure.facts).toMatchObject({ code: 'BAD_REQUEST', notes: ['First.'] });
	});

	test('may say it in other words, with Documenso’s at the end', () => {
		const { message, facts } = frozen().withAdvice('Not now', 'Wait.');
		expect(message).toBe('Not now');
		expect(facts).toMatchObject({
			advice: 'Wait.',
			origin: 'Documenso says: Busy. The answer to POST /envelope/use was 400 BAD_REQUEST.',
		});
	});

	test('may have done its part, so that the whole is not tried again', () => {
		const failure = afterAChange(frozen(), 'One of two is done.');
		expect(mayLeaveTraces(failure)).toBe(true);
		expect(failure).toMatchObject({ facts: { notes: ['One of two is done.', 'First.'] } });
	});

	test('leaves errors of another kind as they are', () => {
		const other = new TypeError('odd');
		expect(withNote(other, 'Then.')).toBe(other);
		expect(afterAChange(other, 'Then.')).toBe(other);
		expect(withNote(frozen(), 'Then.')).toMatchObject({ facts: { notes: ['Then.', 'First.'] } });
		expect(afterAChange(frozen(), 'Then.')).toMatchObject({ facts: { outcome: 'failed' } });
	});
});
