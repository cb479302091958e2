import type { IDataObject } from 'n8n-workflow';

import { refusal } from '../support/refusal';
import { itemWith } from '../support/n8n';
import { pdf } from '../support/pdf';
import { sentTo } from '../support/service';
import {
	automatic,
	contract,
	fillFromRow as use,
	mapped,
	tenants,
	tina,
	USE,
	useService,
	withId,
} from '../support/suite';
import { hurry } from '../support/hurry';

hurry();

const suite = useService({ seed: 'demo' });
const { calls, documents } = suite;

const rows = tenants(5);

describe('If External ID Exists', () => {
	test('Create Anyway asks nothing', async () => {
		await suite.run(withId(), rows);
		expect(documents()).toHaveLength(5);
		expect(calls('GET /envelope')).toHaveLength(0);
	});

	test('Skip returns the document that exists, wherever it was moved, with its status', async () => {
		const [first] = (await suite.run(withId(), rows.slice(0, 1))).items;
		const [folder] = await suite.outputOf({
			resource: 'folder',
			operation: 'create',
			name: 'Filed',
		});
		const [made] = documents();
		if (made) made.folderId = folder?.id as string;
		const { items } = await suite.run(withId({ ifExternalIdExists: 'skip' }), rows.slice(0, 1));
		expect(documents()).toHaveLength(1);
		expect(items[0]?.json).toMatchObject({
			id: first?.json.id,
			status: 'PENDING',
			externalId: 'RA-1',
			alreadyExisted: true,
			recipients: expect.arrayContaining([
				expect.objectContaining({ signingUrl: expect.stringContaining('/sign/') as string }),
			]) as unknown,
		});
	});

	test('Skip makes one document for rows with the same ID, and documents for the others', async () => {
		const ids = ['A', 'B', 'A', 'C', 'B', '', 'A'];
		const items = ids.map((id) => ({ json: { ...rows[0]?.json, id: id || 'D' } }));
		const run = await suite.run(withId({ ifExternalIdExists: 'skip' }), items);
		expect(run.error).toBeUndefined();
		expect(
			documents()
				.map(({ externalId }) => externalId)
				.sort(),
		).toEqual(['A', 'B', 'C', 'D']);
		expect(run.items.map(({ json }) => json.externalId)).toEqual(ids.map((id) => id || 'D'));
		expect(run.items[2]?.json.id).toBe(run.items[0]?.json.id);
		expect(run.items.map(({ json }) => json.alreadyExisted ?? false)).toEqual([
			false,
			false,
			true,
			false,
			true,
			false,
			true,
		]);
	});

	test('an ID is the same only letter by letter', async () => {
		await suite.run(withId(), [{ json: { ...rows[0]?.json, id: 'RA-10' } }]);
		await suite.run(withId({ ifExternalIdExists: 'skip' }), [
			{ json: { ...rows[0]?.json, id: 'RA-1' } },
		]);
		expect(documents().map(({ externalId }) => externalId)).toEqual(['RA-10', 'RA-1']);
	});

	test('Fail refuses what exists before anything is created', async () => {
		await suite.run(withId(), rows.slice(0, 1));
		const [made] = documents();
		const items = [{ json: { ...rows[1]?.json, id: 'RA-2' } }, ...rows.slice(0, 1)];
		const { error } = await suite.run(withId({ ifExternalIdExists: 'fail' }), items);
		expect(error?.message).toBe(
			`'External ID' is "RA-1", which the document ${made?.id ?? ''} (pending) already has [item 1]`,
		);
		expect(documents()).toHaveLength(1);
	});

	test('Fail refuses the second of two rows with the same ID', async () => {
		const { error } = await suite.run(withId({ ifExternalIdExists: 'fail' }), rows.slice(0, 2));
		expect(error?.message).toBe(`'External ID' is "RA-1", which item 0 has too [item 1]`);
		expect(documents()).toHaveLength(0);
	});

	test('Skip and Fail need an ID', async () => {
		const { error } = await suite.run(
			{ ...use, additionalFields: { ifExternalIdExists: 'skip' } },
			rows.slice(0, 1),
		);
		expect(error?.message).toMatch(/^'External ID' is missing/);
		expect(documents()).toHaveLength(0);
	});

	test('Skip does not take what an earlier try of the same row has begun for something older', async () => {
		suite.service.fail({ match: USE, cut: 'before' });
		const skip = withId({ ifExternalIdExists: 'skip' });
		const { items, error } = await suite.run(skip, rows.slice(0, 1), { maxTries: 2 });
		expect(error).toBeUndefined();
		expect(documents()).toHaveLength(1);
		expect(items[0]?.json).not.toHaveProperty('alreadyExisted');
	});

	test('Skip finds a document behind a hundred others that look alike, and takes no template for it', async () => {
		await suite.run(withId(), [{ json: tina }]);
		suite.template().externalId = 'RA-1';
		const many = Array.from({ length: 101 }, (_, index) => ({
			json: { ...tina, id: `RA-1${index}` },
		}));
		await suite.run(withId(), many);
		const skip = (externalId: string) => withId({ externalId, ifExternalIdExists: 'skip' });
		const { items } = await suite.run(skip('RA-1'), [{ json: tina }]);
		expect(items[0]?.json).toMatchObject({ alreadyExisted: true });
		suite.template().externalId = 'T-1';
		const fresh = await suite.run(skip('T-1'), [{ json: tina }]);
		expect(fresh.error).toBeUndefined();
		expect(fresh.items[0]?.json).not.toHaveProperty('alreadyExisted');
	});

	test.each(['%', '_____', '%_\\\\'])(
		'Skip finds a document with the ID %j, which is a pattern to Documenso, without listing all',
		async (id) => {
			const many = tenants(120).map(({ json }, index) => ({
				json: { ...json, id: `RA-${index}` },
			}));
			await suite.run(withId(), many);
			const [row] = tenants(1).map(({ json }) => ({ json: { ...json, id } }));
			for (const isThere of [undefined, true]) {
				suite.service.calls.length = 0;
				const { items } = await suite.run(withId({ ifExternalIdExists: 'skip' }), row && [row]);
				expect(items[0]?.json.alreadyExisted).toBe(isThere);
				expect(calls('GET /envelope')).toHaveLength(1);
			}
		},
	);

	test('the ID of the template is no ID of the row', async () => {
		suite.template().externalId = 'T-1';
		const { error } = await suite.run(
			{ ...use, additionalFields: { ifExternalIdExists: 'skip' } },
			[{ json: tina }],
		);
		expect(error?.message).toMatch(/^'External ID' is missing/);
	});

	test('looks for all items together', async () => {
		const additionalFields = { externalId: '={{ $json.id }}', ifExternalIdExists: 'skip' };
		const rows = ['A', 'B'].map((id) => ({ json: { ...tina, id } }));
		await suite.run({ ...use, additionalFields }, rows);
		expect(calls('GET /envelope')).toHaveLength(1);
	});

	test('rows that share an ID fail with the first whose document could not be made', async () => {
		suite.service.fail({ match: USE, ...refusal('Busy') });
		const additionalFields = { externalId: 'A', ifExternalIdExists: 'skip' };
		const { items } = await suite.run(
			{ ...use, additionalFields },
			[{ json: tina }, { json: tina }],
			{
				onError: 'continueRegularOutput',
			},
		);
		expect(items.map(({ json }) => json.error)).toEqual([
			'Busy',
			`'External ID' is "A". Item 0 has the same External ID, and its document could not be created [item 1]`,
		]);
	});

	test('Skip marks what existed in the deprecated operation, too', async () => {
		const old = {
			resource: 'templateDeprecated',
			operation: 'createDocument',
			templateNumber: suite.template().legacyId,
			columns: automatic,
			additionalFields: { externalId: 'D', ifExternalIdExists: 'skip' },
		};
		await suite.run(old, [{ json: tina }]);
		const { items } = await suite.run(old, [{ json: tina }]);
		expect(items[0]?.json).toMatchObject({ alreadyExisted: true });
	});
});

describe('the External ID', () => {
	test('is made up for each item that has none', async () => {
		const item = await itemWith({ data: { content: await pdf() } });
		const create = { resource: 'document', operation: 'create', ...contract };
		const { items } = await suite.run(create, [item, item]);
		const [one, other] = items.map(({ json }) => json.externalId);
		expect(one).toMatch(/^n8n:/);
		expect(one).not.toBe(other);
	});

	test('is taken from a column of this name, unless one is entered', async () => {
		const idOf = async (row: IDataObject, changes: IDataObject = {}) => {
			suite.service.calls.length = 0;
			await suite.outputOf({ ...use, ...changes }, [{ json: { ...tina, ...row } }]);
			return sentTo(suite.service, USE).externalId;
		};
		expect(await idOf({ 'External ID': 'RA-7' })).toBe('RA-7');
		expect(await idOf({ external_id: 8 })).toBe('8');
		const additionalFields = { externalId: '={{ $json.Rent }}' };
		expect(await idOf({ external_id: 8, Rent: '1200' }, { additionalFields })).toBe('1200');
	});

	test('is taken from its input when the columns are mapped one by one, and not from the item then', async () => {
		const idOf = async (values: IDataObject) => {
			suite.service.calls.length = 0;
			const columns = mapped({ ...tina, ...values });
			await suite.outputOf({ ...use, columns }, [{ json: { 'External ID': 'RA-9' } }]);
			return sentTo(suite.service, USE).externalId;
		};
		expect(await idOf({ 'External ID': 'RA-8' })).toBe('RA-8');
		expect(await idOf({})).toMatch(/^n8n:/);
	});

	test('is not taken from the JSON of a field that is called so', async () => {
		const [field] = suite.template().fields.filter(({ type }) => type === 'TEXT');
		Object.assign(field ?? {}, { fieldMeta: { type: 'text', label: 'External ID' } });
		const additionalFields = { prefillJson: '{"External ID": "RA-9"}' };
		await suite.outputOf({ ...use, columns: mapped(tina), additionalFields });
		expect(sentTo(suite.service, USE).externalId).toMatch(/^n8n:/);
	});

	test('is taken from the filled column of several', async () => {
		await suite.run(use, [{ json: { ...tina, external_id: '', 'External ID': 'RA-7' } }]);
		expect(sentTo(suite.service, USE).externalId).toBe('RA-7');
	});

	test('is refused where it cannot be used, not dropped', async () => {
		const { error } = await suite.run(use, [{ json: { ...tina, 'External ID': 'x'.repeat(300) } }]);
		expect(error?.message).toMatch(/^'External ID' has \d+ characters; at most 255 are allowed/);
	});
});
