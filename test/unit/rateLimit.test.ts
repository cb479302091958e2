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

function told(...answers: Array<Record<string, string>>) {
	const rateLimit = new RateLimit();
	for (const answer of answers) rateLimit.told(answer, now);
	return rateLimit;
}

test('without a word from the service nothing is held back', () => {
	const rateLimit = told({});
	expect(rateLimit.remaining(now)).toBe(Infinity);
	expect(rateLimit.pause(now)).toBe(0);
});

test('what remains is what may be under way, and with nothing left all wait for the window to end', () => {
	expect(told(headers(7)).remaining(now)).toBe(7);
	expect(told(headers(7)).pause(now)).toBe(0);
	expect(told(headers(0)).pause(now)).toBe(20_000);
	expect(told(headers(0)).pause(end)).toBe(0);
	expect(told(headers(0)).remaining(end)).toBe(Infinity);
});

test('the least that was told for a window counts, in whatever order the answers arrive', () => {
	expect(told(headers(3), headers(5)).remaining(now)).toBe(3);
	const next = { 'x-ratelimit-reset': String(end / 1000 + 60) };
	expect(told(headers(3), headers(999, next)).remaining(now)).toBe(999);
	expect(told(headers(999, next), headers(3)).remaining(now)).toBe(999);
});

test('the end of the window is reckoned by the service’s clock, wherever ours stands', () => {
	const ahead = new Date(now + 3_600_000).toUTCString();
	const reset = String(end / 1000 + 3600);
	expect(told(headers(0, { date: ahead, 'x-ratelimit-reset': reset })).pause(now)).toBe(20_000);
});

test('a refusal holds everything back for as long as it says', () => {
	const rateLimit = new RateLimit();
	rateLimit.hold(now + 7000);
	rateLimit.hold(now + 3000);
	expect(rateLimit.pause(now)).toBe(7000);
});

test('a window of more than five minutes is not waited for: the refusal says what is the matter', () => {
	const rateLimit = told(headers(0, { 'x-ratelimit-reset': String(now / 1000 + 3600) }));
	expect(rateLimit.pause(now)).toBe(0);
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
	expect(told(headers(remaining, changes)).remaining(now)).toBe(Infinity);
});
