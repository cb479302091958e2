import { setTimeout as delay } from 'node:timers/promises';

import { WorkflowExpression, type INodeExecutionData } from 'n8n-workflow';
import { z } from 'zod';

import { DEMO_TOKEN } from '../../emulator';
import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { Documenso } from '../../nodes/Documenso/Documenso.node.ts';
import { resources } from '../../nodes/Documenso/resources';
import { DocumensoPollingTrigger } from '../../nodes/DocumensoPollingTrigger/DocumensoPollingTrigger.node';
import { clock } from '../../nodes/shared/api/clock';
import { hurry } from '../support/hurry';
import { beginExecution, documenso, execute, pollContext, retryCrashed } from '../support/n8n';
import { credentialFor, lines } from '../support/service';
import { emailsOf, fillFromRow, step, tenants, USE, useService, withId } from '../support/suite';

const suite = useService({ seed: 'demo', latencyMs: 40 });

const withMaxInFlight = (maxInFlight: unknown) => ({ ...fillFromRow, options: { maxInFlight } });

const creations = () => lines(suite.service).filter((line) => line === 'POST /envelope/use').length;

const getById = step('document.get', { documentId: '={{ $json.id }}' });

/** An execution that can be cancelled, once the service has received so many calls. */
async function begun(parameters: object, items: ReturnType<typeof tenants>, calls: number) {
	const node = documenso(parameters as never, { onError: 'continueRegularOutput' });
	const execution = beginExecution(credentialFor(suite.service), [node], items);
	while (suite.service.calls.length < calls) await delay(5);
	return execution;
}

describe('requests under way at once', () => {
	test('become more where there is room, but never more than 32', async () => {
		const { items } = await suite.run(fillFromRow, tenants(300));
		expect(new Set(items.map(({ json }) => json.id)).size).toBe(300);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
			tenants(300).map((_, item) => ({ item })),
		);
		expect(suite.service.maxInFlight).toBeGreaterThan(4);
		expect(suite.service.maxInFlight).toBeLessThanOrEqual(32);
		// The template is looked up once for all rows.
		expect(lines(suite.service)).toHaveLength(301);
	});

	test.each([1, 3, '={{ 3 }}'])('are at most %j when the user says so', async (most) => {
		await suite.run(withMaxInFlight(most), tenants(20));
		expect(creations()).toBe(20);
		expect(suite.service.maxInFlight).toBe(most === 1 ? 1 : 3);
	});

	test('are counted over the files of all items, too', async () => {
		const { id } = await suite.document();
		const settings = { version: 'original', options: { maxInFlight: 2 } };
		await suite.run(step('document.download', { documentId: id }, settings), tenants(6));
		expect(suite.service.maxInFlight).toBe(2);
		expect(lines(suite.service)).toHaveLength(12);
	});

	test("are those for a document's files, its certificate and its audit log", async () => {
		const { id } = await suite.document('createAndSend');
		await suite.complete(id);
		const options = { alsoDownload: ['certificate', 'audit-log'] };
		await suite.run(step('document.download', { documentId: id }, { version: 'signed', options }));
		expect(suite.service.maxInFlight).toBe(3);
	});

	test('start where the execution before left off', async () => {
		await suite.run(fillFromRow, tenants(300));
		await suite.service.reset();
		// A first execution would have two under way until four answers are there.
		await suite.run(fillFromRow, tenants(6));
		expect(suite.service.maxInFlight).toBeGreaterThan(2);
	});

	test('can be limited for every operation', () => {
		for (const { operations } of resources) {
			for (const { action, properties } of operations) {
				const options = properties.filter(({ name }) => name === 'options');
				const names = options.flatMap((one) => one.options?.map(({ name }) => name));
				const common = ['maxInFlight', 'rateLimitReserve'];
				// In the order of their labels, with the operation's own between them.
				const shared = names.filter((name) => common.includes(name ?? ''));
				expect([action, options.length, shared]).toEqual([action, 1, common]);
				// At the end, as in n8n's own nodes.
				expect([action, properties.at(-1)?.name]).toEqual([action, 'options']);
			}
		}
	});
});

describe.each([500, 502, 503])('when a service that nothing is known of answers %i', (status) => {
	hurry();

	const fresh = useService({ seed: 'demo', latencyMs: 40 });

	test('fewer are sent at once, and no row is lost', async () => {
		fresh.service.fail({ match: 'POST /envelope/use', times: 4, status, delayMs: 100 });
		const setup = { onError: 'continueRegularOutput' } as const;
		const { items } = await fresh.run(fillFromRow, tenants(8), setup);
		expect(items).toHaveLength(8);
		expect(items.filter(({ json }) => 'error' in json)).toHaveLength(4);
		// It begins with two, and goes down to one after the first refusal.
		expect(fresh.service.maxInFlight).toBeLessThanOrEqual(2);
	});
});

describe('cancelling an execution', () => {
	test('sends nothing more', async () => {
		const { run } = await begun(fillFromRow, tenants(300), 20);
		run.cancel();
		await run.catch(() => undefined);
		// What was sent before is still arriving.
		await delay(300);
		const calls = suite.service.calls.length;
		await delay(600);
		expect(suite.service.calls).toHaveLength(calls);
		expect(calls).toBeLessThan(60);
	});

	test('does not wait for the end of a pause that the service asked for', async () => {
		suite.service.fail({ status: 429, headers: { 'retry-after': '1' } });
		const { run } = await begun(fillFromRow, tenants(5), 1);
		await delay(100);
		run.cancel();
		await run.catch(() => undefined);
		await delay(1500);
		expect(lines(suite.service)).toEqual(['GET /envelope/envelope_rentalagreements']);
	});

	test('lets the other executions go on', async () => {
		const { run } = await begun(fillFromRow, tenants(300), 20);
		const other = suite.run(fillFromRow, tenants(60));
		run.cancel();
		await run.catch(() => undefined);
		expect((await other).items).toHaveLength(60);
	});
});

describe('a thousand rows', () => {
	const suite = useService({ seed: 'demo', rateLimit: { limit: 100_000, windowMs: 60_000 } });

	const THOUSAND = 1000;

	test('a thousand rows become a thousand documents, which are read and listed with few requests', async () => {
		const rows = tenants(THOUSAND).map(({ json }, row) => ({
			json: { ...json, 'External ID': `row-${row}` },
		}));
		const { items: made, error } = await suite.run(fillFromRow, rows);
		expect(error).toBeUndefined();
		expect(made.map(({ json }) => json.externalId)).toEqual(rows.map((_, row) => `row-${row}`));
		expect(new Set(made.map(({ json }) => json.id)).size).toBe(THOUSAND);
		expect(made.every(({ json }) => (json.recipients as unknown[]).length === 2)).toBe(true);
		expect(lines(suite.service).filter((line) => line === USE)).toHaveLength(THOUSAND);
		// Besides the template, the folders and the list, the newest documents are looked at every five seconds.
		expect(lines(suite.service).length).toBeLessThan(1.1 * THOUSAND);
		const most = suite.service.maxInFlight;
		expect(most).toBeLessThanOrEqual(32);

		suite.service.calls.length = 0;
		const { items: read } = await suite.run(getById, made);
		expect(read.map(({ json }) => json.id)).toEqual(made.map(({ json }) => json.id));
		const reads = lines(suite.service);
		expect(new Set(reads)).toEqual(new Set(['POST /envelope/get-many']));
		expect(reads).toHaveLength(THOUSAND / 20);

		suite.service.calls.length = 0;
		const list = { resource: 'document', operation: 'getAll', searchIn: 'root', returnAll: true };
		const { items: listed } = await suite.run(list);
		const ids = new Set(listed.map(({ json }) => json.id));
		expect(made.filter(({ json }) => !ids.has(json.id))).toEqual([]);
		expect(ids.size).toBe(listed.length);
		const pages = suite.service.calls.map(({ query }) => `${query.page} of ${query.perPage}`);
		const count = Math.ceil(listed.length / 100);
		expect(pages.sort()).toEqual(
			Array.from({ length: count }, (_, page) => `${page + 1} of 100`).sort(),
		);
		console.log(
			`${THOUSAND} rows: ${made.length} documents, ${1 + THOUSAND} requests; read by ID in ${reads.length} requests; ${listed.length} listed in ${count}`,
		);
	});

	test('an ID is worked out once an item, because n8n takes long for an expression', async () => {
		const { items: made } = await suite.run(fillFromRow, tenants(30));
		const evaluate = jest.spyOn(WorkflowExpression.prototype, 'resolveSimpleParameterValue');
		const { items: read } = await suite.run(getById, made);
		expect(read).toHaveLength(30);
		const evaluated = evaluate.mock.calls.map(([expression]) => expression);
		evaluate.mockRestore();
		expect(evaluated.filter((expression) => expression === '={{ $json.id }}')).toHaveLength(30);
	});
});

describe('the rate limit', () => {
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
		const { items, error } = await suite.run(fillFromRow, rows);
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
			suite.run(fillFromRow, rows.slice(0, 2 * LIMIT)),
			suite.run(fillFromRow, rows.slice(2 * LIMIT)),
		]);
		expect([one.error, other.error]).toEqual([undefined, undefined]);
		expect(emails().sort()).toEqual(emailsOf(rows).sort());
		expect(refused().length).toBeLessThanOrEqual(1);
	});

	test('a 429 is waited out by all items together, to the second', async () => {
		suite.service.fail({ match: 'POST *', status: 429, headers: { 'retry-after': '2' } });
		const before = clock.now();
		const { items } = await suite.run(fillFromRow, tenants(10));
		expect(items).toHaveLength(10);
		// What was under way is answered; nothing is sent before the two seconds are over.
		expect(clock.now() - before).toBeGreaterThanOrEqual(2000);
		expect(lines(suite.service)).toHaveLength(12);
		expect(new Set(emails()).size).toBe(10);
	});

	test('a pause that is too long is an error at once, with the time in its message', async () => {
		suite.service.fail({
			match: 'POST *',
			times: 9,
			status: 429,
			headers: { 'retry-after': '900' },
		});
		const { error } = await suite.run(fillFromRow, tenants(3));
		expect(error?.message).toContain('(Documenso asks to wait 900 s)');
		expect(error?.description).toContain('waits at most 300 seconds for each request');
		expect(lines(suite.service).length).toBeLessThanOrEqual(4);
	});

	test('four 429s that ask to wait no time are waited out, a little longer each time; the fifth is final', async () => {
		const refusal = { match: 'POST *', status: 429, headers: { 'retry-after': '0' } };
		suite.service.fail({ ...refusal, times: 4 });
		const before = clock.now();
		const { items } = await suite.run(fillFromRow, tenants(1));
		expect(items).toHaveLength(1);
		// Half a second, one, two and four.
		expect(clock.now() - before).toBeGreaterThanOrEqual(7500);
		suite.service.fail({ ...refusal, times: 5 });
		const { error } = await suite.run(fillFromRow, tenants(1));
		expect(error?.message).toMatch(/\(Documenso asks to wait 0 s/);
		expect(lines(suite.service)).toHaveLength(12);
	});

	test('waits add up: the error says how long was waited, too', async () => {
		suite.service.fail({ match: 'POST *', status: 429, headers: { 'retry-after': '2' } });
		suite.service.fail({ match: 'POST *', status: 429, headers: { 'retry-after': '299' } });
		const { error } = await suite.run(fillFromRow, tenants(1));
		expect(error?.message).toMatch(/\(Documenso asks to wait 299 s, after [23] s of waiting\)$/);
		expect(lines(suite.service)).toHaveLength(3);
	});

	test('a 429 without a time is a spent quota: an error at once, which says so', async () => {
		const body = { error: 'Fair use' };
		suite.service.fail({ match: 'POST *', times: 9, status: 429, body });
		const { error } = await suite.run({ ...fillFromRow, options: { maxInFlight: 1 } }, tenants(3));
		expect(error?.message).toBe('The monthly quota of the Documenso plan is used up');
		expect(error?.httpCode).toBe('429');
		expect(error?.description).toContain('Wait until next month');
		expect(error?.description).toContain('Documenso says: Fair use.');
		expect(lines(suite.service)).toHaveLength(2);
	});
});

describe('several senders', () => {
	hurry();

	/** Several senders at one service. Time is hurried: a window takes a tenth of this. */
	const LIMIT = 400;

	const options = {
		seed: 'demo',
		latencyMs: 50,
		rateLimit: { limit: LIMIT, windowMs: 60_000 },
	} as const;

	const refusedAt = ({ service }: ReturnType<typeof useService>) =>
		service.calls.filter(({ status }) => status === 429).length;

	const creationsAt = ({ service }: ReturnType<typeof useService>) =>
		lines(service).filter((line) => line === 'POST /envelope/use').length;

	describe('executions in one process', () => {
		const suite = useService({ ...options, rateLimit: { limit: 1000, windowMs: 40_000 } });

		test('have as many requests under way together as one has, and are hardly ever refused', async () => {
			const rows = tenants(2000);
			const runs = await Promise.all(
				[0, 1, 2, 3, 4].map(
					async (place) => await suite.run(fillFromRow, rows.slice(place * 400, place * 400 + 400)),
				),
			);
			expect(runs.map(({ error }) => error)).toEqual(runs.map(() => undefined));
			expect(suite.tenantEmails()).toEqual(emailsOf(rows).sort());
			expect(suite.service.maxInFlight).toBeLessThanOrEqual(32);
			expect(refusedAt(suite)).toBeLessThanOrEqual(5);
			console.log(`5 × 400 rows: ${suite.service.maxInFlight} at once, ${refusedAt(suite)} × 429`);
		});
	});

	describe('another program', () => {
		const suite = useService(options);

		/** Sends requests at an even pace for as long as the work takes; returns the statuses of the answers. */
		async function during(work: Promise<unknown>, perWindow: number) {
			const state = { isOver: false };
			void work.finally(() => (state.isOver = true));
			const answers: Array<Promise<number>> = [];
			const url = `${suite.service.url}/api/v2/envelope/${RENTAL_AGREEMENT.id}`;
			const begunAt = clock.uptime();
			const due = () => ((clock.uptime() - begunAt) * perWindow) / options.rateLimit.windowMs;
			while (!state.isOver) {
				// What a busy machine delays is sent late, not left out.
				while (answers.length < due()) {
					answers.push(
						fetch(url, { headers: { authorization: DEMO_TOKEN } }).then(async (answer) => {
							await answer.text();
							return answer.status;
						}),
					);
				}
				await delay(1);
			}
			return await Promise.all(answers);
		}

		test('that uses half of the rate limit is answered while the node fills in many rows', async () => {
			// A window begins with both: in the middle of one, the other program would look slower than it is.
			await clock.sleep(options.rateLimit.windowMs - (clock.now() % options.rateLimit.windowMs));
			const run = suite.run(fillFromRow, tenants(500));
			const statuses = await during(run, LIMIT / 2);
			const answered = statuses.filter((status) => status === 200).length;
			expect((await run).items).toHaveLength(500);
			// All of them on a quiet machine; a third if the node left nothing to others.
			expect(answered / statuses.length).toBeGreaterThanOrEqual(0.8);
			console.log(`beside 500 rows: ${answered} of ${statuses.length} calls answered`);
		});
	});

	describe('the reserve', () => {
		const suite = useService({ seed: 'demo', rateLimit: { limit: 200, windowMs: 60_000 } });

		/** A window begins with the test, and time is not hurried, so that no window ends during it. */
		beforeEach(() => {
			const begunAt = performance.now();
			const start = Date.parse('2026-01-01T00:00:00Z');
			jest.spyOn(clock, 'now').mockImplementation(() => start + performance.now() - begunAt);
		});
		afterEach(() => jest.restoreAllMocks());

		test('is not taken by many rows: they wait for the next window, and a poll and a single row do not', async () => {
			const node = documenso(fillFromRow);
			const { run } = beginExecution(credentialFor(suite.service), [node], tenants(300));
			while (suite.service.calls.length < 180) await delay(10);
			await delay(500);
			expect(suite.service.calls).toHaveLength(180);
			const parameters = { events: ['DOCUMENT_COMPLETED'] };
			const { context } = pollContext(credentialFor(suite.service), parameters);
			await new DocumensoPollingTrigger().poll.call(context);
			expect(suite.service.calls.length).toBeGreaterThan(180);
			expect((await suite.run(fillFromRow, tenants(1))).items).toHaveLength(1);
			expect(refusedAt(suite)).toBe(0);
			run.cancel();
			await run.catch(() => undefined);
			await delay(100);
			expect(creationsAt(suite)).toBe(179 + 1);
		});
	});
});

describe('turns', () => {
	hurry();

	const suite = useService({ seed: 'demo', rateLimit: { limit: 100_000, windowMs: 60_000 } });

	const ROWS = 600;

	/** How many values have been read, of inputs and of answers. */
	let read = 0;

	const { _parseSync: parse } = z.ZodType.prototype;

	beforeAll(() => {
		z.ZodType.prototype._parseSync = function (...given) {
			read++;
			return parse.apply(this, given);
		};
	});

	afterAll(() => {
		z.ZodType.prototype._parseSync = parse;
	});

	/** The largest part of the work that was done before n8n's process came to anything else: 0.5 for a half. */
	async function largestPart(work: () => Promise<unknown>) {
		const before = read;
		let [most, seen, isOver] = [0, read, false];
		const turn = () => {
			most = Math.max(most, read - seen);
			seen = read;
			if (!isOver) setImmediate(turn);
		};
		turn();
		await work();
		isOver = true;
		turn();
		expect(read - before).toBeGreaterThanOrEqual(ROWS);
		return most / (read - before);
	}

	const rows = (count = ROWS): INodeExecutionData[] =>
		tenants(count).map(({ json }, index) => ({ json: { ...json, id: `row-${index}` } }));
	const skip = withId({ ifExternalIdExists: 'skip' });

	describe('many rows leave n8n time for everything else', () => {
		test('while they are checked', async () => {
			const [like] = rows(1);
			const last = { json: { ...like?.json, 'Tenant email': 'nobody', id: 'last' } };
			const part = await largestPart(async () => {
				const { error } = await suite.run(skip, [...rows(), last]);
				expect(error?.message).toBe(
					`'Tenant email' is not an email address: "nobody" [item ${ROWS}]`,
				);
			});
			expect(part).toBeLessThan(0.25);
		});

		test('when none of them can be used', async () => {
			const bad = rows().map(({ json }) => ({ json: { ...json, 'Tenant email': 'nobody' } }));
			for (const onError of [undefined, 'continueRegularOutput'] as const) {
				const part = await largestPart(async () => await suite.run(skip, bad, { onError }));
				expect(part).toBeLessThan(0.25);
			}
		});

		test('while they are created, and while their documents are found again', async () => {
			for (const isThere of [false, true]) {
				const part = await largestPart(async () => {
					const { items } = await suite.run(skip, rows());
					const existed = items.filter(({ json }) => json.alreadyExisted === true);
					expect(existed).toHaveLength(isThere ? ROWS : 0);
				});
				expect(part).toBeLessThan(0.25);
			}
		});

		test('while a retry finds what the crashed execution has created', async () => {
			const credential = credentialFor(suite.service);
			const nodes = [documenso(fillFromRow)];
			const crashed = await execute(credential, nodes, rows());
			const part = await largestPart(
				async () => await retryCrashed(credential, nodes, rows(), crashed),
			);
			expect(part).toBeLessThan(0.25);
			expect(suite.documents()).toHaveLength(ROWS);
		});

		test('while they are read by ID', async () => {
			const wrong = rows(10 * ROWS).map(({ json: { id } }) => ({ json: { id } }));
			const setup = { onError: 'continueRegularOutput' } as const;
			const part = await largestPart(async () => await suite.run(getById, wrong, setup));
			expect(part).toBeLessThan(0.5);
			expect(lines(suite.service)).toEqual([]);
		});
	});

	describe('a cancelled execution', () => {
		const execution = (items: INodeExecutionData[]) => {
			const { run } = beginExecution(credentialFor(suite.service), [documenso(skip)], items);
			return { run, ended: run.then(() => 'ended').catch(() => 'cancelled') };
		};
		let node: jest.SpyInstance<ReturnType<Documenso['execute']>>;
		beforeEach(() => {
			node = jest.spyOn(Documenso.prototype, 'execute');
		});
		afterEach(() => {
			node.mockRestore();
		});
		/** How the node itself ended: n8n goes on at once. */
		const endOf = async (run: number) =>
			await (node.mock.results[run]?.value as Promise<unknown>).then(
				() => 'done',
				() => 'ended',
			);
		const until = async (isSo: () => boolean) => {
			while (!isSo()) await clock.sleep(20);
		};

		test('checks no more rows', async () => {
			const many = 20 * ROWS;
			const before = read;
			const { run, ended } = execution(rows(many));
			await until(() => read > before + ROWS);
			run.cancel();
			expect(await endOf(0)).toBe('ended');
			expect(read - before).toBeLessThan(many);
			await ended;
		});

		test('does not wait until another has done the same rows', async () => {
			suite.service.fail({ match: 'POST /envelope/use', delayMs: 20_000 });
			const first = execution(rows(1));
			await until(() => suite.calls('POST /envelope/use').length === 1);
			const second = execution(rows(1));
			await until(() => node.mock.calls.length === 2);
			await clock.sleep(1000);
			second.run.cancel();
			const sooner = await Promise.race([endOf(1), first.ended.then(() => 'the other ended')]);
			expect(sooner).toBe('ended');
			first.run.cancel();
			await first.ended;
		});
	});
});
