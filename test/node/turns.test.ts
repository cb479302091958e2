import type { INodeExecutionData } from 'n8n-workflow';
import { z } from 'zod';

import { clock } from '../../nodes/shared/api/clock';
import { Documenso } from '../../nodes/Documenso/Documenso.node.ts';
import { beginExecution, documenso, execute, retryCrashed } from '../support/n8n';
import { credentialFor, lines } from '../support/service';
import { byId, fillFromRow, tenants, useService, withId } from '../support/suite';
import { hurry } from '../support/hurry';

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
		const get = { resource: 'document', operation: 'get', documentId: byId('={{ $json.id }}') };
		const setup = { onError: 'continueRegularOutput' } as const;
		const part = await largestPart(async () => await suite.run(get, wrong, setup));
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
