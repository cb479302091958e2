import { pauseBeforeRetry, retryAfterSeconds } from '../../nodes/shared/api/retry';

const first = { number: 1, waited: 0, isRefused: true };

describe('after a 429', () => {
	test('any method waits for as long as the service says', () => {
		const attempt = { ...first, status: 429, retryAfter: 7 };
		expect(pauseBeforeRetry({ ...attempt, isRead: false })).toBe(7000);
		expect(pauseBeforeRetry({ ...attempt, isRead: true })).toBe(7000);
	});

	test.each([
		[0, [500, 1000, 2000, 4000]],
		[1, [1000, 1000, 2000, 4000]],
		[7, [7000, 7000, 7000, 7000]],
	])('the pause grows when the service asks for %i s again and again', (retryAfter, pauses) => {
		const attempt = { ...first, status: 429, retryAfter, isRead: false };
		const asked = [1, 2, 3, 4].map((number) => pauseBeforeRetry({ ...attempt, number }));
		expect(asked).toEqual(pauses);
	});

	test('of something else than Documenso, no change is sent again', () => {
		const attempt = { ...first, status: 429, retryAfter: 7, isRead: false };
		expect(pauseBeforeRetry({ ...attempt, isRefused: false })).toBeUndefined();
	});

	test('without a time the monthly quota is spent, and nothing is sent again', () => {
		expect(pauseBeforeRetry({ ...first, status: 429, isRead: true })).toBeUndefined();
	});

	test('a wait of more than five minutes is left to the user', () => {
		const attempt = { ...first, status: 429, isRead: true, retryAfter: 301 };
		expect(pauseBeforeRetry(attempt)).toBeUndefined();
	});

	test('waits that add up to more than five minutes are, too', () => {
		const attempt = { ...first, number: 2, status: 429, isRead: true, waited: 200_000 };
		expect(pauseBeforeRetry({ ...attempt, retryAfter: 100 })).toBe(100_000);
		expect(pauseBeforeRetry({ ...attempt, retryAfter: 101 })).toBeUndefined();
	});
});

describe.each([502, 503, 504, undefined])('after %s', (status) => {
	test('a read is sent again, a little later each time', () => {
		expect(pauseBeforeRetry({ ...first, status, isRead: true })).toBe(500);
		expect(pauseBeforeRetry({ ...first, number: 3, status, isRead: true })).toBe(2000);
	});

	test('a change is not sent again, because it may have taken effect', () => {
		expect(pauseBeforeRetry({ ...first, status, isRead: false })).toBeUndefined();
	});
});

test.each([400, 401, 404, 500])('a %s is final', (status) => {
	expect(pauseBeforeRetry({ ...first, status, isRead: true })).toBeUndefined();
});

test('what n8n itself has refused is not sent again', () => {
	expect(pauseBeforeRetry({ ...first, isRead: true, isBlocked: true })).toBeUndefined();
});

test('the fifth attempt is the last', () => {
	const attempt = { ...first, status: 429, retryAfter: 0, isRead: true };
	expect(pauseBeforeRetry({ ...attempt, number: 4 })).toBeDefined();
	expect(pauseBeforeRetry({ ...attempt, number: 5 })).toBeUndefined();
});

test.each([
	['12', 12],
	['0', 0],
	['-3', 0],
	['Thu, 01 Jan 2026 00:00:30 GMT', 30],
	['Wed, 31 Dec 2025 23:59:00 GMT', 0],
	['soon', undefined],
	['', undefined],
	[undefined, undefined],
])('Retry-After %j means %j seconds', (header, seconds) => {
	expect(retryAfterSeconds(header, Date.parse('2026-01-01T00:00:00Z'))).toBe(seconds);
});
