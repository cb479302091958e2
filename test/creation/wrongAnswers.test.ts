import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Passed } from '../../emulator';
import type { Envelope } from '../../emulator/entities';
import { clock } from '../../nodes/shared/api/clock';
import { hurry } from '../support/hurry';
import { beginExecution, documenso, execute, retryExecution } from '../support/n8n';
import { lines } from '../support/service';
import { byId, emailsOf, fillFromRow, mapped, tenants, USE, withId } from '../support/suite';
import {
	choosing,
	continued,
	CREATE,
	files,
	fromFile,
	json,
	LIST,
	LOST,
	oneAfterAnother,
	outputsOf,
	rowIn,
	said,
	SEND,
	sheet,
	useCreation,
} from './support';

hurry();

// What the node is answered is about somebody else's document, out of date, incomplete, or not Documenso's.
const suite = useCreation();
const { documents, tenantOf, tenantsOf } = suite;

/** Every creation gets the answer to the first one. */
function cacheCreations(line: string, isCarriedOut: boolean) {
	const state: { first?: Passed } = {};
	suite.service.intercept(line, async ({ pass }) => {
		if (!state.first) return (state.first = await pass());
		if (isCarriedOut) await pass();
		return state.first;
	});
}

describe('the answer to another request, as of a cache in between', () => {
	const ROWS = 6;

	test.each([
		[USE, true],
		[USE, false],
		[CREATE, true],
		[CREATE, false],
	])(
		'never returns another person’s document after %s (carried out: %s)',
		async (line, isCarriedOut) => {
			cacheCreations(line, isCarriedOut);
			const run =
				line === USE
					? await suite.run({ ...choosing('create'), ...oneAfterAnother }, tenants(ROWS), continued)
					: await suite.run({ ...fromFile, ...oneAfterAnother }, await files(ROWS), continued);
			const outputs = run.items.map((item) => item.json);
			expect(outputs).toHaveLength(ROWS);
			// Each output names its own document, or the item has failed.
			for (const [row, { error, id }] of outputs.entries()) {
				if (!error) expect(tenantOf(id)).toBe(`tenant${row}@example.com`);
			}
			// Nothing else names it either.
			const texts = outputs.map((output) => JSON.stringify(output));
			for (const { id, recipients } of documents()) {
				const naming = [...texts.keys()].filter((row) => texts[row]?.includes(id));
				const own = Number(recipients[0]?.email[6]);
				expect(naming).toEqual(naming.length === 0 ? [] : [own]);
			}
			if (isCarriedOut && line === USE) expect(outputs.some(({ error }) => error)).toBe(false);
			expect(suite.statuses()).toEqual(Array(isCarriedOut ? ROWS : 1).fill('PENDING'));
		},
	);

	test.each([true, false])(
		'is not returned if an earlier execution created it for somebody else (carried out: %s)',
		async (isCarriedOut) => {
			cacheCreations(CREATE, isCarriedOut);
			const [one, other] = (await files(2)) as [INodeExecutionData, INodeExecutionData];
			const earlier = await suite.run(fromFile, [one]);
			const { items, error } = await suite.run(fromFile, [other]);
			expect(earlier.items[0]?.json.id).toBe(documents()[0]?.id);
			expect(items).toEqual([]);
			expect(said(error)).toContain('External ID');
			expect(documents()).toHaveLength(isCarriedOut ? 2 : 1);
		},
	);
});

test.each(['skip', 'skipAcrossWorkers', 'skipSame'])(
	'a draft that is read again with %s is not taken for the document that the answer is about',
	async (ifExternalIdExists) => {
		const draft = { ...choosing('skip'), send: false };
		await suite.run(draft, sheet(2));
		const [own, other] = documents();
		if (!own || !other) throw new Error('The drafts were not made');
		const before = { ...other };
		suite.service.intercept(`GET /envelope/${own.id}`, async ({ pass }) => {
			const answer = await pass();
			return { ...answer, body: answer.text.replaceAll(own.id, other.id) };
		});
		const { items, error } = await suite.run(choosing(ifExternalIdExists), sheet(1));
		expect(items).toEqual([]);
		expect(said(error)).toContain(`It names ${other.id} instead of ${own.id}.`);
		expect(other).toEqual(before);
		expect(own.status).toBe('DRAFT');
	},
);

test('a field or recipient is not changed if the answer is about another one', async () => {
	await suite.run(choosing('skip'), sheet(2));
	const [own, other] = documents();
	const line = lines(suite.service).length;
	for (const part of ['field', 'recipient'] as const) {
		const [id, another] = [own, other].map((one) => one?.[`${part}s`][0]?.id ?? 0);
		suite.service.intercept(`GET /envelope/${part}/${id}`, async ({ pass }) => {
			const answer = await pass();
			return { ...answer, body: answer.text.replaceAll(String(id), String(another)) };
		});
		const { error } = await suite.run({
			...{ resource: part, operation: 'delete' },
			[`${part}Id`]: byId(id),
		});
		expect(said(error)).toContain(`It names ${another} instead of ${id}.`);
	}
	expect(
		lines(suite.service)
			.slice(line)
			.filter((one) => !one.startsWith('GET')),
	).toEqual([]);
});

describe('two answers with IDs only that were swapped', () => {
	/** Those to the first and the second row, once. */
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

	test('fail their items, and a retry gives each its own', async () => {
		swap();
		const node = documenso(fromFile);
		const failed = await execute(suite.credential(), [node], await files(3));
		expect(outputsOf(failed)).toEqual([]);
		// The first of the two ends the execution.
		const text = said(failed.data.resultData.error);
		expect(text).toContain('which is for others, and was not sent');
		const own = documents().filter(
			({ recipients: [first] }) => first?.email !== 'tenant2@example.com',
		);
		expect(own.filter(({ externalId }) => text.includes(externalId ?? '?'))).toHaveLength(1);
		const retry = await retryExecution(suite.credential(), [node], failed);
		expect(retry.data.resultData.error).toBeUndefined();
		expect(outputsOf(retry).map(({ id }) => id)).toEqual([0, 1, 2].map(suite.idOf));
		expect(suite.statuses()).toEqual(Array(3).fill('PENDING'));
		expect(suite.calls(SEND)).toHaveLength(3);
	});

	test('fail only these items with Continue On Fail', async () => {
		swap();
		const { items } = await suite.run(fromFile, await files(3), continued);
		const outputs = items.map((item) => item.json);
		expect(tenantsOf(outputs)).toEqual([undefined, undefined, 'tenant2@example.com']);
		for (const [row, { details }] of outputs.slice(0, 2).entries()) {
			const { externalId } = details as IDataObject;
			const named = documents().find((one) => one.externalId === externalId);
			expect(tenantOf(named?.id)).toBe(`tenant${row}@example.com`);
		}
	});

	test('do not keep a document from its own item, whose answer is lost', async () => {
		const other = gate<Passed>();
		const read = gate<Passed>();
		suite.service.intercept(CREATE, async ({ text, pass }) => {
			const answer = await pass();
			if (rowIn(text) === 0) return await other.opened;
			other.open(answer);
			await read.opened;
			return LOST;
		});
		suite.service.intercept('GET /envelope/*', async ({ pass }) => {
			const answer = await pass();
			read.open(answer);
			return answer;
		});
		const { items } = await suite.run(fromFile, await files(2), continued);
		expect(tenantsOf(items.map((item) => item.json))).toEqual([undefined, 'tenant1@example.com']);
		expect(suite.calls(SEND)).toHaveLength(1);
	});

	function gate<Value>() {
		let open: (value: Value) => void = () => undefined;
		const opened = new Promise<Value>((resolve) => (open = resolve));
		return { opened, open: (value: Value) => open(value) };
	}
});

test('two nodes whose IDs begin alike have documents of their own, if the answers to the second are lost', async () => {
	const rows = tenants(4);
	const columns = mapped({ 'Tenant email': '=tenant{{ $itemIndex }}@example.com' });
	const nodes = ['First', 'Second'].map((name) => ({
		...documenso({ ...fillFromRow, columns }, { name }),
		id: `00000000-${name}`,
	}));
	const state = { requests: 0 };
	suite.service.intercept(USE, async ({ pass }) => {
		state.requests += 1;
		if (state.requests <= rows.length) return undefined;
		await pass();
		return LOST;
	});
	const run = await execute(suite.credential(), nodes, rows);
	expect(run.data.resultData.error).toBeUndefined();
	const both = [...outputsOf(run, 'First'), ...outputsOf(run, 'Second')];
	expect(tenantsOf(both)).toEqual([...emailsOf(rows), ...emailsOf(rows)]);
	expect(new Set(both.map(({ id }) => id)).size).toBe(2 * rows.length);
	expect(documents()).toHaveLength(2 * rows.length);
});

describe('a firewall that answers with JSON of its own once Documenso has created and sent', () => {
	const body = { message: 'Blocked by policy', code: 'FORBIDDEN', error: 'Forbidden' };

	test.each([400, 403, 404, 422, 429])(
		'with a %i has refused nothing: no row gets a second document by Retry On Fail',
		async (status) => {
			let count = 0;
			suite.service.intercept(USE, async ({ pass }) => {
				count += 1;
				if (count % 2 === 0 || count > 6) return undefined;
				await pass();
				return json(status, body);
			});
			const { items, error } = await suite.run(fillFromRow, tenants(6), { maxTries: 2 });
			expect(error).toBeUndefined();
			expect(documents()).toHaveLength(6);
			expect(items.map((item) => item.json.status)).toEqual(Array(6).fill('PENDING'));
		},
	);

	test('is named where Documenso shows no document', async () => {
		suite.service.intercept(USE, () => json(403, body));
		const { error } = await suite.run(fillFromRow, tenants(1));
		expect(error?.message).toBe('Blocked by policy');
		expect(error?.description).toContain('Documenso may or may not have created the document');
		expect(error?.description).toContain('a firewall or proxy in front of it');
	});
});

describe('a list of 250 documents', () => {
	/** Copies a document for each row, without the time that requests take. */
	async function exist(rows: INodeExecutionData[]) {
		await suite.run(choosing('create'), rows.slice(0, 1));
		const [model] = documents();
		if (!model) throw new Error('There is no document to copy');
		const [tenant, ...others] = model.recipients;
		for (const [index, { json: cells }] of rows.entries()) {
			const externalId = cells['External ID'] as string;
			const recipients = [{ ...tenant, email: cells['Tenant email'] as string }, ...others];
			const id = `envelope_copy${index}`;
			const copy = { ...model, id, externalId, recipients } as Envelope;
			suite.service.store.envelopes.set(id, copy);
		}
		suite.service.store.envelopes.delete(model.id);
		suite.service.calls.length = 0;
	}

	test.each([
		['empty', Infinity],
		['the first again', Infinity],
		['empty', 1],
		['the first again', 1],
	])(
		'whose second page is %s, %i times, is read again, or refused before anything is created',
		async (how, times) => {
			const rows = sheet(250);
			await exist(rows);
			const asked = { times: 0, first: '' };
			suite.service.intercept(LIST, async ({ query, pass }) => {
				const page = query.get('page') ?? '1';
				const answer = await pass();
				if (page === '1') asked.first = answer.text;
				if (page !== '2') return answer;
				asked.times += 1;
				if (asked.times > times) return answer;
				const { data } = JSON.parse(asked.first) as IDataObject;
				const list = JSON.parse(answer.text) as IDataObject;
				const body = JSON.stringify({ ...list, data: how === 'empty' ? [] : data });
				return { ...answer, body };
			});
			const { items, error } = await suite.run(choosing('skip'), rows);
			expect(suite.calls(USE)).toHaveLength(0);
			if (times === 1) {
				expect(error).toBeUndefined();
				expect(items.map((item) => item.json.alreadyExisted)).toEqual(rows.map(() => true));
				return;
			}
			expect(error).toBeDefined();
			expect(asked.times).toBeGreaterThanOrEqual(3);
			expect(asked.times).toBeLessThanOrEqual(9);
		},
	);
});

test.each(['create', 'skip', 'fail'])(
	'a clock in between that is ahead leads to no second document after a lost answer, under %s',
	async (policy) => {
		const rows = sheet(5);
		const lost = new Set<number>();
		suite.service.intercept('*', async ({ line, text, pass }) => {
			const answer = await pass();
			const isFirst = line === USE && !lost.has(rowIn(text));
			if (isFirst) lost.add(rowIn(text));
			const date = new Date(clock.now() + 30_000).toUTCString();
			return isFirst ? 'cut' : { ...answer, headers: { ...answer.headers, date } };
		});
		await suite.run(choosing(policy), rows, { maxTries: 3 });
		expect(suite.tenantEmails()).toEqual(emailsOf(rows));
	},
);

test('a draft that only the list shows does not keep Skip, Across Workers at work for ever', async () => {
	const rows = sheet(1);
	await suite.run(choosing('create', { send: false }), rows);
	const [ghost] = documents();
	if (!ghost) throw new Error('There is no draft');
	ghost.createdAt = new Date(clock.now() - 3_600_000);
	const list = { resource: 'document', operation: 'getAll', searchIn: 'root', output: 'raw' };
	const [listed] = await suite.outputOf({ ...list, returnAll: true, simplify: false });
	suite.service.store.envelopes.delete(ghost.id);
	suite.service.calls.length = 0;
	suite.service.intercept(LIST, async ({ query, pass }) => {
		if (query.get('folderId')) return undefined;
		const answer = await pass();
		const found = JSON.parse(answer.text) as { data: IDataObject[]; count: number };
		const data = [...found.data, listed];
		return {
			...answer,
			body: JSON.stringify({ ...found, data, count: data.length, totalPages: 1 }),
		};
	});
	const node = documenso(choosing('skipAcrossWorkers'));
	const { run } = beginExecution(suite.credential(), [node], rows);
	const end = await Promise.race([
		run.then(() => 'ended'),
		clock.sleep(150_000).then(() => 'still at work'),
	]);
	run.cancel();
	expect(suite.calls(USE).length).toBeLessThanOrEqual(3);
	expect(end).toBe('ended');
	expect(suite.statuses().filter((status) => status !== 'DRAFT').length).toBeLessThanOrEqual(1);
});

describe('a cache in front of Documenso', () => {
	/** Answers each list as it was answered first. */
	function cacheLists({ age, obeys }: { age?: string; obeys: boolean }) {
		const kept = new Map<string, Passed>();
		suite.service.intercept(LIST, async ({ query, request, pass }) => {
			const isFresh = obeys && request.headers['cache-control'] === 'no-cache';
			const before = isFresh ? undefined : kept.get(query.toString());
			if (before) return { ...before, headers: { ...before.headers, ...(age ? { age } : {}) } };
			const answer = await pass();
			kept.set(query.toString(), answer);
			return answer;
		});
	}
	const preview = { ...choosing('skip'), operation: 'previewDocument' };

	test('that shows nobody’s new documents hides none that this process has created', async () => {
		cacheLists({ obeys: false });
		for (const _ of [1, 2, 3]) {
			expect((await suite.run(choosing('skip'), sheet(10))).error).toBeUndefined();
		}
		expect(documents()).toHaveLength(10);
	});

	test('is asked to pass the request on if its answer is old', async () => {
		cacheLists({ age: '30', obeys: true });
		await suite.run(preview, sheet(2));
		await suite.run(choosing('skip'), sheet(2));
		const { error } = await suite.run(choosing('fail'), sheet(2));
		expect(said(error)).toContain('already has');
		expect(documents()).toHaveLength(2);
	});

	test('that does not, fails the items before anything is created', async () => {
		cacheLists({ age: '30', obeys: false });
		await suite.run(preview, sheet(2));
		const { error } = await suite.run(choosing('skip'), sheet(2));
		expect(error?.message).toBe('A cache in front of Documenso gave an answer that is 30 s old');
		expect(said(error)).toContain('Turn off caching for /api');
		expect(documents()).toHaveLength(0);
	});
});

describe('what an operation does not need may be missing in what Documenso answers', () => {
	const ONE = 'GET /envelope/envelope_*';
	const MANY = 'POST /envelope/get-many';

	/** Changes all records that Documenso answers with: one, several or a page of them. */
	function change(line: string, edit: (record: IDataObject) => void) {
		suite.service.intercept(line, async ({ pass }) => {
			const answer = await pass();
			const body = JSON.parse(answer.text) as IDataObject & { data?: IDataObject[] };
			for (const record of body.data ?? [body]) edit(record);
			return { ...answer, body: JSON.stringify(body) };
		});
	}

	/** Documenso may add and drop such things, and has them for documents of older versions. */
	const ownerless = (record: IDataObject) => {
		for (const field of record.fields as IDataObject[]) field.recipientId = null;
	};
	const unnumbered = (record: IDataObject) => {
		delete record.secondaryId;
	};
	const fieldless = (record: IDataObject) => {
		delete record.fields;
		delete record.envelopeItems;
	};
	const download = { resource: 'document', operation: 'download', version: 'original' };
	const resend = { resource: 'document', operation: 'resend' };
	const EDITS = { ownerless, unnumbered, fieldless };

	test.each<[string, keyof typeof EDITS, IDataObject]>([
		['a download', 'ownerless', download],
		['a download', 'unnumbered', download],
		['a resend', 'ownerless', resend],
		['a resend', 'unnumbered', resend],
		['a resend', 'fieldless', resend],
	])('for %s (%s)', async (_, edit, parameters) => {
		const { id } = await suite.document('createAndSend');
		change(ONE, EDITS[edit]);
		const [output, ...more] = await suite.outputOf({ ...parameters, documentId: byId(id) });
		expect(more).toEqual([]);
		if (parameters === resend) expect(output?.resentTo).toHaveLength(1);
	});

	const skip = withId({ ifExternalIdExists: 'skip' });

	test.each(Object.entries(EDITS))(
		'for rows that are run again with Skip (%s)',
		async (_, edit) => {
			const [made] = await suite.outputOf(skip, tenants(1));
			change(LIST, unnumbered);
			change(MANY, edit);
			const [output] = await suite.outputOf(skip, tenants(1));
			expect(output).toMatchObject({ id: made?.id, alreadyExisted: true });
		},
	);

	test('for a document whose answer to sending was lost', async () => {
		const { id } = await suite.document();
		change(ONE, (record) => {
			fieldless(record);
			unnumbered(record);
		});
		suite.service.fail({ match: SEND, cut: 'after' });
		const send = { resource: 'document', operation: 'send', documentId: byId(id) };
		expect(await suite.outputOf(send)).toMatchObject([{ id, status: 'PENDING' }]);
	});

	test('for a template that is filled in', async () => {
		change('GET /envelope/envelope_rentalagreements', unnumbered);
		expect(await suite.outputOf(skip, tenants(1))).toHaveLength(1);
	});

	test.each(['id', 'legacyId'] as const)(
		'for Get Many by IDs, which asks for each alone if the records do not say which has it (%s)',
		async (key) => {
			const made = [await suite.document(), await suite.document()];
			change(MANY, unnumbered);
			const byIds = { resource: 'document', operation: 'getByIds', id: '={{ $json.id }}' };
			const found = await suite.outputOf(
				{ ...byIds, ...(key === 'legacyId' ? { idType: 'documentId' } : {}) },
				made.map((one) => ({ json: { id: one[key] } })),
			);
			expect(found.map(({ id }) => id)).toEqual(made.map(({ id }) => id));
		},
	);
});
