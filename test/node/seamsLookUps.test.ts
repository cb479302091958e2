import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { clock } from '../../nodes/shared/api/clock';
import type { Envelope } from '../../emulator/entities';
import type { Passed } from '../../emulator';
import { beginExecution, documenso, itemWith } from '../support/n8n';
import { pdf } from '../support/pdf';
import { credentialFor } from '../support/service';
import { createAndSend, fillFromRow as use, tenants, USE, useService } from '../support/suite';
import { hurry } from '../support/hurry';

hurry();

// What the node is told about the documents that exist is incomplete, out of date, or dated by another clock.
const suite = useService({ seed: 'demo', rateLimit: { limit: 1_000_000, windowMs: 60_000 } });
const { documents } = suite;

const LIST = 'GET /envelope';

let turn = 0;
function rowsWithIds(count: number): INodeExecutionData[] {
	turn += 1;
	return tenants(count).map(({ json }, index) => ({
		json: { ...json, 'External ID': `L${turn}-${index}.` },
	}));
}
const mode = (ifExternalIdExists: string, changes: IDataObject = {}): IDataObject => ({
	...use,
	additionalFields: { ifExternalIdExists, ...changes },
});

const text = (error?: { message: string; description?: string }) =>
	`${error?.message ?? ''} ${error?.description ?? ''}`;

/** Copies a document for each row, without the time that requests take. */
async function exist(rows: INodeExecutionData[]) {
	await suite.run(use, rows.slice(0, 1));
	const [model] = documents();
	if (!model) throw new Error('There is no document to copy');
	for (const [index, { json }] of rows.entries()) {
		const externalId = json['External ID'] as string;
		const [tenant, ...others] = model.recipients;
		if (!tenant) throw new Error('The document has no recipient');
		const recipients = [{ ...tenant, email: json['Tenant email'] as string }, ...others];
		const copy: Envelope = { ...model, id: `envelope_copy${index}`, externalId, recipients };
		suite.service.store.envelopes.set(copy.id, copy);
	}
	suite.service.store.envelopes.delete(model.id);
	suite.service.calls.length = 0;
}

describe('a list of 250 documents', () => {
	/** The second page is not what it should be, so many times. */
	function spoilSecondPage(how: 'empty' | 'the first again', times = Infinity) {
		const asked = { times: 0 };
		suite.service.intercept(LIST, async ({ headers, query, pass }) => {
			if (query.get('page') !== '2') return undefined;
			asked.times += 1;
			if (asked.times > times) return undefined;
			const answer = await pass();
			const list = JSON.parse(answer.body) as IDataObject;
			if (how === 'empty') return { ...answer, body: JSON.stringify({ ...list, data: [] }) };
			const { authorization = '' } = headers;
			query.set('page', '1');
			const first = await fetch(`${suite.service.url}/api/v2/envelope?${query.toString()}`, {
				headers: { authorization },
			});
			const { data } = (await first.json()) as IDataObject;
			return { ...answer, body: JSON.stringify({ ...list, data }) };
		});
		return asked;
	}

	test.each(['empty', 'the first again'] as const)(
		'whose second page is %s is refused after three readings, before anything is created',
		async (how) => {
			const rows = rowsWithIds(250);
			await exist(rows);
			const asked = spoilSecondPage(how);
			const { error } = await suite.run(mode('skip'), rows);
			expect(suite.calls(USE)).toHaveLength(0);
			expect(error).toBeDefined();
			expect(asked.times).toBeGreaterThanOrEqual(3);
			expect(asked.times).toBeLessThanOrEqual(9);
		},
	);

	test.each(['empty', 'the first again'] as const)(
		'whose second page is %s only once is read again',
		async (how) => {
			const rows = rowsWithIds(250);
			await exist(rows);
			spoilSecondPage(how, 1);
			const { items, error } = await suite.run(mode('skip'), rows);
			expect(error).toBeUndefined();
			expect(suite.calls(USE)).toHaveLength(0);
			expect(items.map(({ json }) => json.alreadyExisted)).toEqual(rows.map(() => true));
		},
	);
});

describe('a clock in between that is ahead', () => {
	test.each(['create', 'skip', 'fail'])(
		'leads to no second document after a lost answer, under %s',
		async (policy) => {
			const rows = rowsWithIds(5);
			const lost = new Set<string>();
			suite.service.intercept(USE, async ({ text: body, pass }) => {
				const [email = ''] = /tenant\d+@/.exec(body) ?? [];
				if (lost.has(email)) return undefined;
				lost.add(email);
				await pass();
				return 'cut';
			});
			suite.service.intercept('*', async ({ pass }) => {
				const answer = await pass();
				const date = new Date(clock.now() + 30_000).toUTCString();
				return { ...answer, headers: { ...answer.headers, date } };
			});
			await suite.run(mode(policy), rows, { maxTries: 3 });
			expect(suite.tenantEmails()).toEqual(rows.map(({ json }) => json['Tenant email']));
		},
	);
});

describe('an External ID that could not be found again', () => {
	const ids = ['n8n-wait:1', 'RA n8n-wait:abc:1', 'half \ud83d', '\ude00 half', 'RA\u00001'];

	test.each(['create', 'skip', 'skipAcrossWorkers', 'fail'])(
		'is refused before any request, under %s',
		async (ifExternalIdExists) => {
			const file = await itemWith({ data: { content: await pdf() } });
			const outcomes = [];
			for (const externalId of ids) {
				suite.service.calls.length = 0;
				const additionalFields = { externalId, ifExternalIdExists };
				const { error } = await suite.run({ ...createAndSend, additionalFields }, [file]);
				const isNamed = text(error).includes("'External ID'");
				outcomes.push({ externalId, requests: suite.service.calls.length, isNamed });
			}
			expect(outcomes).toEqual(
				ids.map((externalId) => ({ externalId, requests: 0, isNamed: true })),
			);
		},
	);

	test('is refused for a template, too, so that no run creates another', async () => {
		const outcomes = [];
		for (const externalId of ids) {
			const before = documents().length;
			const skip = mode('skip', { externalId });
			const runs = [await suite.run(skip, tenants(1)), await suite.run(skip, tenants(1))];
			const areNamed = runs.every(({ error }) => text(error).includes("'External ID'"));
			outcomes.push({ externalId, documents: documents().length - before, areNamed });
		}
		expect(outcomes).toEqual(
			ids.map((externalId) => ({ externalId, documents: 0, areNamed: true })),
		);
	});

	test('is not one that only looks alike', async () => {
		const additionalFields = { externalId: 'RA-n8n-wait:😀', ifExternalIdExists: 'skip' };
		for (const existed of [undefined, true]) {
			const { items } = await suite.run({ ...use, additionalFields }, tenants(1));
			expect(items[0]?.json.alreadyExisted).toBe(existed);
		}
		expect(documents()).toHaveLength(1);
	});
});

test('a draft that only the list shows does not keep Skip, Across Workers at work for ever', async () => {
	const rows = rowsWithIds(1);
	await suite.run({ ...mode('create'), send: false }, rows);
	const [ghost] = documents();
	if (!ghost) throw new Error('There is no draft');
	ghost.createdAt = new Date(clock.now() - 3_600_000);
	const answer = await fetch(`${suite.service.url}/api/v2/envelope?type=DOCUMENT`, {
		headers: { authorization: credentialFor(suite.service).apiToken },
	});
	const [listed] = ((await answer.json()) as { data: IDataObject[] }).data;
	suite.service.store.envelopes.delete(ghost.id);
	suite.service.calls.length = 0;
	suite.service.intercept(LIST, async ({ query, pass }) => {
		if (query.get('folderId')) return undefined;
		const real = await pass();
		const list = JSON.parse(real.body) as { data: IDataObject[]; count: number };
		const all = { ...list, data: [...list.data, listed], count: list.count + 1, totalPages: 1 };
		return { ...real, body: JSON.stringify(all) };
	});
	const { run } = beginExecution(
		credentialFor(suite.service),
		[documenso({ ...mode('skipAcrossWorkers'), send: true })],
		rows,
	);
	const end = await Promise.race([
		run.then(() => 'ended'),
		clock.sleep(150_000).then(() => 'still at work'),
	]);
	run.cancel();
	expect(suite.calls(USE).length).toBeLessThanOrEqual(3);
	expect(end).toBe('ended');
	expect(documents().filter(({ status }) => status !== 'DRAFT').length).toBeLessThanOrEqual(1);
});

describe('a cache in front of Documenso', () => {
	/** Passeds each list as it was answered first. */
	function cacheLists({ age, obeys }: { age?: number; obeys: boolean }) {
		const kept = new Map<string, Passed>();
		suite.service.intercept(LIST, async ({ query, headers, pass }) => {
			const key = query.toString();
			const isFresh = obeys && headers['cache-control'] === 'no-cache';
			const before = isFresh ? undefined : kept.get(key);
			if (before) return { ...before, headers: { ...before.headers, ...aged(age) } };
			const answer = await pass();
			kept.set(key, answer);
			return answer;
		});
	}
	const aged = (age?: number): Record<string, string> =>
		age === undefined ? {} : { age: String(age) };
	const preview = { ...mode('skip'), operation: 'previewDocument' };

	test('that shows nobody’s new documents hides none that this process has created', async () => {
		const rows = rowsWithIds(10);
		cacheLists({ obeys: false });
		for (const _ of [1, 2, 3]) {
			const { error } = await suite.run(mode('skip'), rows);
			expect(error).toBeUndefined();
		}
		expect(documents()).toHaveLength(10);
	});

	test('is asked to pass the request on if its answer is old', async () => {
		const rows = rowsWithIds(2);
		cacheLists({ age: 30, obeys: true });
		await suite.run(preview, rows);
		await suite.run(mode('skip'), rows);
		const { error } = await suite.run(mode('fail'), rows);
		expect(text(error)).toContain('already has');
		expect(documents()).toHaveLength(2);
	});

	test('that does not, fails the items before anything is created', async () => {
		const rows = rowsWithIds(2);
		cacheLists({ age: 30, obeys: false });
		await suite.run(preview, rows);
		const { error } = await suite.run(mode('skip'), rows);
		expect(error?.message).toBe('A cache in front of Documenso gave an answer that is 30 s old');
		expect(text(error)).toContain('Turn off caching for /api');
		expect(documents()).toHaveLength(0);
	});
});
