import type { IDataObject, INodeExecutionData, IRun } from 'n8n-workflow';

import { clock } from '../../nodes/shared/api/clock';
import type { Passed, Reply } from '../../emulator';
import { documenso, execute, itemWith, retryCrashed, retryExecution } from '../support/n8n';
import { pdf } from '../support/pdf';
import { credentialFor } from '../support/service';
import {
	createAndSend,
	emailsOf,
	fillFromRow as use,
	mapped,
	tenants,
	USE,
	useService,
} from '../support/suite';
import { hurry } from '../support/hurry';

hurry();

// Executions, rounds and nodes that may take each other's documents for their own, or create them once more.
const suite = useService({ seed: 'demo', rateLimit: { limit: 1_000_000, windowMs: 60_000 } });
const { documents } = suite;

const CREATE = 'POST /envelope/create';
const SEND = 'POST /envelope/distribute';
/** How long nothing is created again after an unknown outcome, in milliseconds. */
const AGE = 120_000;
const REFUSAL: Reply = {
	status: 400,
	headers: { 'content-type': 'application/json' },
	body: '{"message":"No","code":"BAD_REQUEST","data":{"code":"INVALID_BODY","httpStatus":400}}',
};
const LOST: Reply = { status: 504, body: '' };

const outputsOf = ({ data }: IRun, name = 'Documenso') =>
	(data.resultData.runData[name]?.at(-1)?.data?.main?.[0] ?? []).map(({ json }) => json);
const idsOf = (outputs: IDataObject[]) => outputs.map(({ id }) => id);
const faultOf = ({ data }: IRun) => data.resultData.error;
const all = ({ message, description }: { message?: string; description?: string | null } = {}) =>
	`${message} ${description}`;

const tenantOf = (id: unknown) =>
	documents().find((document) => document.id === id)?.recipients[0]?.email;

/** The number of the tenant whom a request is about. */
const rowIn = (text: string) => Number(/tenant(\d+)@/.exec(text)?.[1]);

test('two retries of one execution at once send each row once, and return the same documents', async () => {
	const rows = tenants(12);
	const state = { isFirst: true };
	suite.service.intercept(USE, async ({ text, pass }) => {
		const row = rowIn(text);
		if (state.isFirst && row === 2) return REFUSAL;
		const answer = await pass();
		if (row % 2 === 0) await clock.sleep(2000);
		return answer;
	});
	const node = documenso({ ...use, options: { maxInFlight: 3 } });
	const failed = await execute(credentialFor(suite.service), [node], rows);
	expect(all(faultOf(failed))).toContain('No');
	expect(documents().length).toBeLessThan(rows.length);
	state.isFirst = false;

	const retries = await Promise.all([
		retryExecution(credentialFor(suite.service), [node], failed),
		retryExecution(credentialFor(suite.service), [node], failed),
	]);
	expect(suite.tenantEmails()).toEqual(emailsOf(rows).sort());
	for (const retry of retries) {
		expect(faultOf(retry)).toBeUndefined();
		expect(idsOf(outputsOf(retry)).map(tenantOf)).toEqual(emailsOf(rows));
	}
	expect(documents().map(({ status }) => status)).toEqual(rows.map(() => 'PENDING'));
});

describe('an answer to a creation that holds only an ID, and that of another document', () => {
	async function files(count: number) {
		return await Promise.all(
			tenants(count).map(
				async (_, row) => await itemWith({ data: { content: await pdf() } }, { row }),
			),
		);
	}
	const email = '=tenant{{ $json.row }}@example.com';
	const recipients = { recipient: [{ email, name: 'Tenant', role: 'SIGNER' }] };
	const parameters = { ...createAndSend, recipients };

	/** The answers to the first and the second row are swapped, once. */
	function swap() {
		const waiting: Array<{ answer: Passed; take(answer: Passed): void }> = [];
		suite.service.intercept(CREATE, async ({ text, pass }) => {
			if (rowIn(text) > 1 || waiting.length === 2) return undefined;
			const answer = await pass();
			return await new Promise<Passed>((take) => {
				waiting.push({ answer, take });
				const [one, other] = waiting;
				if (!one || !other) return;
				one.take(other.answer);
				other.take(one.answer);
			});
		});
	}

	test('fails the items whose answers were swapped, and a retry gives each its own', async () => {
		swap();
		const node = documenso(parameters);
		const failed = await execute(credentialFor(suite.service), [node], await files(3));
		const own = (row: number) =>
			documents().find(({ recipients: [first] }) => first?.email === `tenant${row}@example.com`);
		expect(outputsOf(failed)).toEqual([]);
		// The first of the two ends the execution.
		const ids = [0, 1].map((row) => own(row)?.externalId ?? '');
		expect(ids.filter((id) => all(faultOf(failed)).includes(id))).toHaveLength(1);

		const retry = await retryExecution(credentialFor(suite.service), [node], failed);
		expect(faultOf(retry)).toBeUndefined();
		expect(idsOf(outputsOf(retry))).toEqual([0, 1, 2].map((row) => own(row)?.id));
		expect(documents().map(({ status }) => status)).toEqual(Array(3).fill('PENDING'));
		expect(suite.calls(SEND)).toHaveLength(3);
	});

	test('fails only these items with Continue On Fail', async () => {
		swap();
		const continued = { onError: 'continueRegularOutput' } as const;
		const { items } = await suite.run(parameters, await files(3), continued);
		const outputs = items.map(({ json }) => json);
		expect(idsOf(outputs).map(tenantOf)).toEqual([undefined, undefined, 'tenant2@example.com']);
		for (const [row, { details }] of outputs.slice(0, 2).entries()) {
			const { externalId } = details as IDataObject;
			const named = documents().find((one) => one.externalId === externalId);
			expect(tenantOf(named?.id)).toBe(`tenant${row}@example.com`);
		}
	});

	test('does not keep that document from its own item, whose answer is lost', async () => {
		const state: { other?: Passed; isCreated(): void; isSent(): void } = {
			isCreated: () => undefined,
			isSent: () => undefined,
		};
		const created = new Promise<void>((resolve) => (state.isCreated = resolve));
		const sent = new Promise<void>((resolve) => (state.isSent = resolve));
		suite.service.intercept(CREATE, async ({ text, pass }) => {
			const answer = await pass();
			if (rowIn(text) === 0) {
				await created;
				return state.other;
			}
			state.other = answer;
			state.isCreated();
			await sent;
			return LOST;
		});
		suite.service.intercept(SEND, async ({ pass }) => {
			const answer = await pass();
			state.isSent();
			return answer;
		});
		const continued = { onError: 'continueRegularOutput' } as const;
		const { items } = await suite.run(parameters, await files(2), continued);
		const ids = items.map(({ json }) => json.id);
		expect(ids.map(tenantOf)).toEqual([undefined, 'tenant1@example.com']);
	});

	test.each([true, false])(
		'is not returned if an earlier execution created it for somebody else (carried out: %s)',
		async (isCarriedOut) => {
			const state: { first?: Passed } = {};
			suite.service.intercept(CREATE, async ({ pass }) => {
				if (!state.first) return (state.first = await pass());
				if (isCarriedOut) await pass();
				return state.first;
			});
			const [one, other] = (await files(2)) as [INodeExecutionData, INodeExecutionData];
			const earlier = await suite.run(parameters, [one]);
			const { items, error } = await suite.run(parameters, [other]);
			expect(earlier.items[0]?.json.id).toBe(documents()[0]?.id);
			expect(items).toEqual([]);
			expect(all(error)).toContain('External ID');
			expect(documents()).toHaveLength(isCarriedOut ? 2 : 1);
		},
	);
});

test('two nodes whose IDs begin alike have documents of their own, if the answers to the second are lost', async () => {
	const rows = tenants(4);
	const columns = mapped({ 'Tenant email': '=tenant{{ $itemIndex }}@example.com' });
	const nodes = ['First', 'Second'].map((name) => ({
		...documenso({ ...use, columns }, { name }),
		id: `00000000-${name}`,
	}));
	const state = { requests: 0 };
	suite.service.intercept(USE, async ({ pass }) => {
		state.requests += 1;
		if (state.requests <= rows.length) return undefined;
		await pass();
		return LOST;
	});
	const run = await execute(credentialFor(suite.service), nodes, rows);
	expect(faultOf(run)).toBeUndefined();
	const both = [...outputsOf(run, 'First'), ...outputsOf(run, 'Second')];
	expect(idsOf(both).map(tenantOf)).toEqual([...emailsOf(rows), ...emailsOf(rows)]);
	expect(new Set(idsOf(both)).size).toBe(2 * rows.length);
	expect(documents()).toHaveLength(2 * rows.length);
});

describe('a loop of six rounds that ended in the third', () => {
	const TURNS = 6;
	const rows = tenants(3);
	const node = documenso(use);

	/** The third round fails at its second row. */
	async function ended(reply: Reply) {
		const state = { requests: 0 };
		suite.service.intercept(USE, ({ text }) => {
			if (rowIn(text) !== 1) return undefined;
			state.requests += 1;
			return state.requests === 3 ? reply : undefined;
		});
		const failed = await execute(credentialFor(suite.service), [node], rows, TURNS);
		expect(failed.data.resultData.runData[node.name]).toHaveLength(3);
		expect(documents().length).toBeLessThan(3 * rows.length);
		return failed;
	}

	test.each([
		['Retry', REFUSAL],
		['Retry after a lost answer', LOST],
		['Retry after n8n was killed', REFUSAL],
	])('is finished by one %s, which waits two minutes in all', async (how, reply) => {
		const failed = await ended(reply);
		// The rounds that it has not reached are in doubt since the retry begins, later than the lost answer.
		await clock.sleep(20_000);
		const begunAt = clock.now();
		const retry =
			how === 'Retry after n8n was killed'
				? await retryCrashed(credentialFor(suite.service), [node], rows, failed, { turns: TURNS })
				: await retryExecution(credentialFor(suite.service), [node], failed);
		expect(faultOf(retry)).toBeUndefined();
		// A second wait would make it longer.
		expect(clock.now() - begunAt).toBeLessThan(1.7 * AGE);
		const rounds = retry.data.resultData.runData[node.name] ?? [];
		expect(rounds).toHaveLength(TURNS);
		const ids = rounds.flatMap(({ data }) => data?.main?.[0]?.map(({ json }) => json.id) ?? []);
		expect(ids.map(tenantOf)).toEqual(Array.from({ length: TURNS }, () => emailsOf(rows)).flat());
		expect(new Set(ids)).toEqual(new Set(documents().map(({ id }) => id)));
		expect(documents()).toHaveLength(TURNS * rows.length);
		expect(documents().map(({ status }) => status)).toEqual(
			Array(TURNS * rows.length).fill('PENDING'),
		);
	});
});

test('rows that got External IDs after n8n was killed are not sent again: the error names their documents', async () => {
	const rows = tenants(4);
	const state = { isKilled: true };
	suite.service.intercept(USE, ({ text }) =>
		state.isKilled && rowIn(text) > 1 ? REFUSAL : undefined,
	);
	// What an execution remembers is gone when n8n is killed.
	const killed = await execute(credentialFor(suite.service), [documenso(use)], rows);
	const made = documents().map(({ id }) => id);
	expect(made.map(tenantOf).sort()).toEqual(emailsOf(rows).slice(0, 2));
	state.isKilled = false;

	const skip = { ...use, additionalFields: { ifExternalIdExists: 'skip' } };
	const changed = documenso(skip, { onError: 'continueRegularOutput' });
	const renamed = rows.map(({ json }, row) => ({ json: { ...json, 'External ID': `E-${row}` } }));
	const retry = await retryCrashed(credentialFor(suite.service), [changed], renamed, killed);
	expect(suite.tenantEmails()).toEqual(emailsOf(rows).sort());
	const outputs = outputsOf(retry);
	for (const [row, { details }] of outputs.slice(0, 2).entries()) {
		const { documentIds } = details as { documentIds: string[] };
		expect(documentIds.map(tenantOf)).toEqual([`tenant${row}@example.com`]);
	}
	expect(outputs.slice(2).map(({ externalId }) => externalId)).toEqual(['E-2', 'E-3']);
});
