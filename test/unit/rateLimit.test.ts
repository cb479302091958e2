import { RateLimit } from '../../nodes/Documenso/api/rateLimit';

/** Twenty seconds before the window's end, by the service's clock and ours. */
const now = Date.parse('2026-01-01T00:00:40Z');
const end = Date.parse('2026-01-01T00:01:00Z');

const headers = (remaining: number | string, changes: Record<string, string> = {}) => ({
	'x-ratelimit-remaining': String(remaining),
	'x-ratelimit-reset': String(end / 1000),
	date: new Date(now).toUTCString(),
	...changes,
});

function afterAnswers(...answers: Array<Record<string, string>>) {
	const rateLimit = new RateLimit();
	answers.forEach((answer, place) => rateLimit.read(answer, now, place + 1, 1));
	return rateLimit;
}

test('without a word from the service nothing is held back', () => {
	const rateLimit = afterAnswers({});
	expect(rateLimit.room(now)).toBe(Infinity);
	expect(rateLimit.pause(now)).toBe(0);
});

test('what remains is what may be under way, and with nothing left all wait for the window to end', () => {
	expect(afterAnswers(headers(7)).room(now)).toBe(7);
	expect(afterAnswers(headers(7)).pause(now)).toBe(0);
	expect(afterAnswers(headers(0)).pause(now)).toBe(20_000);
	expect(afterAnswers(headers(0)).pause(end)).toBe(0);
	expect(afterAnswers(headers(0)).room(end)).toBe(Infinity);
});

test('the least that was told for a window counts, in whatever order the answers arrive', () => {
	expect(afterAnswers(headers(3), headers(5)).room(now)).toBe(3);
	const next = { 'x-ratelimit-reset': String(end / 1000 + 60) };
	expect(afterAnswers(headers(3), headers(999, next)).room(now)).toBe(999);
	expect(afterAnswers(headers(999, next), headers(3)).room(now)).toBe(999);
});

test('the end of the window is reckoned by the service’s clock, wherever ours stands', () => {
	const ahead = new Date(now + 3_600_000).toUTCString();
	const reset = String(end / 1000 + 3600);
	expect(afterAnswers(headers(0, { date: ahead, 'x-ratelimit-reset': reset })).pause(now)).toBe(
		20_000,
	);
});

test('a refusal holds everything back for as long as it says', () => {
	const rateLimit = new RateLimit();
	rateLimit.hold(now + 7000);
	rateLimit.hold(now + 3000);
	expect(rateLimit.pause(now)).toBe(7000);
});

test('a window of more than five minutes is not waited for: the refusal says what is the matter', () => {
	const rateLimit = afterAnswers(headers(0, { 'x-ratelimit-reset': String(now / 1000 + 3600) }));
	expect(rateLimit.pause(now)).toBe(0);
	expect(rateLimit.room(now, 0.1)).toBe(Infinity);
});

test.each([
	['1000, 20', undefined],
	['', undefined],
	['many', undefined],
	['5', 'soon'],
	['5', ''],
	['5', '-1'],
])('headers that cannot be read are passed over: %j, %j', (remaining, reset) => {
	const changes: Record<string, string> = reset === undefined ? {} : { 'x-ratelimit-reset': reset };
	expect(afterAnswers(headers(remaining, changes)).room(now)).toBe(Infinity);
});

describe('what bulk work leaves to others', () => {
	const SECOND = 1000;
	const start = Date.parse('2026-01-01T00:00:00Z');

	/** A window of a thousand requests, of which others use some a second. Answers come once a second. */
	function after(seconds: number, others: (second: number) => number, own = 10) {
		const rateLimit = new RateLimit();
		let [left, number] = [1000, 0];
		for (let second = 0; second <= seconds; second++) {
			const at = start + second * SECOND;
			left -= own + (second > 0 ? others(second) : 0);
			number += own;
			rateLimit.read(answer(left, start + 60 * SECOND, at), at, number, 1);
		}
		return { left, rateLimit, at: start + seconds * SECOND };
	}

	const answer = (left: number, end: number, at: number) => ({
		'x-ratelimit-limit': '1000',
		'x-ratelimit-remaining': String(left),
		'x-ratelimit-reset': String(end / 1000),
		date: new Date(at).toUTCString(),
	});

	test.each([
		[0.1, 100],
		[0.5, 500],
		[0, 0],
	])('is a share of %d of the limit where there is nobody else', (share, reserved) => {
		const { rateLimit, left, at } = after(2, () => 0);
		expect(rateLimit.room(at, share)).toBe(left - reserved);
	});

	test('is half of what is left until others have been watched for a second', () => {
		const { rateLimit, left, at } = after(0, () => 0);
		expect(rateLimit.room(at, 0.1)).toBe(left / 2);
		expect(rateLimit.room(at, 0)).toBe(left);
	});

	test('is what they need until the window ends, and half of the rest', () => {
		const { rateLimit, left, at } = after(20, () => 10);
		// Forty seconds, and a fifth more.
		const need = 480;
		expect(left).toBe(590);
		expect(rateLimit.room(at, 0.1)).toBeCloseTo((left - need) / 2);
		expect(rateLimit.room(at, 0)).toBe(left);
	});

	test('lets one request through a second when all that is left is needed', () => {
		const { rateLimit, at } = after(20, () => 16);
		expect(rateLimit.room(at, 0.1)).toBe(0);
		expect(rateLimit.room(at + SECOND, 0.1)).toBe(1);
	});

	test('is released when they send nothing more', () => {
		const { rateLimit, left, at } = after(50, (second) => (second <= 2 ? 150 : 0), 1);
		expect(left).toBe(649);
		expect(rateLimit.room(at, 0.1)).toBe(549);
	});

	test('is never taken at the end, not even one request a second', () => {
		const { rateLimit, left, at } = after(2, () => 0, 300);
		expect(left).toBe(100);
		expect(rateLimit.room(at + SECOND, 0.1)).toBeLessThanOrEqual(0);
		expect(rateLimit.room(at + SECOND)).toBe(100);
	});

	test('is expected to be as much as in the window before when the next one begins', () => {
		const { rateLimit } = after(59, () => 10, 1);
		const next = start + 60 * SECOND;
		rateLimit.read(answer(950, next + 60 * SECOND, next), next, 61, 1);
		const need = 10 * 60 * 1.2;
		expect(rateLimit.room(next, 0.1)).toBeCloseTo((950 - need) / 2);
	});

	test('does not grow because requests overtake each other', () => {
		const rateLimit = new RateLimit();
		const end = start + 60 * SECOND;
		const receive = (number: number, place: number, at: number) => {
			rateLimit.read(answer(1000 - place, end, at), at, number, 8);
		};
		// The last of eight arrives first, and so on.
		for (let place = 1; place <= 8; place++) receive(9 - place, place, start);
		for (let place = 9; place <= 48; place++) {
			const batch = 8 * Math.floor((place - 1) / 8);
			receive(2 * batch + 9 - place, place, start + SECOND);
		}
		expect(rateLimit.room(start + SECOND, 0.1)).toBe(1000 - 48 - 100);
	});
});
