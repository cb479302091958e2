import { RateLimit } from '../../nodes/shared/api/rateLimit';

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
	for (const answer of answers) rateLimit.read(answer, now);
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
	function after(seconds: number, { others, own = 1 }: { others: number; own?: number }) {
		const rateLimit = new RateLimit();
		let left = 1000;
		for (let second = 0; second <= seconds; second++) {
			const at = start + second * SECOND;
			if (second > 0) left -= others;
			for (let request = 0; request < own; request++) {
				left--;
				rateLimit.read(answer(left, at), at);
			}
		}
		return { left, rateLimit, at: start + seconds * SECOND };
	}

	const answer = (left: number, at: number) => ({
		'x-ratelimit-limit': '1000',
		'x-ratelimit-remaining': String(left),
		'x-ratelimit-reset': String(start / SECOND + 60),
		date: new Date(at).toUTCString(),
	});

	test.each([
		[0.1, 100],
		[0.5, 500],
		[0, 0],
	])('is a share of %d of the limit where there is nobody else', (share, reserved) => {
		const { rateLimit, left, at } = after(10, { others: 0 });
		expect(rateLimit.room(at, share)).toBe(left - reserved);
	});

	test('is half of the first window and a little more, and less with every second in which nobody else uses it', () => {
		const reserved = [0, 1, 2, 4].map((seconds) => {
			const { rateLimit, left, at } = after(seconds, { others: 0 });
			expect(rateLimit.room(at, 0)).toBe(left);
			return left - rateLimit.room(at, 0.01);
		});
		expect(reserved[0]).toBe(550);
		expect(reserved[3]).toBeLessThan(200);
		expect(reserved).toEqual([...reserved].sort((a, b) => b - a));
	});

	test('is what they need until the window ends, and a tenth more', () => {
		const { rateLimit, left, at } = after(20, { others: 10 });
		const reserved = left - rateLimit.room(at, 0.1);
		expect(reserved).toBeGreaterThan(430);
		expect(reserved).toBeLessThan(450);
		expect(rateLimit.room(at, 0)).toBe(left);
	});

	test('becomes less when they send nothing more', () => {
		const { rateLimit, left, at } = after(20, { others: 10 });
		const later = at + 25 * SECOND;
		rateLimit.read(answer(left - 1, later), later);
		expect(rateLimit.room(later, 0.1)).toBe(left - 1 - 100);
	});

	test('is never taken at the end', () => {
		const { rateLimit, left, at } = after(20, { others: 0, own: 43 });
		expect(left).toBe(97);
		expect(rateLimit.room(at + 39 * SECOND, 0.1)).toBeLessThanOrEqual(0);
		expect(rateLimit.room(at + 39 * SECOND)).toBe(97);
	});

	test('does not grow because requests overtake each other', () => {
		const rateLimit = new RateLimit();
		const [inOrder, reversed] = [[...Array(40).keys()], [...Array(40).keys()].reverse()];
		for (const place of [...inOrder, ...reversed.map((one) => one + 40)]) {
			rateLimit.read(answer(999 - place, start + 5 * SECOND), start + 5 * SECOND);
		}
		expect(rateLimit.room(start + 5 * SECOND, 0.15)).toBe(1000 - 80 - 150);
	});

	test('is expected to be as much as in the window before when the next one begins', () => {
		const { rateLimit } = after(59, { others: 10 });
		const next = start + 60 * SECOND;
		const first = { ...answer(999, next), 'x-ratelimit-reset': String(start / SECOND + 120) };
		rateLimit.read(first, next);
		const need = 10 * 60 * 1.1;
		expect(rateLimit.room(next, 0.1)).toBeGreaterThan(999 - need * 1.05);
		expect(rateLimit.room(next, 0.1)).toBeLessThan(999 - need * 0.95);
	});
});
