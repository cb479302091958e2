import type { IDataObject } from 'n8n-workflow';

import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { hurry } from '../support/hurry';
import { runNode } from '../support/n8n';
import { refusal } from '../support/refusal';
import { credentialFor, lines, sentTo } from '../support/service';
import {
	byId,
	contract,
	createAndSend,
	fillFromRow,
	itemWithPdf,
	mapped,
	row,
	step,
	tenants,
	tina,
	USE,
	useService,
	wholeRow,
} from '../support/suite';

hurry();

const suite = useService({ seed: 'demo', latencyMs: 2 });

const rows = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ json: { row: index } }));

const getById = step('document.get', { documentId: '={{ $json.id }}' });

const cancelById = { ...getById, operation: 'cancel' };

/** Items that name documents. */
const itemsFor = (...ids: unknown[]) => ids.map((id) => ({ json: { id } as IDataObject }));

/** Drafts titled "Draft 0" and so on. */
async function drafts(count: number): Promise<string[]> {
	const item = await itemWithPdf();
	const items = rows(count).map(({ json }) => ({ ...item, json }));
	const parameters = step('document.create', {}, { title: '=Draft {{ $json.row }}' });
	const made = await suite.outputOf(parameters, items);
	suite.service.calls.length = 0;
	return made.map(({ id }) => id as string);
}

describe('items', () => {
	test('come out in the order in which they went in, each paired with its own', async () => {
		const ids = await drafts(30);
		const setup = { onError: 'continueRegularOutput' } as const;
		const { items } = await suite.run(cancelById, itemsFor(...ids), setup);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
			rows(30).map((_, item) => ({ item })),
		);
		const read = await suite.outputOf(getById, itemsFor(...ids));
		expect(read.map(({ title }) => title)).toEqual(rows(30).map((_, row) => `Draft ${row}`));
	});
});

describe('Continue On Fail', () => {
	test('a failing item fails alone, with status, code and message', async () => {
		const [id] = await drafts(1);
		const setup = { onError: 'continueRegularOutput' } as const;
		const items = itemsFor('envelope_unknownunknownun', id, '');
		const run = await suite.run({ ...getById, operation: 'delete' }, items, setup);
		expect(run.items).toEqual([
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
		const given = [{ json: { id, row: 1 } }, { json: { id: 'envelope_unknownunknownun', row: 2 } }];
		const { items, errorItems } = await suite.run(getById, given, {
			onError: 'continueErrorOutput',
		});
		expect(items).toMatchObject([{ json: { id } }]);
		const [failed] = errorItems.map(({ json }) => json);
		expect(failed).toMatchObject({
			row: 2,
			error: 'There is no document with the ID envelope_unknownunknownun',
			message: { status: 404 },
		});
		// With any other key, n8n before 2.40 sends the item to the other output.
		expect(Object.keys(failed ?? {}).sort()).toEqual(['error', 'id', 'message', 'row']);
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
	test('ask for the same id once', async () => {
		const [one, two] = await drafts(2);
		expect(await suite.outputOf(getById, itemsFor(one, two, one, one))).toHaveLength(4);
		expect(suite.service.calls.map(({ body }) => body)).toEqual([
			{ ids: { type: 'envelopeId', ids: [one, two] } },
		]);
	});

	test('an unknown id fails only its own item, with the service’s own error', async () => {
		const ids = await drafts(2);
		const asked = itemsFor(ids[0], 'envelope_unknownunknownun', 'nonsense', ids[1]);
		const { items } = await suite.run(getById, asked, { onError: 'continueRegularOutput' });
		expect(items.map(({ json }) => json.id ?? json.error)).toEqual([
			ids[0],
			'There is no document with the ID envelope_unknownunknownun',
			'\'Document\' is "nonsense", but an ID starts with envelope_ [item 2]',
			ids[1],
		]);
	});
});

test('an operation that does not exist is an error that says what to do', async () => {
	const { error } = await suite.run({ resource: 'document', operation: '__CUSTOM_API_CALL__' });
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
			const good = await itemWithPdf();
			const bad = { ...good, json: { email: 'nobody' } };
			const recipients = {
				recipient: [{ email: '={{ $json.email ?? "tina@example.com" }}', role: 'SIGNER' }],
			};
			const parameters = { resource: 'document', operation, ...contract, recipients };
			const error = await suite.refused(parameters, [good, good, bad]);
			expect(error.message).toMatch(/is not an email address: "nobody" \[item 2\]$/);
		},
	);

	test('an expression that fails has the item it failed for', async () => {
		const columns = mapped({ ...tina, Address: "={{ $json.n ? $('Nope').item.json.x : 'A' }}" });
		const items = [{ json: { n: 0 } }, { json: { n: 1 } }];
		const { error } = await suite.run({ ...fillFromRow, columns }, items);
		expect(error?.context?.itemIndex).toBe(1);
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
	await Promise.all(tenants(3).map(async (tenant) => ({ ...(await itemWithPdf()), ...tenant })));

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
		const setup = { onError: 'continueErrorOutput' } as const;
		const { items, errorItems } = await suite.run(parameters, await withFiles(), setup);
		expect(items).toEqual([]);
		expect(errorItems.map(({ json }) => json)).toEqual(
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

describe('a switch that a cell turns on or off in words', () => {
	test('shows the inputs that depend on it', async () => {
		const documents = [await suite.document(), await suite.document()];
		const list = { resource: 'document', operation: 'getAll', returnAll: '={{ $json.all }}' };
		const some = await suite.outputOf({ ...list, limit: 1 }, [{ json: { all: 'false' } }]);
		expect(some).toHaveLength(1);
		const all = await suite.outputOf({ ...list, limit: 1 }, [{ json: { all: 'true' } }]);
		expect(all).toHaveLength(2);

		const asSaid = { includeRecipients: '={{ $json.copy }}' };
		const duplicate = step('document.duplicate', { documentId: documents[0]?.id }, asSaid);
		await suite.outputOf(duplicate, [{ json: { copy: 'true' } }]);
		expect(sentTo(suite.service, 'POST /envelope/duplicate')).toMatchObject({
			...{ includeRecipients: true, includeFields: true },
		});
	});
});

const withRow: IDataObject = { ...fillFromRow, output: 'row' };
/** A sheet of which the second row has a mistake. */
const sheet = () => [
	row({ ...wholeRow, row_number: 2 }),
	row({ ...wholeRow, row_number: 3, Rent: 'much' }),
];

describe('Row and Result', () => {
	test('returns the row as it came in, and under one key what was done for it', async () => {
		const before = { ...wholeRow, row_number: 2, id: 'mine', error: 'mine too' };
		const [made] = await suite.outputOf(withRow, [row(before)]);
		const { documensoResult, ...rest } = made ?? {};
		expect(rest).toEqual(before);
		expect(documensoResult).toMatchObject({ ok: true, status: 'PENDING' });
		expect(documensoResult).toHaveProperty('id', suite.documents()[0]?.id);
	});

	test.each(['', 'much'])(
		'does nothing twice with Retry On Fail, for which n8n takes a column "error" (%j) for a failure',
		async (error) => {
			const { items } = await suite.run(withRow, [row({ ...wholeRow, error })], { maxTries: 3 });
			expect(suite.calls(USE)).toHaveLength(1);
			expect(items[0]?.json).toMatchObject({ error, documensoResult: { ok: true } });
		},
	);

	test('keeps a failed row beside the others under Continue', async () => {
		const { items, error } = await suite.run(withRow, sheet(), {
			onError: 'continueRegularOutput',
		});
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json)).toMatchObject([
			{ ...wholeRow, row_number: 2, documensoResult: { ok: true, status: 'PENDING' } },
			{
				...wholeRow,
				...{ row_number: 3, Rent: 'much' },
				documensoResult: {
					ok: false,
					error: expect.stringMatching(/^'Rent' .*\[row 3\]$/) as string,
					advice: expect.any(String) as string,
				},
			},
		]);
	});

	test('sends a failed row to the error output, where n8n adds its columns', async () => {
		const setup = { onError: 'continueErrorOutput' } as const;
		const { items, errorItems } = await suite.run(withRow, sheet(), setup);
		expect(items.map(({ json }) => json.row_number)).toEqual([2]);
		expect(errorItems.map(({ json }) => json)).toMatchObject([
			{
				...{ row_number: 3, 'Tenant email': wholeRow['Tenant email'] },
				...{ error: expect.stringMatching(/^'Rent' .*\[row 3\]$/) as string },
				message: { description: expect.any(String) as string },
			},
		]);
	});

	test('keeps a row for which a list has nothing', async () => {
		const filters = { externalId: '={{ $json.id }}' };
		const parameters = step('document.getAll', {}, { output: 'row', filters });
		const made = await suite.document();
		made.externalId = 'RA-1';
		const rows = ['RA-1', 'RA-2'].map((id) => row({ id }));
		expect(await suite.outputOf(parameters, rows)).toMatchObject([
			{ id: 'RA-1', documensoResult: { ok: true, id: made.id } },
			{ id: 'RA-2', documensoResult: { ok: true, found: 0 } },
		]);
	});

	test('says how Documenso refused it', async () => {
		suite.service.fail({ match: USE, ...refusal('No') });
		const setup = { onError: 'continueRegularOutput' } as const;
		const { items } = await suite.run(withRow, tenants(1), setup);
		expect(items[0]?.json.documensoResult).toMatchObject({ ok: false, status: 400 });
	});

	test('keeps the files of the row, also of one that failed', async () => {
		const parameters = {
			...{ ...createAndSend, output: 'row' },
			title: "={{ $itemIndex === 0 ? 'Lease' : ' ' }}",
		};
		const setup = { onError: 'continueRegularOutput' } as const;
		const { items } = await suite.run(
			parameters,
			[await itemWithPdf(), await itemWithPdf()],
			setup,
		);
		expect(items.map(({ json }) => (json.documensoResult as IDataObject).ok)).toEqual([
			...[true, false],
		]);
		for (const { binary } of items) expect(Object.keys(binary ?? {})).toEqual(['data']);
	});

	test('is chosen item by item', async () => {
		const parameters = {
			...fillFromRow,
			output: "={{ $json.Rent === '1' ? 'row' : 'simplified' }}",
		};
		const rows = [row({ ...wholeRow, Rent: '1' }), row({ ...wholeRow, Rent: '2' })];
		const [first, second] = await suite.outputOf(parameters, rows);
		expect(first).toHaveProperty('documensoResult.ok', true);
		expect(second).not.toHaveProperty('documensoResult');
	});

	test('has the rows again in a retry, though they are not stored', async () => {
		suite.service.fail({ match: USE, times: 1, ...refusal('Busy') });
		const { items, error } = await suite.run(withRow, tenants(3), { maxTries: 2 });
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.Address)).toEqual(['Quay 0', 'Quay 1', 'Quay 2']);
		expect(suite.documents()).toHaveLength(3);
	});

	test('also with a document that is read', async () => {
		const [made] = await suite.outputOf(fillFromRow, tenants(1));
		const get = step('document.get', { documentId: made?.id }, { output: 'row' });
		const [read] = await suite.outputOf(get, [row({ Note: 'x' })]);
		expect(read).toMatchObject({ Note: 'x', documensoResult: { ok: true, id: made?.id } });
	});
});

describe('signing links and tokens', () => {
	const links = (json: unknown) => JSON.stringify(json).match(/"(signingUrl|token)"/g) ?? [];
	const includeSigningLinks = { options: { includeSigningLinks: true } };

	async function outputs(changes: IDataObject = {}) {
		const [made] = await suite.outputOf({ ...fillFromRow, ...changes }, tenants(1));
		const uploaded = await suite.upload(changes);
		const [draft] = await suite.outputOf({ ...fillFromRow, send: false }, tenants(1));
		const documentId = byId(draft?.id);
		const again = async (operation: string) =>
			await suite.outputOf({ resource: 'document', operation, documentId, ...changes });
		return [made, uploaded.items[0]?.json, ...(await again('send')), ...(await again('resend'))];
	}

	test.each<[string, IDataObject]>([
		['Simplified', {}],
		['Row and Result', { output: 'row' }],
	])('are not in what is created, sent and sent again, with %s', async (_, changes) => {
		const all = await outputs(changes);
		expect(all).toHaveLength(4);
		for (const one of all) expect(links(one)).toEqual([]);
	});

	test('are there where the option is on: the links, and no tokens', async () => {
		for (const one of await outputs(includeSigningLinks)) {
			expect(new Set(links(one))).toEqual(new Set(['"signingUrl"']));
		}
	});

	test('are all there with Raw', async () => {
		for (const one of await outputs({ output: 'raw' })) {
			expect(new Set(links(one))).toEqual(new Set(['"signingUrl"', '"token"']));
		}
	});
});
