import { setTimeout as delay } from 'node:timers/promises';

import { clock } from '../../nodes/shared/api/clock';
import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { DEMO_TOKEN } from '../../emulator';
import { DocumensoPollingTrigger } from '../../nodes/DocumensoPollingTrigger/DocumensoPollingTrigger.node';
import { beginExecution, documenso, pollContext } from '../support/n8n';
import { credentialFor, lines } from '../support/service';
import { emailsOf, fillFromRow as use, tenants, useService } from '../support/suite';
import { hurry } from '../support/hurry';

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
				async (place) => await suite.run(use, rows.slice(place * 400, place * 400 + 400)),
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
		while (!state.isOver) {
			answers.push(
				fetch(url, { headers: { authorization: DEMO_TOKEN } }).then(async (answer) => {
					await answer.text();
					return answer.status;
				}),
			);
			// This timer runs in real time.
			await delay(options.rateLimit.windowMs / 10 / perWindow);
		}
		return await Promise.all(answers);
	}

	test('that uses half of the rate limit is answered while the node fills in many rows', async () => {
		const run = suite.run(use, tenants(500));
		const statuses = await during(run, LIMIT / 2);
		const answered = statuses.filter((status) => status === 200).length;
		expect((await run).items).toHaveLength(500);
		// All of them on a quiet machine; a third if the node left nothing to others.
		expect(answered / statuses.length).toBeGreaterThanOrEqual(0.8);
		console.log(`beside 500 rows: ${answered} of ${statuses.length} calls answered`);
	});
});

describe('the reserve', () => {
	/** The clock begins with the tests, so that no window ends during one of them. */
	let start = 0;
	beforeAll(() => {
		start = Date.parse('2026-01-01T00:00:00Z') - clock.now();
	});
	const suite = useService({
		seed: 'demo',
		rateLimit: { limit: 200, windowMs: 60_000 },
		clock: () => new Date(start + clock.now()),
	});

	test('is not taken by many rows: they wait for the next window, and a poll and a single row do not', async () => {
		const node = documenso(use);
		const { run } = beginExecution(credentialFor(suite.service), [node], tenants(300));
		while (suite.service.calls.length < 180) await delay(10);
		await delay(500);
		expect(suite.service.calls).toHaveLength(180);
		const parameters = { events: ['DOCUMENT_COMPLETED'] };
		const { context } = pollContext(credentialFor(suite.service), parameters);
		await new DocumensoPollingTrigger().poll.call(context);
		expect(suite.service.calls.length).toBeGreaterThan(180);
		expect((await suite.run(use, tenants(1))).items).toHaveLength(1);
		expect(refusedAt(suite)).toBe(0);
		run.cancel();
		await run.catch(() => undefined);
		await delay(100);
		expect(creationsAt(suite)).toBe(179 + 1);
	});
});
