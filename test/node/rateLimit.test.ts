import { clock } from '../../nodes/shared/api/clock';
import { lines } from '../support/service';
import { emailsOf, fillFromRow as use, tenants, useService } from '../support/suite';
import { hurry } from '../support/hurry';

hurry();

/** Windows are aligned to the clock, as the service's are. */
const LIMIT = 40;
const suite = useService({
	seed: 'demo',
	latencyMs: 5,
	rateLimit: { limit: LIMIT, windowMs: 2000 },
});

const refused = () => suite.service.calls.filter(({ status }) => status === 429);
const emails = () =>
	[...suite.service.store.envelopes.values()].flatMap(({ recipients }) =>
		recipients.map(({ email }) => email).filter((email) => email.startsWith('tenant')),
	);

test('more rows than a window allows are all done, once each, and the wall is not run into', async () => {
	const rows = tenants(3 * LIMIT);
	const { items, error } = await suite.run(use, rows);
	expect(error).toBeUndefined();
	expect(items).toHaveLength(rows.length);
	expect(emails().sort()).toEqual(emailsOf(rows).sort());
	expect(refused().length).toBeLessThanOrEqual(1);
	console.log(
		`${rows.length} rows at ${LIMIT} a window: ${items.length} done, ${refused().length} × 429`,
	);
});

test('two executions at once lose no row, and do not run into the wall either', async () => {
	const rows = tenants(4 * LIMIT);
	const [one, other] = await Promise.all([
		suite.run(use, rows.slice(0, 2 * LIMIT)),
		suite.run(use, rows.slice(2 * LIMIT)),
	]);
	expect([one.error, other.error]).toEqual([undefined, undefined]);
	expect(emails().sort()).toEqual(emailsOf(rows).sort());
	expect(refused().length).toBeLessThanOrEqual(1);
});

test('a 429 is waited out by all items together, to the second', async () => {
	suite.service.fail({ match: 'POST *', status: 429, headers: { 'retry-after': '2' } });
	const before = clock.now();
	const { items } = await suite.run(use, tenants(10));
	expect(items).toHaveLength(10);
	// What was under way is answered; nothing is sent before the two seconds are over.
	expect(clock.now() - before).toBeGreaterThanOrEqual(2000);
	expect(lines(suite.service)).toHaveLength(12);
	expect(new Set(emails()).size).toBe(10);
});

test('a pause that is too long is an error at once, with the time in its message', async () => {
	suite.service.fail({ match: 'POST *', times: 9, status: 429, headers: { 'retry-after': '900' } });
	const { error } = await suite.run(use, tenants(3));
	expect(error?.message).toContain('(Documenso asks to wait 900 s)');
	expect(error?.description).toContain('waits at most 300 seconds for each request');
	expect(lines(suite.service).length).toBeLessThanOrEqual(4);
});

test('four 429s that ask to wait no time are waited out, a little longer each time; the fifth is final', async () => {
	const refusal = { match: 'POST *', status: 429, headers: { 'retry-after': '0' } };
	suite.service.fail({ ...refusal, times: 4 });
	const before = clock.now();
	const { items } = await suite.run(use, tenants(1));
	expect(items).toHaveLength(1);
	// Half a second, one, two and four.
	expect(clock.now() - before).toBeGreaterThanOrEqual(7500);
	suite.service.fail({ ...refusal, times: 5 });
	const { error } = await suite.run(use, tenants(1));
	expect(error?.message).toMatch(/\(Documenso asks to wait 0 s/);
	expect(lines(suite.service)).toHaveLength(12);
});

test('waits add up: the error says how long was waited, too', async () => {
	suite.service.fail({ match: 'POST *', status: 429, headers: { 'retry-after': '2' } });
	suite.service.fail({ match: 'POST *', status: 429, headers: { 'retry-after': '299' } });
	const { error } = await suite.run(use, tenants(1));
	expect(error?.message).toMatch(/\(Documenso asks to wait 299 s, after [23] s of waiting\)$/);
	expect(lines(suite.service)).toHaveLength(3);
});

test('a 429 without a time is a spent quota: an error at once, which says so', async () => {
	suite.service.fail({ match: 'POST *', times: 9, status: 429 });
	const { error } = await suite.run({ ...use, options: { maxInFlight: 1 } }, tenants(3));
	expect(error?.message).toBe('The monthly quota of the Documenso plan is used up');
	expect(error?.description).toContain('Wait until next month');
	expect(lines(suite.service)).toHaveLength(2);
});
