import type { IDataObject } from 'n8n-workflow';

import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { hurry } from '../support/hurry';
import { documenso, execute, itemWith, runNode } from '../support/n8n';
import { pdf } from '../support/pdf';
import { credentialFor, lines, sentTo } from '../support/service';
import { byId, contract, fillFromRow, mapped, tenants, tina, useService } from '../support/suite';

const suite = useService({ seed: 'demo', latencyMs: 2 });

const rows = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ json: { row: index } }));

const getById = { resource: 'document', operation: 'get', documentId: byId('={{ $json.id }}') };

const cancelById = { ...getById, operation: 'cancel' };

async function run(parameters: object, items: Array<{ json: object }>, setup = {}) {
	return await suite.run(parameters as never, items as never, setup);
}

/** Drafts titled "Draft 0" and so on. */
async function drafts(count: number): Promise<string[]> {
	const item = await itemWith({ data: { content: await pdf() } });
	const items = rows(count).map(({ json }) => ({ ...item, json }));
	const parameters = { resource: 'document', operation: 'create', title: '=Draft {{ $json.row }}' };
	const { items: made, error } = await run(parameters, items);
	if (error) throw error;
	return made.map(({ json }) => json.id as string);
}

describe('items', () => {
	test('come out in the order in which they went in, each paired with its own', async () => {
		const ids = await drafts(30);
		const { items } = await run(
			cancelById,
			ids.map((id) => ({ json: { id } })),
			{
				onError: 'continueRegularOutput',
			},
		);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
			rows(30).map((_, item) => ({ item })),
		);
		const { items: read } = await run(
			getById,
			ids.map((id) => ({ json: { id } })),
		);
		expect(read.map(({ json }) => json.title)).toEqual(rows(30).map((_, row) => `Draft ${row}`));
	});

	test('after a failure nothing more is started', async () => {
		const unknown = rows(40).map(() => ({ json: { id: 'envelope_unknownunknownun' } }));
		const { error } = await run({ ...cancelById, options: { maxInFlight: 4 } }, unknown);
		expect(error).toMatchObject({
			httpCode: '404',
			context: { itemIndex: 0 },
		});
		const cancelled = lines(suite.service).filter((line) => line === 'POST /envelope/cancel');
		expect(cancelled.length).toBeLessThanOrEqual(4);
	});
});

describe('Continue On Fail', () => {
	test('a failing item fails alone, with status, code and message', async () => {
		const [id] = await drafts(1);
		const items = [
			{ json: { id: 'envelope_unknownunknownun' } },
			{ json: { id } },
			{ json: { id: '' } },
		];
		const { items: out } = await run(
			{ resource: 'document', operation: 'delete', documentId: byId('={{ $json.id }}') },
			items,
			{ onError: 'continueRegularOutput' },
		);
		expect(out).toEqual([
			{
				json: {
					error: 'There is no document with the ID envelope_unknownunknownun',
					details: {
						status: 404,
						code: 'NOT_FOUND',
						description: expect.stringContaining('Check the ID') as string,
					},
				},
				pairedItem: { item: 0 },
			},
			{ json: { id, deleted: true }, pairedItem: { item: 1 } },
			{
				json: {
					error: "'Document' is empty [item 2]",
					details: { description: 'Correct the value, or the expression that gives it.' },
				},
				pairedItem: { item: 2 },
			},
		]);
	});

	test('the error output gets the failed item with what it came with', async () => {
		const [id] = await drafts(1);
		const items = [{ json: { id, row: 1 } }, { json: { id: 'envelope_unknownunknownun', row: 2 } }];
		const node = documenso(getById, { onError: 'continueErrorOutput' });
		const { data } = await execute(credentialFor(suite.service), [node], items);
		const outputs = data.resultData.runData.Documenso?.[0]?.data?.main ?? [];
		expect(outputs[0]).toMatchObject([{ json: { id } }]);
		expect(outputs[1]).toMatchObject([
			{
				json: {
					row: 2,
					error: 'There is no document with the ID envelope_unknownunknownun',
					message: { status: 404 },
				},
			},
		]);
		// With any other key, n8n before 2.40 sends the item to the other output.
		expect(Object.keys(outputs[1]?.[0]?.json ?? {}).sort()).toEqual([
			'error',
			'id',
			'message',
			'row',
		]);
	});
});

describe('what concerns all items', () => {
	test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'fails each of them under %s, instead of letting them pass as done',
		async (onError) => {
			const items = [{ json: { row: 1 } }, { json: { row: 2 } }];
			const parameters = { resource: 'document', operation: 'getAll' };
			for (const [credential, changes] of [
				[credentialFor(suite.service, { baseUrl: 'nonsense' }), {}],
				[credentialFor(suite.service), { operation: 'nope' }],
			] as const) {
				const node = { ...parameters, ...changes };
				const run = await runNode(credential, node, items, { onError });
				const failed = onError === 'continueErrorOutput' ? run.errorItems : run.items;
				expect(failed.map(({ json }) => typeof json.error)).toEqual(['string', 'string']);
				expect(onError === 'continueErrorOutput' ? run.items : []).toEqual([]);
			}
		},
	);
});

describe('many reads by id', () => {
	test('are retried like any read, although they are sent by POST', async () => {
		const ids = await drafts(2);
		suite.service.calls.length = 0;
		suite.service.fail({ match: 'POST /envelope/get-many', status: 502, body: 'Bad gateway' });
		const { error } = await run(
			getById,
			ids.map((id) => ({ json: { id } })),
		);
		expect(error).toBeUndefined();
		expect(lines(suite.service)).toHaveLength(2);
	});

	test('ask for the same id once', async () => {
		const [one, two] = await drafts(2);
		suite.service.calls.length = 0;
		const items = [one, two, one, one].map((id) => ({ json: { id } }));
		const { items: out } = await run(getById, items);
		expect(suite.service.calls.map(({ body }) => body)).toEqual([
			{ ids: { type: 'envelopeId', ids: [one, two] } },
		]);
		expect(out).toHaveLength(4);
	});

	test('an unknown id fails only its own item, with the service’s own error', async () => {
		const ids = await drafts(2);
		const items = [ids[0], 'envelope_unknownunknownun', 'nonsense', ids[1]].map((id) => ({
			json: { id },
		}));
		const { items: out } = await run(getById, items, { onError: 'continueRegularOutput' });
		expect(out.map(({ json }) => json.id ?? json.error)).toEqual([
			ids[0],
			'There is no document with the ID envelope_unknownunknownun',
			'\'Document\' is "nonsense", but an ID starts with envelope_ [item 2]',
			ids[1],
		]);
	});
});

describe('a service in trouble', () => {
	test.each([502, 503, 504])('a read is repeated after a %s', async (status) => {
		suite.service.fail({ match: 'GET /envelope', status, body: 'Bad gateway' });
		const { error } = await run({ resource: 'document', operation: 'getAll', searchIn: 'root' }, [
			{ json: {} },
		]);
		expect(error).toBeUndefined();
		expect(lines(suite.service)).toHaveLength(2);
	});

	test.each([500, 502, 503, 504])('a change is not repeated after a %s', async (status) => {
		const [id] = await drafts(1);
		suite.service.calls.length = 0;
		suite.service.fail({
			match: 'POST /envelope/cancel',
			status,
			body: '<html>Bad gateway</html>',
		});
		const { error } = await run(cancelById, [{ json: { id } }]);
		expect(error).toMatchObject({ httpCode: String(status) });
		expect(lines(suite.service)).toEqual(['POST /envelope/cancel']);
	});

	test('a change whose answer was lost is not repeated, and the error says that it may have happened', async () => {
		const [id] = await drafts(1);
		suite.service.calls.length = 0;
		suite.service.fail({ match: 'POST /envelope/cancel', cut: 'after' });
		const { error } = await run(cancelById, [{ json: { id } }]);
		expect(error?.message).toMatch(/^The connection to Documenso at 127\.0\.0\.1:\d+ failed$/);
		expect(error?.description).toContain('Documenso may have done it nevertheless');
		expect(error?.description).toContain('ECONNRESET');
		expect(lines(suite.service)).toEqual(['POST /envelope/cancel']);
	});

	test('a page of a proxy’s instead of an answer is an error, not an empty result', async () => {
		suite.service.fail({
			match: 'GET /envelope',
			status: 200,
			headers: { 'content-type': 'text/html' },
			body: '<html>Log in</html>',
		});
		const { error } = await run({ resource: 'document', operation: 'getAll', searchIn: 'root' }, [
			{ json: {} },
		]);
		expect(error?.message).toBe("The base URL in the credential does not lead to Documenso's API");
	});
});

test('an operation that does not exist is an error that says what to do', async () => {
	const { error } = await run({ resource: 'document', operation: '__CUSTOM_API_CALL__' }, [
		{ json: {} },
	]);
	expect(error?.message).toBe(
		"The resource 'document' has no operation '__CUSTOM_API_CALL__' [item 0]",
	);
	expect(error?.description).toContain('HTTP Request node');
});

describe('all items are checked first', () => {
	const readTemplate = `GET /envelope/${RENTAL_AGREEMENT.id}`;

	const row = (index: number, changes: IDataObject = {}) => ({
		json: { 'Tenant email': `tenant${index}@example.com`, Rent: 1000 + index, ...changes },
	});

	const rows = (count: number, bad: Record<number, IDataObject> = {}) =>
		Array.from({ length: count }, (_, index) => row(index, bad[index]));

	test('with bad rows among a hundred nothing is created, and each is listed with its column', async () => {
		const bad = { 7: { Rent: 'much' }, 42: { 'Tenant email': '' }, 99: { 'Tenant email': 'x@' } };
		const { error } = await suite.run(fillFromRow, rows(100, bad));
		expect(error?.message).toBe('3 of 100 items cannot be used, so nothing was created');
		const [first, second, third] = error?.description?.split('<br>') ?? [];
		expect(first).toBe(`Item 7: 'Rent' is a number field, but "much" is text`);
		expect(second).toMatch(/^Item 42: 'Tenant email' is empty: .*"Tenant \(SIGNER\)"$/);
		expect(third).toBe(`Item 99: 'Tenant email' is not an email address: "x@"`);
		// n8n would put it behind the message, as if only that item were meant.
		expect(error?.context?.itemIndex).toBeUndefined();
		expect(lines(suite.service)).toEqual([readTemplate]);
	});

	test('a single bad row is the error itself, which says that nothing was created', async () => {
		const { error } = await suite.run(fillFromRow, rows(3, { 1: { Rent: 'much' } }));
		expect(error?.message).toBe(`'Rent' is a number field, but "much" is text [item 1]`);
		expect(error?.description).toBe(
			'Correct the data of the item, or what is entered in the node for it. Nothing was created for any item.',
		);
		expect(error?.context?.itemIndex).toBe(1);
		expect(suite.service.store.documents).toHaveLength(0);
	});

	test('HTML in a value is shown as text', async () => {
		const bad = { 0: { 'Tenant email': 'Tina <b>' }, 1: { Rent: '<i>&' } };
		const { error } = await suite.run(fillFromRow, rows(2, bad));
		expect(error?.description).toContain(`is not an email address: "Tina &lt;b>"`);
		expect(error?.description).toContain(`"&lt;i>&amp;" is text`);
	});

	test('a fault that several rows have is said once, with all of them', async () => {
		const bad = { 2: { Rent: 'much' }, 4: { Rent: 'x' }, 7: { Rent: 'much' } };
		const { error } = await suite.run(fillFromRow, rows(8, bad));
		const [both, other] = error?.description?.split('<br>') ?? [];
		expect(both).toBe(`Items 2, 7: 'Rent' is a number field, but "much" is text`);
		expect(other).toContain('Item 4: ');
	});

	test('250 bad rows are still all named', async () => {
		const bad = Object.fromEntries(
			Array.from({ length: 250 }, (_, index) => [index, { Rent: `x${index}` }]),
		);
		const { error } = await suite.run(fillFromRow, rows(250, bad));
		expect(error?.message).toBe('250 of 250 items cannot be used, so nothing was created');
		expect(error?.description).toContain('Item 199: ');
		expect(error?.description).toContain('And the items 200, 201, ');
		expect(error?.description).toMatch(/, 249\b/);
	});

	test('with Continue on Fail only the bad rows fail', async () => {
		const bad = { 1: { Rent: 'much' }, 3: { 'Tenant email': 'x' } };
		const { items } = await suite.run(fillFromRow, rows(5, bad), {
			onError: 'continueRegularOutput',
		});
		expect(items.map(({ json }) => json.error ?? 'made')).toEqual([
			'made',
			`'Rent' is a number field, but "much" is text [item 1]`,
			'made',
			`'Tenant email' is not an email address: "x" [item 3]`,
			'made',
		]);
		expect(items.map(({ pairedItem }) => pairedItem)).toMatchObject(
			[0, 1, 2, 3, 4].map((item) => ({ item })),
		);
		expect(suite.service.store.documents).toHaveLength(3);
	});

	test('switched off, the rows before the bad one are made', async () => {
		const { error } = await suite.run(
			{ ...fillFromRow, options: { checkAllFirst: false } },
			rows(40, { 30: { Rent: 'much' } }),
		);
		expect(error?.message).toBe(`'Rent' is a number field, but "much" is text [item 30]`);
		expect(suite.service.store.documents.length).toBeGreaterThanOrEqual(20);
		expect(suite.service.store.documents.length).toBeLessThan(40);
	});

	test('a template that cannot be read is one error, not one for each row', async () => {
		const { error } = await suite.run(
			{ ...fillFromRow, templateId: byId('envelope_unknownunknown') },
			rows(20),
		);
		expect(error?.message).toBe('There is no template with the ID envelope_unknownunknown');
		expect(lines(suite.service)).toEqual(['GET /envelope/envelope_unknownunknown']);
	});

	test.each(['create', 'createAndSend'])(
		'Document: %s checks all items first, too',
		async (operation) => {
			const good = await itemWith({ data: { content: await pdf() } });
			const bad = { ...good, json: { email: 'nobody' } };
			const recipients = {
				recipient: [{ email: '={{ $json.email ?? "tina@example.com" }}', role: 'SIGNER' }],
			};
			const parameters = { resource: 'document', operation, ...contract, recipients };
			const { error } = await suite.run(parameters, [good, good, bad]);
			expect(error?.message).toMatch(/is not an email address: "nobody" \[item 2\]$/);
			expect(lines(suite.service)).toEqual([]);
		},
	);

	test('items are listed in their order, and each advice once', async () => {
		const slow = { ...suite.template(), id: 'envelope_slowslowslowslow' };
		suite.service.store.envelopes.set(slow.id, slow);
		suite.service.fail({ match: `GET /envelope/${slow.id}`, delayMs: 200 });
		const items = [
			{ ...tina, id: RENTAL_AGREEMENT.id },
			{ id: slow.id },
			{ id: RENTAL_AGREEMENT.id },
		].map((json) => ({ json }));
		const { error } = await suite.run(
			{ ...fillFromRow, templateId: byId('={{ $json.id }}') },
			items,
		);
		const text = error?.description ?? '';
		expect(text).toMatch(/^Items 1, 2: /);
		expect(text.split('Fill it in')).toHaveLength(2);
	});

	test('an expression that fails has the item it failed for', async () => {
		const columns = mapped({ ...tina, Address: "={{ $json.n ? $('Nope').item.json.x : 'A' }}" });
		const items = [{ json: { n: 0 } }, { json: { n: 1 } }];
		const { error } = await suite.run({ ...fillFromRow, columns }, items);
		expect(error?.context?.itemIndex).toBe(1);
	});

	test('a template that one row names wrongly is listed with the other bad rows', async () => {
		const ids = [RENTAL_AGREEMENT.id, 'envelope_unknownunknown', RENTAL_AGREEMENT.id];
		const items = ids.map((id, index) => ({ json: { ...tina, id, Rent: index === 2 ? 'x' : 1 } }));
		const { error } = await suite.run(
			{ ...fillFromRow, templateId: byId('={{ $json.id }}') },
			items,
		);
		expect(`${error?.message}\n${error?.description}`).toMatch(/Item 1\b[^]*Item 2\b/);
	});
});

const unlimited = { options: { maxInFlight: 0 } };

const maybe = { options: { checkAllFirst: '={{ "maybe" }}' } };

const template = { resource: 'template', templateId: byId(RENTAL_AGREEMENT.id) };

const LIMIT = "'Options > Max Concurrent Requests' is below 1";

const SWITCH = "'Options > Check All Items First' is neither true nor false";

const ADVICE = 'Correct the value, or the expression that gives it.';

/** An operation of each kind. */
const unusable: Array<[string, IDataObject, string]> = [
	['a list', { ...template, operation: 'getAll', ...unlimited }, LIMIT],
	['a read of several at once', { ...template, operation: 'get', ...unlimited }, LIMIT],
	['a change', { ...template, operation: 'duplicate', ...unlimited }, LIMIT],
	['a creation', { ...fillFromRow, ...unlimited }, LIMIT],
	['a creation that checks all first', { ...fillFromRow, ...maybe }, SWITCH],
	[
		'a creation from files',
		{ resource: 'document', operation: 'create', ...contract, ...maybe },
		SWITCH,
	],
];

/** Items with files. */
const withFiles = async () =>
	await Promise.all(
		tenants(3).map(async (tenant) => ({
			...(await itemWith({ data: { content: await pdf() } })),
			...tenant,
		})),
	);

describe.each(unusable)('an option for the whole run that %s cannot use', (_, parameters, why) => {
	test('fails every item under Continue On Fail, and nothing is sent', async () => {
		const setup = { onError: 'continueRegularOutput' } as const;
		const { items, error } = await suite.run(parameters, await withFiles(), setup);
		expect(error).toBeUndefined();
		expect(items).toEqual(
			[0, 1, 2].map((item) => ({
				json: { error: `${why} [item ${item}]`, details: { description: ADVICE } },
				pairedItem: { item },
			})),
		);
		expect(lines(suite.service)).toEqual([]);
	});

	test('sends every item to the error output, with what it came with', async () => {
		const node = documenso(parameters, { onError: 'continueErrorOutput' });
		const { data } = await execute(credentialFor(suite.service), [node], await withFiles());
		const [successes = [], failures = []] =
			data.resultData.runData[node.name]?.[0]?.data?.main ?? [];
		expect(successes).toEqual([]);
		expect(failures?.map(({ json }) => json)).toEqual(
			tenants(3).map(({ json }, item) => ({
				...json,
				error: `${why} [item ${item}]`,
				message: { description: ADVICE },
			})),
		);
	});

	test('stops the run otherwise', async () => {
		const { items, error } = await suite.run(parameters, await withFiles());
		expect(error?.message).toBe(`${why} [item 0]`);
		expect(items).toEqual([]);
		expect(lines(suite.service)).toEqual([]);
	});
});

describe('a fake Documenso', () => {
	hurry();

	const ID = 'envelope_abcdefghijklmnop';

	const deep = (open: string, close: string, depth: number) =>
		open.repeat(depth) + close.repeat(depth);

	/** Bodies that a fake Documenso may answer, with any status. */
	const bodies: Array<[string, string]> = [
		['a page', '<!DOCTYPE html><script>alert(1)</script>'],
		['nothing', ''],
		['null', 'null'],
		['a list without end', deep('[', ']', 200_000)],
		['an object without end', `${'{"a":'.repeat(100_000)}0${'}'.repeat(100_000)}`],
		[
			'a prototype',
			'{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
		],
		[
			'a prototype in a list',
			'{"data":[{"__proto__":{"polluted":true},"id":"__proto__"}],"totalPages":1}',
		],
		['a list of nothing', '{"data":[null],"totalPages":1,"count":1}'],
		['a list that is none', '{"data":{"length":1},"totalPages":1}'],
		['pages beyond counting', '{"data":[],"totalPages":1e999,"count":1e999,"currentPage":-1}'],
		['recipients that are none', `{"id":"${ID}","type":"DOCUMENT","recipients":"all","fields":7}`],
		['recipients of nothing', `{"id":"${ID}","type":"DOCUMENT","recipients":[null]}`],
		['a message that is none', '{"message":{"toString":null},"code":["constructor"],"issues":{}}'],
		['a long message', JSON.stringify({ message: 'x'.repeat(5_000_000), code: 'constructor' })],
		[
			'many faults',
			JSON.stringify({ issues: Array(50_000).fill({ path: ['__proto__'], message: '<b>' }) }),
		],
	];

	const operations: Array<[string, IDataObject]> = [
		['Get', { resource: 'document', operation: 'get', documentId: byId(ID) }],
		[
			'Get without Simplify',
			{ resource: 'document', operation: 'get', documentId: byId(ID), output: 'raw' },
		],
		['Get Many', { resource: 'document', operation: 'getAll', returnAll: true }],
		['Download', { resource: 'document', operation: 'download', documentId: byId(ID) }],
		['Send', { resource: 'document', operation: 'send', documentId: byId(ID) }],
		['Create Document', fillFromRow],
	];

	describe.each(operations)('%s, answered by a fake Documenso', (_, parameters) => {
		test.each(bodies)(
			'with %s, returns it or fails, and changes no prototype',
			async (__, body) => {
				for (const status of [200, 400, 500]) {
					suite.service.fail({ match: '*', times: 1000, status, body });
					const setup = { onError: 'continueRegularOutput' } as const;
					const { items, error } = await suite.run(parameters, tenants(1), setup);
					expect(error).toBeUndefined();
					for (const { json } of items.filter((item) => 'error' in item.json)) {
						expect(JSON.stringify(json.error).length).toBeLessThan(3000);
						expect(JSON.stringify(json)).not.toMatch(
							/native code|is not a function|Cannot (read|use|destructure)/,
						);
					}
					expect({}).not.toHaveProperty('polluted');
					expect(suite.service.calls.length).toBeLessThan(40);
					await suite.service.reset();
				}
			},
		);
	});
});

describe('a switch that a cell turns on or off in words', () => {
	test('shows the inputs that depend on it', async () => {
		const documents = [await suite.document(), await suite.document()];
		const list = { resource: 'document', operation: 'getAll', returnAll: '={{ $json.all }}' };
		const some = await suite.outputOf({ ...list, limit: 1 }, [{ json: { all: 'false' } }]);
		expect(some).toHaveLength(1);
		const all = await suite.outputOf({ ...list, limit: 1 }, [{ json: { all: 'true' } }]);
		expect(all).toHaveLength(2);

		const duplicate = { resource: 'document', operation: 'duplicate' };
		const copy = { documentId: byId(documents[0]?.id), includeRecipients: '={{ $json.copy }}' };
		await suite.outputOf({ ...duplicate, ...copy }, [{ json: { copy: 'true' } }]);
		expect(sentTo(suite.service, 'POST /envelope/duplicate')).toMatchObject({
			...{ includeRecipients: true, includeFields: true },
		});
	});
});

describe('an answer that cannot be read', () => {
	hurry();

	const MAY_BE_DONE = 'may have done it';

	/** What a proxy makes of an answer: JSON, but without what Documenso's answer holds. */
	function garble(match: string) {
		suite.service.fail({ match, status: 200, body: {} });
	}

	const twice = { maxTries: 2 };

	const removal = (resource: string) => ({ resource, operation: 'delete' });

	test('a resend whose document could not be read is tried again, because nothing was sent yet', async () => {
		const { id } = await suite.document('createAndSend');
		garble(`GET /envelope/${id}`);
		const resend = { resource: 'document', operation: 'resend', documentId: byId(id) };
		const { items, error } = await suite.run(resend, tenants(1), twice);
		expect(error).toBeUndefined();
		expect(items[0]?.json.resentTo).toHaveLength(1);
		expect(suite.calls('POST /envelope/redistribute')).toHaveLength(1);
	});

	describe('an error about an answer to a read does not say that something may be done', () => {
		const reads: Array<[string, string, IDataObject]> = [
			['Get Many', 'GET /envelope', { operation: 'getAll', returnAll: true }],
			[
				'Get Many by IDs',
				'POST /envelope/get-many',
				{ operation: 'getByIds', id: '={{ $json.id }}' },
			],
			['Download', 'GET /envelope/*', { operation: 'download' }],
			['Resend', 'GET /envelope/*', { operation: 'resend' }],
			['Send and Wait', 'POST /envelope/get-many', { operation: 'sendUntilSigned' }],
		];
		test.each(reads)('%s', async (_, line, parameters) => {
			const { id } = await suite.document('createAndSend');
			suite.service.fail({ match: line, status: 200, body: {}, times: 99 });
			const { error } = await suite.run({
				resource: 'document',
				documentId: byId(id),
				...parameters,
				...('id' in parameters ? { id } : {}),
			});
			expect(error?.message).toBe("Documenso's answer could not be read");
			expect(error?.description).not.toContain(MAY_BE_DONE);
		});
	});

	describe('a change whose answer could not be read is not sent again', () => {
		const place = { page: 1, positionX: 10, positionY: 10, width: 20, height: 5 };
		const changes: Array<[string, string, IDataObject]> = [
			[
				'Field: Add',
				'POST /envelope/field/create-many',
				{ resource: 'field', operation: 'add', type: 'DATE', ...place },
			],
			[
				'Recipient: Add',
				'POST /envelope/recipient/create-many',
				{ resource: 'recipient', operation: 'add', email: 'new@example.com' },
			],
			[
				'Document: Duplicate',
				'POST /envelope/duplicate',
				{ resource: 'document', operation: 'duplicate' },
			],
			[
				'Attachment: Create',
				'POST /envelope/attachment/create',
				{
					resource: 'attachment',
					operation: 'create',
					label: 'Map',
					data: 'https://example.com/map',
				},
			],
			[
				'Folder: Create',
				'POST /folder/create',
				{ resource: 'folder', operation: 'create', name: 'Leases' },
			],
		];
		test.each(changes)('%s', async (_, line, parameters) => {
			const { id, recipients } = await suite.document();
			garble(line);
			const place = { documentId: byId(id), envelopeId: byId(id) };
			const given = { ...place, recipientId: byId(recipients[0]?.id), ...parameters };
			const { error } = await suite.run(given, tenants(1), twice);
			expect(error?.message).toContain('An earlier try failed, and is not retried');
			expect(error?.description).toContain(MAY_BE_DONE);
			expect(suite.calls(line)).toHaveLength(1);
		});
	});

	test.each([{ data: [] }, { data: [{}] }])('%j is no field that was moved', async (body) => {
		const document = await suite.document('createAndSend');
		suite.service.fail({ match: 'POST /envelope/field/create-many', status: 200, body });
		const { error } = await suite.run({
			...{ resource: 'field', operation: 'move', fieldId: byId(document.fields[0]?.id) },
			updateFields: { positionY: 30 },
		});
		expect(error?.message).toBe("Documenso's answer could not be read");
		expect(document.fields).toHaveLength(1);
	});

	test.each<[string, string, IDataObject]>([
		['Document: Cancel', 'POST /envelope/cancel', { resource: 'document', operation: 'cancel' }],
		['File: Delete', 'POST /envelope/item/delete', removal('file')],
		['Recipient: Delete', 'POST /envelope/recipient/delete', removal('recipient')],
		['Field: Delete', 'POST /envelope/field/delete', removal('field')],
	])(
		'%s that a second try finds done already says that the first may have done it',
		async (_, match, parameters) => {
			const isCancel = parameters.operation === 'cancel';
			const { id } = await suite.document(isCancel ? 'createAndSend' : 'create');
			const {
				recipients = [],
				fields = [],
				items = [],
			} = suite.service.store.envelopes.get(id) ?? {};
			items.push({ ...items[0], id: 'envelope_item_second' } as (typeof items)[number]);
			suite.service.fail({
				match,
				status: 502,
				body: '<html>Bad gateway</html>',
				takesEffect: true,
			});
			const ids = {
				documentId: byId(id),
				envelopeId: byId(id),
				recipientId: byId(recipients[0]?.id),
				fieldId: byId(fields[0]?.id),
				envelopeItemId: byId(items[0]?.id),
			};
			const { error } = await suite.run({ ...parameters, ...ids }, tenants(1), twice);
			expect(error?.description).toContain('and Documenso may have done it then');
			expect(suite.calls(match).length).toBeLessThanOrEqual(2);
		},
	);
});
