import { setTimeout as delay } from 'node:timers/promises';

import { resources } from '../../nodes/Documenso/resources';
import { beginExecution, documenso } from '../support/n8n';
import { credentialFor, lines } from '../support/service';
import { byId, fillFromRow as use, tenants, useService } from '../support/suite';

const suite = useService({ seed: 'demo', latencyMs: 40 });

const withMaxInFlight = (maxInFlight: unknown) => ({ ...use, options: { maxInFlight } });
const creations = () => lines(suite.service).filter((line) => line === 'POST /envelope/use').length;

/** An execution that can be cancelled, once the service has received so many calls. */
async function begun(parameters: object, items: ReturnType<typeof tenants>, calls: number) {
	const node = documenso(parameters as never, { onError: 'continueRegularOutput' });
	const execution = beginExecution(credentialFor(suite.service), [node], items);
	while (suite.service.calls.length < calls) await delay(5);
	return execution;
}

describe('requests under way at once', () => {
	test('become more where there is room, but never more than 32', async () => {
		const { items } = await suite.run(use, tenants(300));
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

	test.each([0, -1, 1.5, '={{ "many" }}'])('cannot be %j', async (most) => {
		const { error } = await suite.run(withMaxInFlight(most), tenants(2));
		expect(error?.message).toMatch(/^'Options > Max Concurrent Requests' /);
		expect(lines(suite.service)).toEqual([]);
	});

	test('are counted over the files of all items, too', async () => {
		const { id } = await suite.document();
		const versions = { resource: 'document', operation: 'download', version: 'original' };
		const parameters = { ...versions, documentId: byId(id), options: { maxInFlight: 2 } };
		await suite.run(parameters, tenants(6));
		expect(suite.service.maxInFlight).toBe(2);
		expect(lines(suite.service)).toHaveLength(12);
	});

	test("are those for a document's files, its certificate and its audit log", async () => {
		const { id } = await suite.document('createAndSend');
		await suite.complete(id);
		await suite.run({
			resource: 'document',
			operation: 'download',
			version: 'signed',
			documentId: byId(id),
			options: { alsoDownload: ['certificate', 'audit-log'] },
		});
		expect(suite.service.maxInFlight).toBe(3);
	});

	test('start where the execution before left off', async () => {
		await suite.run(use, tenants(300));
		await suite.service.reset();
		// A first execution would begin with two; this one begins with all six.
		await suite.run(use, tenants(6));
		expect(suite.service.maxInFlight).toBe(6);
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
	const fresh = useService({ seed: 'demo', latencyMs: 40 });

	test('fewer are sent at once, and no row is lost', async () => {
		fresh.service.fail({ match: 'POST /envelope/use', times: 4, status, delayMs: 100 });
		const setup = { onError: 'continueRegularOutput' } as const;
		const { items } = await fresh.run(use, tenants(8), setup);
		expect(items).toHaveLength(8);
		expect(items.filter(({ json }) => 'error' in json)).toHaveLength(4);
		// It begins with two, and goes down to one after the first refusal.
		expect(fresh.service.maxInFlight).toBeLessThanOrEqual(2);
	});
});

describe('cancelling an execution', () => {
	test('sends nothing more', async () => {
		const { run } = await begun(use, tenants(300), 20);
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
		const { run } = await begun(use, tenants(5), 1);
		await delay(100);
		run.cancel();
		await run.catch(() => undefined);
		await delay(1500);
		expect(lines(suite.service)).toEqual(['GET /envelope/envelope_rentalagreements']);
	});

	test('lets the other executions go on', async () => {
		const { run } = await begun(use, tenants(300), 20);
		const other = suite.run(use, tenants(60));
		run.cancel();
		await run.catch(() => undefined);
		expect((await other).items).toHaveLength(60);
	});
});
