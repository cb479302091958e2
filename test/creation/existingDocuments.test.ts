import type { IDataObject } from 'n8n-workflow';

import { MUTUAL_NDA, RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { clock } from '../../nodes/shared/api/clock';
import { hurry } from '../support/hurry';
import { documenso, execute, itemWith, useBinaryMode } from '../support/n8n';
import { pdf } from '../support/pdf';
import { refusal } from '../support/refusal';
import { lines, sentTo } from '../support/service';
import {
	automatic,
	byId,
	contract,
	createAndSend,
	fillFromRow,
	mapped,
	row,
	tenants,
	tina,
	USE,
	wholeRow,
	withId,
	WITH_LINKS,
} from '../support/suite';
import { choosing, continued, sheet, useCreation } from './support';

hurry();

// Which document an External ID stands for, and what is done about one that is there.
const suite = useCreation();
const { calls, documents } = suite;

const rows = tenants(5);
const [first] = rows as [{ json: IDataObject }];
const skip = (changes: IDataObject = {}) => withId({ ifExternalIdExists: 'skip', ...changes });
const lease = { json: { ...wholeRow, 'External ID': 'L-1' } };
const leaseWith = (changes: IDataObject) => ({ json: { ...lease.json, ...changes } });
const other = leaseWith({ Rent: '950' });
const forTom = leaseWith({ 'Tenant email': 'tom@example.com' });
const flagsOf = (items: Array<{ json: IDataObject }>) =>
	items.map(({ json }) => json.alreadyExisted === true);

/** A document that exists, with another status than it had. */
async function existing(status?: string) {
	await suite.run(fillFromRow, [lease]);
	const [made] = documents();
	if (!made) throw new Error('The document was not made');
	if (status) Object.assign(made, { status });
	suite.service.calls.length = 0;
	return made;
}

describe('If External ID Exists', () => {
	test('Create Anyway asks nothing', async () => {
		await suite.run(withId(), rows);
		expect(documents()).toHaveLength(5);
		expect(calls('GET /envelope')).toHaveLength(0);
	});

	test('Skip returns the document that exists, wherever it was moved, with its status', async () => {
		const [made] = (await suite.run(withId(), [first])).items;
		const folderId = await suite.folder('Filed');
		Object.assign(documents()[0] ?? {}, { folderId });
		const { items } = await suite.run({ ...skip(), ...WITH_LINKS }, [first]);
		expect(documents()).toHaveLength(1);
		expect(items[0]?.json).toMatchObject({
			...{ id: made?.json.id, status: 'PENDING', externalId: 'RA-1', alreadyExisted: true },
			recipients: expect.arrayContaining([
				expect.objectContaining({ signingUrl: expect.stringContaining('/sign/') as string }),
			]) as unknown,
		});
	});

	test('Skip makes one document for rows with the same ID, and looks for all of them together', async () => {
		const ids = ['A', 'B', 'A', 'C', 'B', 'D', 'A'];
		const { items, error } = await suite.run(
			skip(),
			ids.map((id) => ({ json: { ...first.json, id } })),
		);
		expect(error).toBeUndefined();
		expect(suite.externalIds().sort()).toEqual(['A', 'B', 'C', 'D']);
		expect(items.map(({ json }) => json.externalId)).toEqual(ids);
		expect(items[2]?.json.id).toBe(items[0]?.json.id);
		expect(flagsOf(items)).toEqual(ids.map((id, index) => ids.indexOf(id) < index));
		expect(calls('GET /envelope')).toHaveLength(1);
	});

	test('Fail refuses what exists before anything is created', async () => {
		await suite.run(withId(), [first]);
		const items = [{ json: { ...rows[1]?.json, id: 'RA-2' } }, first];
		const { error } = await suite.run(withId({ ifExternalIdExists: 'fail' }), items);
		expect(error?.message).toBe(
			`'External ID' is "RA-1", which the document ${documents()[0]?.id} (pending) already has [item 1]`,
		);
		expect(documents()).toHaveLength(1);
	});

	test('Skip and Fail need an ID, and that of the template is none', async () => {
		for (const externalId of [null, 'T-1']) {
			suite.template().externalId = externalId;
			const { error } = await suite.run(choosing('skip'), [first]);
			expect(error?.message).toMatch(/^'External ID' is missing/);
		}
		expect(documents()).toHaveLength(0);
	});

	test('Skip finds a document behind a hundred others that look alike, and takes neither a template nor a longer ID for it', async () => {
		await suite.run(withId(), [{ json: tina }]);
		suite.template().externalId = 'RA-1';
		const many = Array.from({ length: 101 }, (_, index) => row({ id: `RA-1${index}` }));
		await suite.run(withId(), many);
		expect(flagsOf((await suite.run(skip({ externalId: 'RA-1' }), [row()])).items)).toEqual([true]);
		suite.template().externalId = 'T-1';
		for (const externalId of ['T-1', 'RA-', 'RA-1000']) {
			const fresh = await suite.run(skip({ externalId }), [row()]);
			expect(fresh.error).toBeUndefined();
			expect(flagsOf(fresh.items)).toEqual([false]);
		}
	});

	test.each(['%', '_____', '%_\\\\'])(
		'Skip finds a document with the ID %j, which is a pattern to Documenso, without listing all',
		async (id) => {
			const many = tenants(120).map(({ json }, index) => ({
				json: { ...json, id: `RA-${index}` },
			}));
			await suite.run(withId(), many);
			for (const isThere of [false, true]) {
				suite.service.calls.length = 0;
				const { items } = await suite.run(skip(), [{ json: { ...first.json, id } }]);
				expect(flagsOf(items)).toEqual([isThere]);
				expect(calls('GET /envelope')).toHaveLength(1);
			}
		},
	);

	test('rows that share an ID fail with the first whose document could not be made', async () => {
		suite.service.fail({ match: USE, ...refusal('Busy') });
		const { items } = await suite.run(skip({ externalId: 'A' }), [row(), row()], continued);
		expect(items.map(({ json }) => json.error)).toEqual([
			'Busy',
			`'External ID' is "A". Item 0 has the same External ID, and its document could not be created [item 1]`,
		]);
	});

	test('Skip marks what existed in the deprecated operation, too', async () => {
		const old = {
			...{ resource: 'templateDeprecated', operation: 'createDocument', columns: automatic },
			templateNumber: suite.template().legacyId,
			additionalFields: { externalId: 'D', ifExternalIdExists: 'skip' },
		};
		await suite.run(old, [row()]);
		expect(flagsOf((await suite.run(old, [row()])).items)).toEqual([true]);
	});

	/** Statuses from the oldest to the newest, and which of them counts. */
	const SEVERAL: Array<[string[], number]> = [
		[['PENDING', 'DRAFT'], 0],
		[['DRAFT', 'PENDING'], 1],
		[['COMPLETED', 'DRAFT'], 0],
		[['DRAFT', 'COMPLETED', 'PENDING'], 1],
		[['PENDING', 'COMPLETED'], 0],
		[['DRAFT', 'DRAFT'], 0],
		[['REJECTED', 'DRAFT'], 1],
		[['REJECTED', 'PENDING', 'DRAFT'], 1],
		[['CANCELLED', 'COMPLETED'], 1],
		[['CANCELLED', 'REJECTED'], 0],
		[['REJECTED'], 0],
	];

	test.each(['skip', 'skipAcrossWorkers'])(
		'of several documents, %s takes a sent one before a draft, the oldest of each, and what ended badly last',
		async (policy) => {
			const wanted: string[] = [];
			for (const [index, [statuses, counts]] of SEVERAL.entries()) {
				for (const [place, status] of statuses.entries()) {
					const before = new Set(documents());
					await suite.run(choosing('create', { send: status !== 'DRAFT' }), sheet(1, index));
					const [made] = documents().filter((one) => !before.has(one));
					if (!made) throw new Error('No document was made');
					const createdAt = new Date(clock.now() - (10 - place) * 3_600_000);
					Object.assign(made, { status, createdAt });
					if (place === counts) wanted.push(made.id);
				}
			}
			const before = documents().length;
			const drafts = () => suite.statuses().filter((status) => status === 'DRAFT').length;
			const draftsBefore = drafts();
			const { items } = await suite.run(choosing(policy), sheet(SEVERAL.length), continued);
			expect(items.map(({ json }) => json.id ?? json.error)).toEqual(wanted);
			expect(documents()).toHaveLength(before);
			expect(items.at(-1)?.json).toMatchObject({ status: 'REJECTED', alreadyExisted: true });
			// Nothing else was sent: only the drafts that count.
			const counting = SEVERAL.filter(([statuses, counts]) => statuses[counts] === 'DRAFT');
			expect(drafts()).toBe(draftsBefore - counting.length);
		},
	);
});

describe('if nothing is chosen, an item with its own External ID', () => {
	test('gets one document, however often the workflow runs', async () => {
		await suite.run(fillFromRow, sheet(3));
		const again = await suite.run(fillFromRow, sheet(3));
		expect(again.error).toBeUndefined();
		expect(flagsOf(again.items)).toEqual([true, true, true]);
		expect(documents()).toHaveLength(3);
		// The hint about fields that signers can erase is only for new documents.
		expect(again.hints).toEqual([
			'Each item has a document already, found by its External ID. Nothing was created for them, and what has changed in them since then is not in the documents.',
		]);
	});

	test('is told apart from one that is refused', async () => {
		await suite.run(fillFromRow, sheet(1));
		const two = sheet(2);
		Object.assign(two[1]?.json ?? {}, { 'Tenant email': 'nobody' });
		const { hints } = await suite.run(fillFromRow, two, continued);
		expect(hints).toContainEqual(expect.stringContaining('1 of 2 items have a document already'));
	});

	test('gets one in a loop that hands on one item at a time, and in executions of other kinds', async () => {
		for (const one of [...sheet(2), ...sheet(2)]) await suite.run(fillFromRow, [one]);
		for (const mode of ['integrated', 'trigger'] as const) {
			await suite.run(fillFromRow, sheet(1), { mode });
		}
		expect(documents()).toHaveLength(2);
	});

	test('gets one with Create Document and Wait, Document: Create and the deprecated operation', async () => {
		const content = await pdf();
		const create = { ...contract, resource: 'document', operation: 'create' };
		const upload = { ...create, additionalFields: { externalId: 'L-9' } };
		const byNumber = {
			...{ ...fillFromRow, resource: 'templateDeprecated' },
			additionalFields: { externalId: 'L-8' },
			templateNumber: suite.template().legacyId,
		};
		for (const _ of [1, 2]) {
			await suite.run(upload, [await itemWith({ data: { content } })]);
			await suite.run(byNumber, [row()]);
			await suite.run({ ...fillFromRow, operation: 'createDocumentUntilSigned' }, [lease]);
		}
		const ids = suite.externalIds().map((id) => id?.split(' ')[0]);
		expect(ids).toEqual(['L-9', 'L-8', 'L-1']);
	});

	test('fails if its document is for other people: a customer number is no ID of a contract', async () => {
		const { id } = await existing();
		const { error } = await suite.run(fillFromRow, [forTom]);
		expect(error?.message).toBe(
			`'External ID' is "L-1", which a document already has: ${id} is for tina@example.com, landlord@example.com, not for tom@example.com, landlord@example.com [item 0]`,
		);
		expect(error?.description).toContain(
			'Give the item an External ID that no other contract has.',
		);
		expect(documents()).toHaveLength(1);
		// The list tells it: the document is not read.
		const asked = [`GET /envelope/${RENTAL_AGREEMENT.id}`, 'GET /folder', 'GET /envelope'];
		expect(new Set(lines(suite.service))).toEqual(new Set(asked));
	});

	test('has its document if a signer has named somebody else as the next one', async () => {
		Object.assign(suite.template().documentMeta, {
			...{ signingOrder: 'SEQUENTIAL', allowDictateNextSigner: true },
		});
		const { recipients } = await existing();
		const [tenant, landlord] = recipients;
		Object.assign(landlord ?? {}, { email: 'brother@example.com', name: 'Bert' });
		expect((await suite.run(fillFromRow, [lease])).error?.message).toContain('is for');
		await suite.service.sign(tenant?.token ?? '');
		const { error, items } = await suite.run(fillFromRow, [
			lease,
			leaseWith({ 'External ID': 'L-2' }),
		]);
		expect(error).toBeUndefined();
		expect(flagsOf(items)).toEqual([true, false]);
		const skipped = await suite.run({ ...fillFromRow, ifExternalIdExists: 'skip' }, [lease]);
		expect(skipped.hints.join()).not.toContain('for other recipients');
		expect(skipped.hints.join()).toContain('seems to have named somebody else');
		expect((await suite.run(fillFromRow, [forTom])).error?.message).toContain('is for');
		// A default recipient of the team is nobody whom a signer has named.
		Object.assign(landlord ?? {}, { signingOrder: null });
		expect((await suite.run(fillFromRow, [lease])).error?.message).toContain('is for');
	});

	test.each([
		['DRAFT', /If the draft envelope_\w+ is out of date, delete it first/],
		['PENDING', /If its recipients were corrected, cancel envelope_\w+ first/],
		['CANCELLED', /that no other contract has\. If nothing/],
	])('is told what to do about a document for others that is %s', async (status, advice) => {
		await existing(status);
		expect((await suite.run(fillFromRow, [forTom])).error?.description).toMatch(advice);
	});

	test.each(['rejected', 'cancelled'])(
		'fails if its document was %s, and with Skip only a hint says so',
		async (word) => {
			const { id } = await existing(word.toUpperCase());
			const { error } = await suite.run(fillFromRow, [lease]);
			expect(error?.message).toContain(`already has: ${id} was ${word}`);
			const skipped = await suite.run({ ...fillFromRow, ifExternalIdExists: 'skip' }, [lease]);
			expect(skipped.error).toBeUndefined();
			expect(documents()).toHaveLength(1);
		},
	);
});

test.each([null, 'T-1'])(
	'an item without its own External ID gets a new document without a look-up (that of the template: %s)',
	async (externalId) => {
		suite.template().externalId = externalId;
		for (const _ of [1, 2]) await suite.run(fillFromRow, [row()]);
		const ids = suite.externalIds();
		expect(ids).toHaveLength(2);
		if (externalId) expect(ids).toEqual([externalId, externalId]);
		else expect(ids[0]).not.toBe(ids[1]);
		expect(calls('GET /envelope')).toHaveLength(0);
	},
);

describe('a document of another template that has the External ID', () => {
	const TOLD = 'Item 0: envelope_';

	test('is told, where a row goes through two nodes', async () => {
		await suite.run(fillFromRow, [lease]);
		const nda = {
			json: { 'Signer email': 'tina@example.com', Company: 'X', 'External ID': 'L-1' },
		};
		const changes = { templateId: byId(MUTUAL_NDA.id) };
		const { items, hints } = await suite.run({ ...fillFromRow, ...changes }, [nda]);
		expect(flagsOf(items)).toEqual([true]);
		expect(hints.join()).toContain(TOLD);
		expect(hints.join()).toContain('was made from another template');
	});

	test('is told for a document from a PDF, and not if it was made like that, too', async () => {
		const recipients = { recipient: [{ email: 'tina@example.com', name: 'T', role: 'SIGNER' }] };
		const additionalFields = { externalId: 'L-1' };
		const fromPdf = { ...createAndSend, ...contract, recipients, additionalFields };
		const upload = await itemWith({ data: { content: await pdf() } });
		await suite.run(fillFromRow, [lease]);
		const first = await suite.run(fromPdf, [upload]);
		expect(first.hints.join()).toContain('was made from a template');
		Object.assign(documents()[0] ?? {}, { templateId: null });
		const second = await suite.run(fromPdf, [upload]);
		expect(flagsOf(second.items)).toEqual([true]);
		expect(second.hints.join()).not.toContain('was made');
	});

	test.each(['skipSame', 'skip', 'skipAcrossWorkers'])(
		'is not sent if it is a draft, with %s',
		async (ifExternalIdExists) => {
			await suite.run({ ...fillFromRow, send: false }, [lease]);
			const [draft] = documents();
			Object.assign(draft ?? {}, { templateId: 999 });
			const { error } = await suite.run({ ...fillFromRow, ifExternalIdExists }, [lease]);
			expect(error?.message).toContain(`${draft?.id} was made from another template`);
			expect(error?.description).not.toContain('choose Skip');
			expect(documents()).toHaveLength(1);
			expect(draft?.status).toBe('DRAFT');
		},
	);
});

describe('two items with one External ID', () => {
	test('share a document if they are the same, and a hint names the second', async () => {
		const another = leaseWith({ 'External ID': 'L-2' });
		const { items, hints } = await suite.run(fillFromRow, [lease, another, lease]);
		expect(documents()).toHaveLength(2);
		expect(items[2]?.json).toMatchObject({ id: items[0]?.json.id, alreadyExisted: true });
		expect(hints.join()).toContain('with the same External ID, so they share its document: 2.');
	});

	test.each(['skipSame', 'skip', 'skipAcrossWorkers'])(
		'are refused with %s if they ask for two documents, before anything is looked up or created',
		async (ifExternalIdExists) => {
			const { error } = await suite.run({ ...fillFromRow, ifExternalIdExists }, [lease, other]);
			expect(error?.message).toBe(
				`'External ID' is "L-1", which item 0 has too, for a document with different content [item 1]`,
			);
			expect(documents()).toHaveLength(0);
			expect(calls('GET /envelope')).toHaveLength(0);
		},
	);

	test('get only the first document without Check All Items First, and the second fails', async () => {
		const lenient = { ...fillFromRow, options: { checkAllFirst: false } };
		const setup = { onError: 'continueErrorOutput' } as const;
		const { items, errorItems } = await suite.run(lenient, [lease, other], setup);
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

	test('are both refused by a preview if the first one is', async () => {
		await suite.run(fillFromRow, [forTom]);
		const preview = { ...fillFromRow, operation: 'previewDocument' };
		const found = (await suite.outputOf(preview, [lease, lease])).map(
			({ documensoPreview }) => documensoPreview as IDataObject,
		);
		expect(found.map(({ action }) => action)).toEqual(['refuse', 'refuse']);
		expect(JSON.stringify(found[1])).toContain('Item 0 has the same External ID');
	});

	test('are the same if their files are, wherever n8n keeps them', async () => {
		await useBinaryMode('filesystem');
		const content = await pdf('A lease');
		const contents = [content, content, await pdf('Another')];
		const items = await Promise.all(contents.map((one) => itemWith({ data: { content: one } })));
		const send = { ...createAndSend, additionalFields: { externalId: 'L-1' } };
		const { error } = await suite.run(send, items);
		expect(error?.message).toMatch(/which item 0 has too.* \[item 2\]$/);
		await suite.run(send, items.slice(0, 2));
		expect(documents()).toHaveLength(1);
		await useBinaryMode('default');
	});
});

describe('an External ID is what people see', () => {
	test.each([
		['L-1', 'L\u200b-1', ['L-1']],
		['L-1', '\u00a0L-1', ['L-1']],
		['Zoe\u0308', 'Zoë', ['Zoë']],
		['Flat\u00a01', 'Flat 1', ['Flat 1']],
		['l-1', 'L-1', ['l-1', 'L-1']],
		['L1', 'L-1', ['L1', 'L-1']],
	])('%j and %j make the documents %j', async (one, two, stored) => {
		for (const id of [one, two]) await suite.run(fillFromRow, [leaseWith({ 'External ID': id })]);
		expect(suite.externalIds()).toEqual(stored);
	});

	test('but two that only look the same are told, where their documents are for two people', async () => {
		const tom = { json: { ...forTom.json, 'External ID': 'L\u00a01' } };
		const looksSame = leaseWith({ 'External ID': 'L 1' });
		const told =
			'The two IDs look the same, but differ in a blank or an invisible character: "L\u00a01" here, "L 1" there';
		const both = await suite.run(fillFromRow, [looksSame, tom]);
		expect(both.error?.message).toContain(`which item 0 has too`);
		expect(both.error?.message).toContain(told);
		await suite.run(fillFromRow, [looksSame]);
		expect((await suite.run(fillFromRow, [tom])).error?.message).toContain(told);
		const skipped = await suite.run({ ...fillFromRow, ifExternalIdExists: 'skip' }, [tom]);
		expect(skipped.hints.join()).toContain(told);
	});

	test('one that was stored as it was given is still found', async () => {
		const externalId = 'Zoe\u0308\u200b 1';
		const given = leaseWith({ 'External ID': externalId });
		await suite.run(fillFromRow, [given]);
		const [made] = documents();
		Object.assign(made ?? {}, { externalId });
		const { items } = await suite.run(fillFromRow, [given]);
		expect(items[0]?.json).toMatchObject({ id: made?.id, alreadyExisted: true });
	});

	test.each([
		['Flat 1', 'Flat\u00a01\u200b'],
		['Flat\u00a01', 'Flat\u00a01'],
		['Flat  1', 'Flat  1'],
		['e\u0301-1', 'e\u0301-1'],
	])('Get Many finds it, however it is written: %j, asked for as %j', async (externalId, asked) => {
		await suite.run(fillFromRow, [leaseWith({ 'External ID': 'L-1' })]);
		Object.assign(documents()[0] ?? {}, { externalId });
		const list = { resource: 'document', operation: 'getAll', returnAll: true };
		const found = await suite.outputOf({ ...list, filters: { externalId: asked } });
		expect(found).toHaveLength(1);
	});
});

describe('the External ID', () => {
	const idOf = async (json: IDataObject, changes: IDataObject = {}) => {
		suite.service.calls.length = 0;
		await suite.outputOf({ ...fillFromRow, ...changes }, [{ json: { ...tina, ...json } }]);
		return sentTo(suite.service, USE).externalId;
	};

	test('is made up for each item that has none', async () => {
		const item = await itemWith({ data: { content: await pdf() } });
		const create = { resource: 'document', operation: 'create', ...contract };
		const { items } = await suite.run(create, [item, item]);
		const [one, two] = items.map(({ json }) => json.externalId);
		expect(one).toMatch(/^n8n:/);
		expect(one).not.toBe(two);
	});

	test.each<[string, IDataObject, IDataObject, string | RegExp]>([
		['is taken from a column of this name', { 'External ID': 'RA-7' }, {}, 'RA-7'],
		['may be a number', { external_id: 8 }, {}, '8'],
		['is the filled column of several', { external_id: '', 'External ID': 'RA-7' }, {}, 'RA-7'],
		[
			'is the one that is entered before that of a column',
			{ external_id: 8, Rent: '1200' },
			{ additionalFields: { externalId: '={{ $json.Rent }}' } },
			'1200',
		],
		[
			'is taken from its input when the columns are mapped one by one',
			{ 'External ID': 'RA-9' },
			{ columns: mapped({ ...tina, 'External ID': 'RA-8' }) },
			'RA-8',
		],
		[
			'is not taken from the item then',
			{ 'External ID': 'RA-9' },
			{ columns: mapped(tina) },
			/^n8n:/,
		],
	])('%s', async (_, json, changes, expected) => {
		if (typeof expected === 'string') expect(await idOf(json, changes)).toBe(expected);
		else expect(await idOf(json, changes)).toMatch(expected);
	});

	test('is not taken from the JSON of a field that is called so', async () => {
		const [field] = suite.template().fields.filter(({ type }) => type === 'TEXT');
		Object.assign(field ?? {}, { fieldMeta: { type: 'text', label: 'External ID' } });
		const additionalFields = { prefillJson: '{"External ID": "RA-9"}' };
		expect(await idOf({}, { columns: mapped(tina), additionalFields })).toMatch(/^n8n:/);
	});

	test('is refused where it cannot be used, not dropped', async () => {
		const { error } = await suite.run(fillFromRow, [row({ 'External ID': 'x'.repeat(300) })]);
		expect(error?.message).toMatch(/^'External ID' has \d+ characters; at most 255 are allowed/);
	});

	test.each(['create', 'skip', 'skipAcrossWorkers', 'fail'])(
		'is refused before any request if it could not be found again, under %s',
		async (ifExternalIdExists) => {
			const file = await itemWith({ data: { content: await pdf() } });
			const unfindable = [
				'n8n-wait:1',
				'RA n8n-wait:a:1',
				'half \ud83d',
				'\ude00 half',
				'RA\u00001',
			];
			for (const externalId of unfindable) {
				const additionalFields = { externalId, ifExternalIdExists };
				const upload = await suite.run({ ...createAndSend, additionalFields }, [file]);
				expect(upload.error?.message).toContain("External ID' contains");
				expect(suite.service.calls).toEqual([]);
				const use = await suite.run({ ...fillFromRow, additionalFields }, [row()]);
				expect(use.error?.message).toContain("External ID' contains");
				expect(documents()).toEqual([]);
				suite.service.calls.length = 0;
			}
		},
	);

	test('is not refused if it only looks like that', async () => {
		for (const existed of [false, true]) {
			const { items } = await suite.run(skip({ externalId: 'RA-n8n-wait:😀' }), [row()]);
			expect(flagsOf(items)).toEqual([existed]);
		}
		expect(documents()).toHaveLength(1);
	});

	test.each<[string, IDataObject, RegExp]>([
		['for the lost one', {}, /^The connection to Documenso/],
		['for one that exists', { ifExternalIdExists: 'skip' }, /^'External ID' is missing/],
	])(
		'that comes with the item from another node does not stand %s',
		async (_, changes, message) => {
			const parameters = { ...fillFromRow, columns: mapped(tina) };
			const before = documenso(parameters, { name: 'First' });
			const node = documenso({ ...parameters, additionalFields: changes }, { name: 'Second' });
			suite.service.fail({ match: USE, delayMs: 0 });
			suite.service.fail({ match: USE, cut: 'before' });
			const { data } = await execute(suite.credential(), [before, node], [{ json: {} }]);
			expect(data.resultData.error?.message).toMatch(message);
			expect(data.resultData.runData.Second?.[0]?.data).toBeUndefined();
			expect(documents()).toHaveLength(1);
		},
	);
});

describe('what stands on the panel now', () => {
	test('is read where a workflow from before has it', async () => {
		const before = {
			...fillFromRow,
			additionalFields: { ifExternalIdExists: 'create', title: 'A' },
		};
		for (const _ of [1, 2]) await suite.run(before, [lease]);
		expect(documents().map(({ title }) => title)).toEqual(['A', 'A']);
		const { error } = await suite.run({ ...before, ifExternalIdExists: 'fail' }, [lease]);
		expect(error?.message).toContain('already has');
	});

	test('counts before it, and an empty title is that of the template', async () => {
		const additionalFields = { title: 'Before' };
		await suite.run({ ...fillFromRow, title: 'On the panel', additionalFields }, [row()]);
		await suite.run({ ...fillFromRow, title: '' }, [row()]);
		const titles = documents().map(({ title }) => title);
		expect(titles).toEqual(['On the panel', suite.template().title]);
	});

	test('is refused if it is a title with an expression that gives nothing', async () => {
		const { error } = await suite.run({ ...fillFromRow, title: '=Lease {{ $json.Nr }}' }, [row()]);
		expect(error?.message).toContain("'Title' has an expression that gives nothing");
	});
});

describe("Signer's Name in Title", () => {
	const additionalFields = { signerInTitle: true };
	const titleOf = async (changes: IDataObject, json: IDataObject = {}) => {
		const [made] = await suite.outputOf({ ...fillFromRow, additionalFields, ...changes }, [
			row(json),
		]);
		return made?.title;
	};

	test("adds the first signer's name, or the address of one who has no name", async () => {
		const title = `${suite.template().title}, Tina Tenant`;
		expect(await titleOf({}, { 'Tenant name': 'Tina Tenant' })).toBe(title);
		expect(await titleOf({ title: 'Lease' })).toBe('Lease, tina@example.com');
	});

	test('adds the name that the template has', async () => {
		Object.assign(suite.template().recipients[0] ?? {}, { email: 'ada@example.com', name: 'Ada' });
		expect(await titleOf({ title: 'Lease', columns: mapped({}) })).toBe('Lease, Ada');
	});

	test('cuts the title at 255 characters, and no character in two', async () => {
		const title = 'x'.repeat(252);
		expect(await titleOf({ title }, { 'Tenant name': '😀' })).toBe(`${title}, `);
	});
});

test('an External ID that begins like those of the node is one like any other', async () => {
	const named = { json: { ...wholeRow, 'External ID': 'n8n:4711' } };
	for (let times = 0; times < 2; times++) await suite.run(fillFromRow, [named]);
	expect(documents()).toMatchObject([{ externalId: 'n8n:4711' }]);
});

describe('a draft that was made from the row before it was corrected', () => {
	const draft = async (changes: IDataObject) =>
		await suite.run({ ...fillFromRow, send: false }, [leaseWith(changes)]);

	test.each<[string, IDataObject, IDataObject, string]>([
		['another rent', { Rent: '90' }, {}, 'Rent'],
		[
			"two people in each other's place",
			{ 'Tenant email': 'landlord@example.com', 'Anna Landlord email': 'tina@example.com' },
			{ 'Anna Landlord email': 'landlord@example.com' },
			'Tenant email, Anna Landlord email',
		],
	])('is not sent with Skip If Same Recipients: %s', async (_, before, now, differences) => {
		await draft(before);
		const { error } = await suite.run(fillFromRow, [leaseWith(now)]);
		expect(error?.message).toContain(`and it differs in ${differences}`);
		expect(error?.description).toContain('Delete the draft in Documenso');
		expect(documents().map(({ status }) => status)).toEqual(['DRAFT']);
		const preview = { ...fillFromRow, operation: 'previewDocument' };
		const { items } = await suite.run(preview, [leaseWith(now)]);
		expect(JSON.stringify(items[0]?.json)).toContain('differs in');
	});

	test.each(['Rent', 'Payment', 'Tenant name'])(
		'is not sent with a %s that the row has no more',
		async (name) => {
			await draft({});
			const blank = { ...fillFromRow, additionalFields: { mayStayBlank: [name] } };
			const { error } = await suite.run(blank, [leaseWith({ [name]: '' })]);
			expect(error?.message).toContain(`and it differs in ${name} [item 0]`);
			expect(documents().map(({ status }) => status)).toEqual(['DRAFT']);
		},
	);

	test('is not sent with an old value in a field that was moved in the template since', async () => {
		await draft({ Rent: '90' });
		const [rent] = suite.template().fields.filter(({ fieldMeta }) => fieldMeta?.label === 'Rent');
		Object.assign(rent ?? {}, { positionY: (rent?.positionY ?? 0) + 5 });
		const { error } = await suite.run(fillFromRow, [lease]);
		expect(error?.message).toContain('and Rent cannot be compared: the template or the draft');
		expect(documents().map(({ status }) => status)).toEqual(['DRAFT']);
	});

	const choices = ['Card', 'Cash'].map((value, index) => ({
		id: index + 1,
		value,
		checked: index === 0,
	}));

	test.each([
		['TEXT', { text: 'By card' }],
		['NUMBER', { value: '3' }],
		['DROPDOWN', { values: choices, defaultValue: 'Cash' }],
		['RADIO', { values: choices }],
		['CHECKBOX', { values: choices }],
	])('is sent if it has what the template fills in itself: %s', async (type, meta) => {
		suite.become('payment', type, { label: 'Payment', ...meta });
		await draft({ Payment: undefined });
		const { error, items } = await suite.run(fillFromRow, [leaseWith({ Payment: undefined })]);
		expect(error).toBeUndefined();
		expect(items[0]?.json).toMatchObject({ sentNow: true });
	});

	test('is sent from a template whose file has two endings', async () => {
		const [file] = suite.template().items;
		Object.assign(file ?? {}, { title: 'Contract.docx.pdf' });
		await draft({});
		expect((await suite.run(fillFromRow, [lease])).error).toBeUndefined();
	});

	test.each(['skipSame', 'skip'])(
		'is sent with a hint, with %s, if somebody in it has only been taken out of the template since',
		async (ifExternalIdExists) => {
			const template = suite.template();
			const [person] = template.recipients.slice(-1);
			if (!person) throw new Error('The template has lost its recipients');
			template.recipients.push({ ...person, id: 999, email: 'boss@example.com', role: 'VIEWER' });
			await draft({});
			template.recipients = template.recipients.filter(({ role }) => role !== 'VIEWER');
			const { error, hints } = await suite.run({ ...fillFromRow, ifExternalIdExists }, [lease]);
			expect(error).toBeUndefined();
			expect(hints.join()).toContain('sent to people whom their items do not name:<br>envelope_');
			expect(hints.join()).toContain('boss@example.com');
		},
	);

	test.each([
		['Create Document and Wait', { operation: 'createDocumentUntilSigned' }],
		['the deprecated Create Document', { resource: 'templateDeprecated' }],
	])('is not sent by %s', async (_, operation) => {
		await draft({ Rent: '90' });
		const templateNumber = suite.template().legacyId;
		const { error } = await suite.run({ ...fillFromRow, templateNumber, ...operation }, [lease]);
		expect(error?.message).toContain('and it differs in Rent');
		expect(documents().map(({ status }) => status)).toEqual(['DRAFT']);
	});

	test('is sent if it says the same, and as it is with Skip', async () => {
		await draft({});
		expect((await suite.run(fillFromRow, [lease])).items[0]?.json).toMatchObject({ sentNow: true });
		await suite.run({ ...fillFromRow, send: false }, [leaseWith({ 'External ID': 'L-2' })]);
		const corrected = leaseWith({ 'External ID': 'L-2', Rent: '950' });
		const skipping = { ...fillFromRow, ifExternalIdExists: 'skip' };
		expect((await suite.run(skipping, [corrected])).items[0]?.json).toMatchObject({
			sentNow: true,
		});
	});

	test('gets its reminders when it is sent', async () => {
		await draft({});
		const reminderSettings = {
			reminders: {
				sendAfterAmount: 3,
				sendAfterUnit: 'day',
				repeatEveryAmount: 0,
				repeatEveryUnit: 'day',
			},
		};
		const { error } = await suite.run({ ...fillFromRow, additionalFields: { reminderSettings } }, [
			lease,
		]);
		expect(error).toBeUndefined();
		expect(sentTo(suite.service, 'POST /envelope/update')).toMatchObject({
			meta: { reminderSettings: { sendAfter: { amount: 3, unit: 'day' } } },
		});
	});

	test.each([
		['skipSame', 'differs in Title'],
		['skip', undefined],
	])('from PDFs, under another title: %s', async (ifExternalIdExists, refused) => {
		const item = [await itemWith({ data: { content: await pdf() } })];
		const additionalFields = { externalId: 'X-1' };
		const asked = { ...createAndSend, ifExternalIdExists, additionalFields };
		await suite.run({ ...asked, operation: 'create', title: 'Lease of May' }, item);
		const { error } = await suite.run({ ...asked, title: 'Lease of June' }, item);
		if (refused === undefined) expect(error).toBeUndefined();
		else expect(error?.message).toContain(refused);
		expect((await suite.run({ ...asked, title: 'Lease of May' }, item)).error).toBeUndefined();
		expect(documents()).toMatchObject([{ title: 'Lease of May', status: 'PENDING' }]);
	});
});

test.each(['skipSame', 'skip'])(
	'a draft that somebody else is to sign, too, is not sent: %s',
	async (way) => {
		const [signer, ...others] = contract.recipients.recipient;
		const bob = { ...signer, name: 'Bob', email: 'bob@example.com' };
		const two = { recipients: { recipient: [signer, bob, ...others] } };
		const item = [await itemWith({ data: { content: await pdf() } })];
		const asked = {
			...{ ...createAndSend, ifExternalIdExists: way },
			additionalFields: { externalId: 'X-1' },
		};
		await suite.run({ ...asked, ...two, operation: 'create' }, item);
		const { error } = await suite.run(asked, item);
		expect(error?.message).toContain('and it is for');
		expect(documents().map(({ status }) => status)).toEqual(['DRAFT']);
	},
);
