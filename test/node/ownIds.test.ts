import type { IDataObject } from 'n8n-workflow';

import { itemWith, useBinaryMode } from '../support/n8n';
import { pdf } from '../support/pdf';
import { lines } from '../support/service';
import {
	createAndSend,
	contract,
	fillFromRow,
	mapped,
	row,
	tenants,
	tina,
	useService,
	wholeRow,
} from '../support/suite';
import { hurry } from '../support/hurry';

hurry();

const suite = useService({ seed: 'demo' });
const { calls, documents } = suite;

/** The rows of a sheet with a column External ID. */
const sheet = (count: number) =>
	tenants(count).map(({ json }, index) => ({ json: { ...json, 'External ID': `L-${index}` } }));

const lease = { json: { ...wholeRow, 'External ID': 'L-1' } };
const other = { json: { ...lease.json, Rent: '950' } };

describe('if nothing is chosen, an item with its own External ID', () => {
	test('gets one document, however often the workflow runs', async () => {
		await suite.run(fillFromRow, sheet(3));
		const again = await suite.run(fillFromRow, sheet(3));
		expect(again.error).toBeUndefined();
		expect(again.items.map(({ json }) => json.alreadyExisted)).toEqual([true, true, true]);
		expect(documents()).toHaveLength(3);
		// The hint about fields that signers can erase is only for new documents.
		expect(again.hints).toEqual([
			'Each item has a document already, found by its External ID. Nothing was created for them, and what has changed in them since then is not in the documents.',
		]);
	});

	test('is told apart from one that is refused', async () => {
		await suite.run(fillFromRow, sheet(1));
		const rows = sheet(2);
		Object.assign(rows[1]?.json ?? {}, { 'Tenant email': 'nobody' });
		const { hints } = await suite.run(fillFromRow, rows, { onError: 'continueRegularOutput' });
		expect(hints).toContainEqual(expect.stringContaining('1 of 2 items have a document already'));
	});

	test.each([
		['DRAFT', /If its recipients were corrected, delete the draft envelope_\w+ first/],
		['PENDING', /If its recipients were corrected, cancel envelope_\w+ first/],
		['CANCELLED', /that no other contract has\. If nothing/],
	])(
		'is refused if the document is for others, with what to do about one that is %s',
		async (status, advice) => {
			await suite.run(fillFromRow, [lease]);
			Object.assign(documents()[0] ?? {}, { status });
			const tom = { json: { ...lease.json, 'Tenant email': 'tom@example.com' } };
			expect((await suite.run(fillFromRow, [tom])).error?.description).toMatch(advice);
		},
	);

	test('gets one in a loop that hands on one item at a time', async () => {
		for (const one of [...sheet(2), ...sheet(2)]) await suite.run(fillFromRow, [one]);
		expect(documents()).toHaveLength(2);
	});

	test.each(['integrated', 'trigger'] as const)(
		'gets one in an execution of the kind %s, such as that of a sub-workflow',
		async (mode) => {
			for (const _ of [1, 2]) await suite.run(fillFromRow, [lease], { mode });
			expect(documents()).toHaveLength(1);
		},
	);

	test('gets one with Create Document and Wait, Document: Create and the deprecated operation', async () => {
		const additionalFields = { externalId: 'L-9' };
		const content = await pdf();
		const upload = { ...contract, resource: 'document', operation: 'create', additionalFields };
		const byNumber = {
			...{
				...fillFromRow,
				resource: 'templateDeprecated',
				additionalFields: { externalId: 'L-8' },
			},
			templateNumber: suite.template().legacyId,
		};
		for (const _ of [1, 2]) {
			await suite.run(upload, [await itemWith({ data: { content } })]);
			await suite.run(byNumber, [row()]);
			await suite.run({ ...fillFromRow, operation: 'createDocumentUntilSigned' }, [lease]);
		}
		const ids = documents().map(({ externalId }) => externalId?.split(' ')[0]);
		expect(ids).toEqual(['L-9', 'L-8', 'L-1']);
	});

	test('fails if its document is for other people: a customer number is no ID of a contract', async () => {
		await suite.run(fillFromRow, [lease]);
		const tom = { json: { ...lease.json, 'Tenant email': 'tom@example.com' } };
		suite.service.calls.length = 0;
		const { error } = await suite.run(fillFromRow, [tom]);
		const [{ id } = { id: '' }] = documents();
		expect(error?.message).toBe(
			`'External ID' is "L-1", which a document already has: ${id} is for tina@example.com, landlord@example.com, not for tom@example.com, landlord@example.com [item 0]`,
		);
		expect(error?.description).toContain(
			'Give the item an External ID that no other contract has.',
		);
		expect(documents()).toHaveLength(1);
		// The list tells it: the document is not read.
		expect(new Set(lines(suite.service))).toEqual(
			new Set([`GET /envelope/${suite.template().id}`, 'GET /folder', 'GET /envelope']),
		);
	});

	test.each([
		['rejected', 'REJECTED'],
		['cancelled', 'CANCELLED'],
	] as const)(
		'fails if its document was %s, and with Skip only a hint says so',
		async (word, status) => {
			await suite.run(fillFromRow, [lease]);
			const [made] = documents();
			if (made) made.status = status;
			const { error } = await suite.run(fillFromRow, [lease]);
			expect(error?.message).toContain(`already has: ${made?.id} was ${word}`);
			const skipped = await suite.run({ ...fillFromRow, ifExternalIdExists: 'skip' }, [lease]);
			expect(skipped.error).toBeUndefined();
			expect(documents()).toHaveLength(1);
		},
	);
});

describe('an item without its own External ID', () => {
	test('gets a new document without a look-up', async () => {
		for (const _ of [1, 2]) await suite.run(fillFromRow, [row()]);
		expect(documents()).toHaveLength(2);
		expect(calls('GET /envelope')).toHaveLength(0);
	});

	test('gets one if only the template has an ID', async () => {
		suite.template().externalId = 'T-1';
		for (const _ of [1, 2]) await suite.run(fillFromRow, [row()]);
		expect(documents().map(({ externalId }) => externalId)).toEqual(['T-1', 'T-1']);
		expect(calls('GET /envelope')).toHaveLength(0);
	});
});

describe('two items with one External ID', () => {
	test('share a document if they are the same, and a hint names the second', async () => {
		const { items, hints } = await suite.run(fillFromRow, [
			lease,
			{ json: { ...wholeRow, 'External ID': 'L-2' } },
			lease,
		]);
		expect(documents()).toHaveLength(2);
		expect(items[2]?.json).toMatchObject({ id: items[0]?.json.id, alreadyExisted: true });
		expect(hints.join()).toContain('with the same External ID, so they share its document: 2.');
	});

	test.each(['skipSame', 'skip', 'skipAcrossWorkers'])(
		'are refused with %s if they ask for two documents, before anything is looked up or created',
		async (ifExternalIdExists) => {
			const { error } = await suite.run({ ...fillFromRow, ifExternalIdExists }, [lease, other]);
			expect(error?.message).toBe(
				`'External ID' is "L-1", which item 0 has too, for a document with something else in it [item 1]`,
			);
			expect(documents()).toHaveLength(0);
			expect(calls('GET /envelope')).toHaveLength(0);
		},
	);

	test('get only the first document without Check All Items First, and the second fails', async () => {
		const lenient = { ...fillFromRow, options: { checkAllFirst: false } };
		const { items, errorItems } = await suite.run(lenient, [lease, other], {
			onError: 'continueErrorOutput',
		});
		expect(items).toHaveLength(1);
		expect(errorItems[0]?.json.error).toContain('which item 0 has too');
		expect(documents()).toHaveLength(1);
	});

	test('are told apart in a preview, too', async () => {
		const preview = { ...fillFromRow, operation: 'previewDocument' };
		const actions = (await suite.outputOf(preview, [lease, other, lease])).map(
			({ documensoPreview }) => (documensoPreview as IDataObject).action,
		);
		expect(actions).toEqual(['send', 'refuse', 'skip']);
	});

	test('are the same if their files are, wherever n8n keeps them', async () => {
		await useBinaryMode('filesystem');
		const content = await pdf('A lease');
		const files = [content, content, await pdf('Another')];
		const items = await Promise.all(files.map((one) => itemWith({ data: { content: one } })));
		const send = { ...createAndSend, additionalFields: { externalId: 'L-1' } };
		const { error } = await suite.run(send, items);
		expect(error?.message).toMatch(/which item 0 has too.* \[item 2\]$/);
		const [one, same] = items;
		await suite.run(send, one && same && [one, same]);
		expect(documents()).toHaveLength(1);
		await useBinaryMode('default');
	});
});

describe('an External ID is what people see', () => {
	test.each([
		['an invisible character', 'L\u200b-1'],
		['a no-break space around it', '\u00a0L-1'],
	])('with %s it is the same', async (_, id) => {
		await suite.run(fillFromRow, [lease]);
		await suite.run(fillFromRow, [{ json: { ...lease.json, 'External ID': id } }]);
		expect(documents().map(({ externalId }) => externalId)).toEqual(['L-1']);
	});

	test.each([
		['Zoe\u0308', 'Zoë'],
		['Flat\u00a01', 'Flat 1'],
	])('%j and %j are one', async (id, same) => {
		for (const one of [id, same]) {
			await suite.run(fillFromRow, [{ json: { ...lease.json, 'External ID': one } }]);
		}
		expect(documents().map(({ externalId }) => externalId)).toEqual([same]);
	});

	test('but two that only look the same are told, where their documents are for two people', async () => {
		const tom = { ...lease.json, 'Tenant email': 'tom@example.com', 'External ID': 'L\u00a01' };
		const looksSame = { json: { ...lease.json, 'External ID': 'L 1' } };
		const told =
			'The two IDs look the same, but differ in a blank or an invisible character: "L\u00a01" here, "L 1" there';
		const both = await suite.run(fillFromRow, [looksSame, { json: tom }]);
		expect(both.error?.message).toContain(`which item 0 has too`);
		expect(both.error?.message).toContain(told);
		await suite.run(fillFromRow, [looksSame]);
		const { error } = await suite.run(fillFromRow, [{ json: tom }]);
		expect(error?.message).toContain(told);
		const skipped = await suite.run({ ...fillFromRow, ifExternalIdExists: 'skip' }, [
			{ json: tom },
		]);
		expect(skipped.hints.join()).toContain(told);
	});

	test.each([
		['l-1', 'L-1'],
		['L1', 'L-1'],
	])('%j and %j are two', async (id, another) => {
		for (const one of [id, another]) {
			await suite.run(fillFromRow, [{ json: { ...lease.json, 'External ID': one } }]);
		}
		expect(documents()).toHaveLength(2);
	});

	test('one that was stored as it was given is still found', async () => {
		const given = { json: { ...lease.json, 'External ID': 'Zoe\u0308\u200b 1' } };
		await suite.run(fillFromRow, [given]);
		const [made] = documents();
		if (made) made.externalId = 'Zoe\u0308\u200b 1';
		const { items } = await suite.run(fillFromRow, [given]);
		expect(items[0]?.json).toMatchObject({ id: made?.id, alreadyExisted: true });
	});

	test('Get Many finds it, however it is written', async () => {
		await suite.run(fillFromRow, [{ json: { ...lease.json, 'External ID': 'Flat 1' } }]);
		const list = { resource: 'document', operation: 'getAll', returnAll: true };
		const found = await suite.outputOf({ ...list, filters: { externalId: 'Flat\u00a01\u200b' } });
		expect(found).toHaveLength(1);
	});
});

describe('what stands on the panel now', () => {
	test('is read where a workflow from before has it', async () => {
		const before = {
			...fillFromRow,
			additionalFields: { ifExternalIdExists: 'create', title: 'A' },
		};
		for (const _ of [1, 2]) await suite.run(before, [lease]);
		expect(documents().map(({ title }) => title)).toEqual(['A', 'A']);
		await suite.run({ ...before, ifExternalIdExists: 'fail', title: 'B' }, [row({ id: 'L-2' })]);
		const { error } = await suite.run({ ...before, ifExternalIdExists: 'fail' }, [lease]);
		expect(error?.message).toContain('already has');
	});

	test('counts before it', async () => {
		const additionalFields = { title: 'Before' };
		await suite.run({ ...fillFromRow, title: 'On the panel', additionalFields }, [row()]);
		expect(documents()[0]?.title).toBe('On the panel');
	});

	test('a title with an expression that gives nothing is refused, and an empty one is that of the template', async () => {
		const { error } = await suite.run({ ...fillFromRow, title: '=Lease {{ $json.Nr }}' }, [row()]);
		expect(error?.message).toContain("'Title' has an expression that gives nothing");
		await suite.run({ ...fillFromRow, title: '' }, [row()]);
		expect(documents().map(({ title }) => title)).toEqual([suite.template().title]);
	});
});

describe("Signer's Name in Title", () => {
	const additionalFields = { signerInTitle: true };

	test("adds the first signer's name", async () => {
		await suite.run({ ...fillFromRow, additionalFields }, [row({ 'Tenant name': 'Tina Tenant' })]);
		expect(documents()[0]?.title).toBe(`${suite.template().title}, Tina Tenant`);
	});

	test('adds the address of one who has no name, or the name that the template has', async () => {
		await suite.run({ ...fillFromRow, title: 'Lease', additionalFields }, [{ json: tina }]);
		expect(documents()[0]?.title).toBe('Lease, tina@example.com');
		const [first] = suite.template().recipients;
		Object.assign(first ?? {}, { email: 'ada@example.com', name: 'Ada' });
		await suite.run({ ...fillFromRow, columns: mapped({}), title: 'Lease', additionalFields }, [
			row(),
		]);
		expect(documents()[1]?.title).toBe('Lease, Ada');
	});

	test('cuts the title at 255 characters, and no character in two', async () => {
		const title = 'x'.repeat(252);
		await suite.run({ ...fillFromRow, title, additionalFields }, [row({ 'Tenant name': '😀' })]);
		expect(documents()[0]?.title).toBe(`${title}, `);
	});
});
