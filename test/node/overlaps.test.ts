import type { INodeExecutionData } from 'n8n-workflow';

import { clock } from '../../nodes/shared/api/clock';
import { DEMO_TEAM, DEMO_TOKEN, DEMO_USER } from '../../emulator/options';
import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { call, form, signer } from '../emulator/api';
import { refusal } from '../support/refusal';
import { beginExecution, documenso, itemWith } from '../support/n8n';
import { pdf } from '../support/pdf';
import { credentialFor } from '../support/service';
import { contract, fillFromRow as use, tenants, USE, useService } from '../support/suite';
import { hurry } from '../support/hurry';

hurry();

const OTHER_TOKEN = 'api_other';
/** Its team has an address, and therefore lists documents of other teams. */
const ADDRESS_TOKEN = 'api_address';
const STRANGER_TOKEN = 'api_stranger';
const THIRD_TEAM = { id: 3, url: 'third', name: 'Third' };
const suite = useService({
	seed: 'demo',
	rateLimit: { limit: 1_000_000, windowMs: 60_000 },
	tokens: [
		{ token: DEMO_TOKEN, user: DEMO_USER, team: DEMO_TEAM },
		{ token: OTHER_TOKEN, user: DEMO_USER, team: { id: 2, url: 'other', name: 'Other' } },
		{
			token: ADDRESS_TOKEN,
			user: DEMO_USER,
			team: { ...THIRD_TEAM, email: 'tenant0@example.com' },
		},
		{
			token: STRANGER_TOKEN,
			user: { id: 99, name: 'Stranger', email: 'stranger@example.com' },
			team: { id: 77, url: 'strangers', name: 'Strangers' },
		},
	],
});

const rowsOf = (count: number) =>
	tenants(count).map(({ json }, row) => ({ json: { ...json, 'External ID': `C-${row}` } }));
const operation = (ifExternalIdExists: string, maxInFlight = 32) =>
	documenso({ ...use, additionalFields: { ifExternalIdExists }, options: { maxInFlight } });
const ids = () => suite.service.store.documents.map(({ externalId }) => externalId).sort();

function begin(node: ReturnType<typeof operation>, rows: INodeExecutionData[], token = DEMO_TOKEN) {
	const credential = credentialFor(suite.service, { apiToken: token });
	const { run } = beginExecution(credential, [node], rows);
	return run.then(({ data: { resultData } }) => ({
		error: resultData.error as (Error & { description?: string }) | undefined,
		items: resultData.runData[node.name]?.[0]?.data?.main?.[0] ?? [],
	}));
}

/** In milliseconds: an execution that waits for a claim which is never released would wait for ever. */
const SOON = 10_000;

describe('two executions with the same rows, which overlap', () => {
	test.each([0, 1, 20, 100, 400, 1500, 4000])(
		'under Skip make one document a row, the second one begun %i ms later',
		async (offset) => {
			suite.service.fail({ match: USE, times: 80, delayMs: 10 });
			const rows = rowsOf(40);
			const first = begin(operation('skip', 4), rows);
			await clock.sleep(offset);
			const second = begin(operation('skip', 4), [...rows].reverse());
			const outputs = [await first, await second];
			expect(outputs.map(({ error }) => error)).toEqual([undefined, undefined]);
			expect(ids()).toEqual(rows.map(({ json }) => json['External ID']).sort());
			for (const { items } of outputs) {
				const found = new Set(items.map(({ json }) => json.id));
				expect(found.size).toBe(40);
			}
			const existed = outputs.flatMap(({ items }) =>
				items.filter(({ json }) => json.alreadyExisted === true),
			);
			expect(existed).toHaveLength(40);
		},
		SOON,
	);

	test(
		'in opposite order and one item at a time do not wait for each other forever',
		async () => {
			const rows = rowsOf(10);
			const runs = [rows, [...rows].reverse(), rows.slice(5), rows].map(
				async (some) => await begin(operation('skip', 1), some),
			);
			for (const run of runs) expect((await run).error).toBeUndefined();
			expect(ids()).toHaveLength(10);
		},
		SOON,
	);

	test(
		'create nothing any more when they are cancelled while they wait',
		async () => {
			suite.service.fail({ match: USE, delayMs: 500, ...refusal('No') });
			const first = begin(operation('skip'), rowsOf(1));
			await clock.sleep(500);
			const { run } = beginExecution(credentialFor(suite.service), [operation('skip')], rowsOf(1));
			await clock.sleep(500);
			run.cancel();
			await run.catch(() => undefined);
			expect(ids()).toEqual([]);
			await first;
			await clock.sleep(3000);
			expect(ids()).toEqual([]);
		},
		SOON,
	);

	test(
		'under Fail: the second fails, and the error names the document',
		async () => {
			suite.service.fail({ match: USE, delayMs: 100 });
			const first = begin(operation('fail'), rowsOf(1));
			const second = begin(operation('fail'), rowsOf(1));
			const { items } = await first;
			const { error } = await second;
			expect(error?.message).toBe(
				`'External ID' is "C-0", which the document ${items[0]?.json.id as string} (pending) already has [item 0]`,
			);
			expect(ids()).toEqual(['C-0']);
		},
		SOON,
	);

	test(
		'when the first fails, the second creates what it could not',
		async () => {
			suite.service.fail({ match: USE, ...refusal('No'), delayMs: 100 });
			const first = begin(operation('skip', 1), rowsOf(5));
			const second = begin(operation('skip', 1), rowsOf(5));
			expect((await first).error?.message).toContain('No');
			expect((await second).error).toBeUndefined();
			expect(ids()).toEqual(['C-0', 'C-1', 'C-2', 'C-3', 'C-4']);
		},
		SOON,
	);

	test(
		'when the answer to the first is lost for good, the second takes its document',
		async () => {
			suite.service.fail({ match: USE, cut: 'after' });
			// The first one looks at the beginning; its three looks after the lost answer fail.
			suite.service.fail({ match: 'GET /envelope', times: 1, delayMs: 0 });
			suite.failSearches(3);
			const first = begin(operation('skip', 1), rowsOf(1));
			const second = begin(operation('skip', 1), rowsOf(1));
			expect((await first).error?.description).toContain(
				'Documenso may or may not have created the document',
			);
			const { error, items } = await second;
			expect(error).toBeUndefined();
			expect(items[0]?.json.alreadyExisted).toBe(true);
			expect(ids()).toEqual(['C-0']);
		},
		SOON,
	);

	test(
		'with tokens of two teams each create a document of their own',
		async () => {
			suite.service.fail({ match: 'POST /envelope/create', delayMs: 300, times: 2 });
			const additionalFields = { externalId: 'C-0', ifExternalIdExists: 'skip' };
			const create = documenso({
				...{ resource: 'document', operation: 'create', ...contract },
				additionalFields,
			});
			const file = await itemWith({ data: { content: await pdf('A lease') } });
			const outputs = await Promise.all([
				begin(create, [file]),
				begin(create, [file], OTHER_TOKEN),
			]);
			expect(outputs.map(({ error }) => error)).toEqual([undefined, undefined]);
			expect(ids()).toEqual(['C-0', 'C-0']);
		},
		SOON,
	);
});

test('a document of another team counts if Documenso lists it, because the team has an address', async () => {
	const rows = rowsOf(2);
	await begin(operation('skip'), rows);
	const [first] = suite.service.store.documents;
	const additionalFields = { externalId: 'C-0', ifExternalIdExists: 'skip' };
	const create = documenso({
		...{ resource: 'document', operation: 'create', ...contract, additionalFields },
	});
	const file = await itemWith({ data: { content: await pdf('A lease') } });
	const { items, error } = await begin(create, [file], ADDRESS_TOKEN);
	expect(error).toBeUndefined();
	expect(items.map(({ json }) => [json.id, json.alreadyExisted])).toEqual([[first?.id, true]]);
	expect(ids()).toEqual(['C-0', 'C-1']);
});

test.each(['skip', 'skipAcrossWorkers'])(
	'nobody can keep a contract from being sent by sending one with its External ID to our address, under %s',
	async (ifExternalIdExists) => {
		const recipients = [{ ...signer, email: 'tenant0@example.com' }];
		const payload = { type: 'DOCUMENT', title: 'Theirs', externalId: 'C-0', recipients };
		const file = { filename: 'a.pdf', content: await pdf('Theirs') };
		const made = await call(
			suite.service,
			'POST /envelope/create',
			form(payload, [file]),
			STRANGER_TOKEN,
		);
		const envelopeId = made.body.id;
		await call(suite.service, 'POST /envelope/distribute', { envelopeId }, STRANGER_TOKEN);
		const create = documenso({
			...{ resource: 'document', operation: 'create', ...contract },
			additionalFields: { externalId: 'C-0', ifExternalIdExists },
		});
		const item = await itemWith({ data: { content: await pdf('A lease') } });
		const { items, error } = await begin(create, [item], ADDRESS_TOKEN);
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
		expect(items[0]?.json.id).not.toBe(envelopeId);
		expect(ids()).toEqual(['C-0', 'C-0']);
	},
);

test('a document that another process creates during a long run is found before its row is created', async () => {
	suite.service.fail({ match: USE, times: 40, delayMs: 60 });
	const run = begin(operation('skip', 1), rowsOf(40));
	await clock.sleep(3000);
	// Another n8n process knows nothing of this one's claims.
	const answer = await fetch(`${suite.service.url}/api/v2/envelope/use`, {
		method: 'POST',
		headers: { Authorization: DEMO_TOKEN, 'Content-Type': 'application/json' },
		body: JSON.stringify({
			payload: {
				envelopeId: RENTAL_AGREEMENT.id,
				externalId: 'C-39',
				recipients: [
					{ id: RENTAL_AGREEMENT.tenantId, email: 'tenant39@example.com', name: 'Tenant 39' },
				],
			},
		}),
	});
	expect(answer.status).toBe(200);
	const { error, items } = await run;
	expect(error).toBeUndefined();
	expect(items[39]?.json.alreadyExisted).toBe(true);
	expect(ids().filter((id) => id === 'C-39')).toHaveLength(1);
});

describe('under Skip, Across Workers: when another process creates a document at the same moment', () => {
	const across = documenso({
		...use,
		send: true,
		additionalFields: { ifExternalIdExists: 'skipAcrossWorkers' },
	});

	/** What another n8n process does, which knows nothing of this one. */
	async function post(path: string, payload: object): Promise<{ id: string }> {
		const answer = await fetch(`${suite.service.url}/api/v2${path}`, {
			method: 'POST',
			headers: { Authorization: DEMO_TOKEN, 'Content-Type': 'application/json' },
			body: JSON.stringify(payload),
		});
		expect(answer.status).toBe(200);
		return (await answer.json()) as { id: string };
	}

	async function createDraft(email = 'tenant0@example.com'): Promise<string> {
		const tenant = { id: RENTAL_AGREEMENT.tenantId, email, name: 'Tenant 0' };
		const payload = { envelopeId: RENTAL_AGREEMENT.id, externalId: 'C-0', recipients: [tenant] };
		return (await post('/envelope/use', { payload })).id;
	}

	const callsTo = (line: string) =>
		suite.service.calls.filter(({ method, path }) => `${method} ${path}` === line);

	/** Resolves once so many calls to the endpoint have been answered. */
	async function answered(line: string, times: number) {
		while (callsTo(line).filter(({ status }) => status).length < times) await clock.sleep(20);
	}

	/** Starts an execution, and creates a draft elsewhere while the execution creates its own. */
	async function beginWithOlderRival(email?: string) {
		suite.service.fail({ match: USE, delayMs: 3000 });
		const run = begin(across, rowsOf(1));
		while (callsTo(USE).length === 0) await clock.sleep(20);
		return { run, theirs: await createDraft(email) };
	}

	const documents = () => suite.service.store.documents.map(({ id, status }) => ({ id, status }));

	test('the older of two drafts is sent, and the other one deleted', async () => {
		const { run, theirs } = await beginWithOlderRival();
		await answered(USE, 2);
		await post('/envelope/distribute', { envelopeId: theirs });
		const { error, items } = await run;
		expect(error).toBeUndefined();
		expect(items[0]?.json).toMatchObject({ id: theirs, status: 'PENDING', alreadyExisted: true });
		expect(documents()).toEqual([{ id: theirs, status: 'PENDING' }]);
	});

	test('the own document is sent if it is the older one', async () => {
		const run = begin(across, rowsOf(1));
		await answered(USE, 1);
		const theirs = await createDraft();
		const { error, items } = await run;
		expect(error).toBeUndefined();
		expect(items[0]?.json.alreadyExisted).toBeUndefined();
		expect(documents()).toEqual([
			{ id: items[0]?.json.id, status: 'PENDING' },
			{ id: theirs, status: 'DRAFT' },
		]);
	});

	test('one that is sent already counts, even if it is younger', async () => {
		const run = begin(across, rowsOf(1));
		await answered(USE, 1);
		const theirs = await createDraft();
		await post('/envelope/distribute', { envelopeId: theirs });
		const { items } = await run;
		expect(items[0]?.json).toMatchObject({ id: theirs, alreadyExisted: true });
		expect(documents()).toEqual([{ id: theirs, status: 'PENDING' }]);
	});

	test('its draft is sent if it has not done so after a while', async () => {
		const { run, theirs } = await beginWithOlderRival();
		const { items } = await run;
		expect(items[0]?.json).toMatchObject({ id: theirs, alreadyExisted: true, sentNow: true });
		expect(documents()).toEqual([{ id: theirs, status: 'PENDING' }]);
	});

	test('a new one is created if its draft is deleted in the meantime', async () => {
		const theirs = await createDraft();
		const run = begin(across, rowsOf(1));
		await answered(`GET /envelope/${theirs}`, 1);
		await post('/envelope/delete', { envelopeId: theirs });
		const { error, items } = await run;
		expect(error).toBeUndefined();
		expect(documents()).toEqual([{ id: items[0]?.json.id, status: 'PENDING' }]);
	});

	test('a draft for somebody else is not sent, and neither is the own one: the row fails and names it', async () => {
		const { run, theirs } = await beginWithOlderRival('somebody@example.com');
		const { error } = await run;
		expect(error?.message).toContain(`which the draft ${theirs} already has`);
		expect(documents()).toEqual([{ id: theirs, status: 'DRAFT' }]);
	});

	test('an error names both if the own draft cannot be deleted', async () => {
		suite.service.fail({ match: 'POST /envelope/delete', ...refusal('No') });
		const { run, theirs } = await beginWithOlderRival();
		const { error } = await run;
		const own = documents().find(({ id }) => id !== theirs);
		expect(error?.message).toBe(
			`'External ID' is "C-0", which the document ${theirs} (draft) has too, and the draft ${own?.id} of this item could not be deleted [item 0]`,
		);
		expect(documents().map(({ status }) => status)).toEqual(['DRAFT', 'DRAFT']);
	});
});
