import type { IDataObject } from 'n8n-workflow';

import { N8nProcess, thisProcess } from '../../nodes/Documenso/engine/process';
import '../support/hurry';
import { documenso, execute, itemWith } from '../support/n8n';
import { pdf } from '../support/pdf';
import { credentialFor, lines } from '../support/service';
import {
	createAndSend,
	emailsOf,
	mapped,
	row,
	tenants,
	tina,
	USE,
	fillFromRow as use,
	useService,
	withId,
} from '../support/suite';

// After a lost answer, the node looks for the document that it may have created, and must not mistake another for it.
const suite = useService({ seed: 'demo' });
const { upload } = suite;

const { documents, tenantEmails } = suite;
beforeEach(suite.createBefore);

const rows = tenants(5);
const everyTenant = emailsOf(rows);

/** The error when the node cannot tell whose document this is. */
const undecided = (item: number) =>
	`'External ID' is "RA-1", and the node cannot tell whether this document is this item's: ${documents()[0]?.id ?? ''} (${documents()[0]?.status.toLowerCase() ?? ''}) [item ${item}]`;

const continued = { onError: 'continueRegularOutput' } as const;

describe('a document of another row is not mistaken for the lost one', () => {
	test('where all rows share an External ID', async () => {
		suite.service.fail({ match: USE, cut: 'after' });
		const { items, error } = await suite.run(withId(), rows);
		expect(error).toBeUndefined();
		expect(tenantEmails()).toEqual(everyTenant);
		expect(new Set(items.map(({ json }) => json.id)).size).toBe(5);
	});

	test('where ID and people are the same, and nothing was made', async () => {
		suite.service.fail({ match: USE, delayMs: 0 });
		suite.service.fail({ match: USE, delayMs: 200, cut: 'before' });
		const { items } = await suite.run(withId(), [row(), row()], continued);
		expect(documents()).toHaveLength(1);
		expect(items[1]?.json.error).toMatch(/^The connection/);
	});

	test('where ID and people are the same, and another row may have made it', async () => {
		suite.service.fail({ match: USE, cut: 'before' });
		suite.service.fail({ match: USE, cut: 'after' });
		const { items } = await suite.run(withId(), [row({ Rent: 1 }), row({ Rent: 2 })], continued);
		expect(documents()).toHaveLength(1);
		expect(items.map(({ json }) => json.error)).toEqual([undecided(0), undecided(1)]);
	});

	test('where files have the same ID and people, and another one may have made it', async () => {
		const item = await itemWith({ data: { content: await pdf() } });
		suite.service.fail({ match: 'POST /envelope/create', cut: 'before' });
		suite.service.fail({ match: 'POST /envelope/create', cut: 'after' });
		const additionalFields = { externalId: 'RA-1', ifExternalIdExists: 'create' };
		const { items } = await suite.run(
			{ ...createAndSend, additionalFields },
			[item, item],
			continued,
		);
		expect(documents()).toHaveLength(1);
		expect(items.map(({ json }) => json.error)).toEqual([undecided(0), undecided(1)]);
	});

	test('two documents that fit are named, and none is taken', async () => {
		suite.service.fail({ match: USE, cut: 'after', times: 2 });
		const { error } = await suite.run(withId(), [row(), row()]);
		expect(error?.message).toMatch(
			/^'External ID' is "RA-1", and the node cannot tell which of these documents is this item's: /,
		);
		expect(error?.context?.details).toMatchObject({ externalId: 'RA-1' });
	});

	test('and where two documents fit, no retry takes one of them', async () => {
		suite.service.fail({ match: USE, cut: 'after', times: 2 });
		suite.failSearches(6);
		const { error } = await suite.run(withId(), [row(), row()], { maxTries: 2 });
		expect(error?.description).toMatch(/the node cannot tell which of these documents/);
		expect(documents()).toHaveLength(2);
	});
});

describe('a row never takes the document of a rival with the same External ID and people', () => {
	const oneAfterAnother = () => ({ ...withId(), options: { maxInFlight: 1 } });
	const rivals = [row({ Rent: 1 }), row({ Rent: 2 })];
	/** The rents in the documents, by the documents' IDs. */
	const rents = () =>
		new Map(
			documents().map(({ id, fields }) => {
				const rent = fields.find(({ fieldMeta }) => fieldMeta?.label === 'Rent');
				const meta = rent?.fieldMeta ?? {};
				return [id, 'value' in meta ? Number(meta.value) : undefined];
			}),
		);

	test('which was found after a lost answer itself', async () => {
		suite.service.fail({ match: USE, cut: 'after' });
		suite.service.fail({ match: USE, cut: 'before' });
		const { items } = await suite.run(oneAfterAnother(), rivals, continued);
		expect(documents()).toHaveLength(1);
		expect(items[0]?.json).toMatchObject({ id: documents()[0]?.id });
		expect(items[1]?.json.error).toMatch(/^The connection to Documenso/);
	});

	test('which was found in the same moment', async () => {
		suite.service.fail({ match: USE, cut: 'after' });
		suite.service.fail({ match: 'GET /envelope/*', delayMs: 300 });
		suite.service.fail({ match: USE, delayMs: 50, cut: 'before' });
		const { items } = await suite.run(withId(), rivals, continued);
		const made = items.filter(({ json }) => json.id === documents()[0]?.id);
		expect(documents()).toHaveLength(1);
		expect(made.length).toBeLessThan(2);
	});

	test('which was created before it', async () => {
		suite.service.fail({ match: USE, delayMs: 0 });
		suite.service.fail({ match: USE, cut: 'after' });
		const { items, error } = await suite.run(oneAfterAnother(), rivals);
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => rents().get(json.id as string))).toEqual([1, 2]);
	});

	test('which is created while it looks', async () => {
		suite.service.fail({ match: USE, cut: 'after' });
		suite.service.fail({ match: USE, stallMs: 60 });
		const { items, error } = await suite.run(withId(), rivals);
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => rents().get(json.id as string))).toEqual([1, 2]);
	});

	test('and neither does a retry', async () => {
		suite.service.fail({ match: USE, cut: 'after' });
		suite.service.fail({ match: USE, cut: 'before' });
		const { items, error } = await suite.run(oneAfterAnother(), rivals, { maxTries: 2 });
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => rents().get(json.id as string))).toEqual([1, 2]);
	});
});

describe('an older document is not mistaken for the lost one', () => {
	test('where it has the same External ID', async () => {
		await suite.run(withId(), rows.slice(0, 1));
		const [older] = documents();
		if (older) older.createdAt = new Date(Date.now() - 600_000);
		await suite.createBefore();
		suite.service.fail({ match: USE, cut: 'after' });
		const { items, error } = await suite.run(withId(), rows.slice(0, 1));
		expect(error).toBeUndefined();
		expect(documents()).toHaveLength(2);
		expect(items[0]?.json.id).not.toBe(older?.id);
	});

	test('where it has the same External ID, and is half a minute old', async () => {
		await suite.run(withId(), [row({ Rent: 1 })]);
		const [older] = documents();
		if (older) older.createdAt = new Date(Date.now() - 30_000);
		await suite.createBefore();
		suite.service.fail({ match: USE, cut: 'before' });
		const { error } = await suite.run(withId(), [row({ Rent: 2 })]);
		expect(error?.message).toMatch(/^The connection to Documenso/);
		expect(documents()).toEqual([older]);
	});

	test('where it was made of a file with the same External ID', async () => {
		const additionalFields = { externalId: 'row-1', ifExternalIdExists: 'create' };
		const { id: earlier } = await suite.document('create', { additionalFields });
		const [older] = documents();
		if (older) older.createdAt = new Date(Date.now() - 600_000);
		await suite.createBefore();
		suite.service.fail({ match: 'POST /envelope/create', cut: 'before' });
		const { error } = await upload({ additionalFields });
		expect(error?.description).toContain('the document with the External ID row-1');
		expect(error?.description).not.toContain(earlier);
		expect(documents()).toHaveLength(1);
	});

	test('where its External ID only contains the other one', async () => {
		const { id: other } = await suite.document('create', {
			additionalFields: { externalId: 'row-90' },
		});
		suite.service.fail({ match: 'POST /envelope/create', cut: 'after' });
		const additionalFields = { externalId: 'row-9', ifExternalIdExists: 'create' };
		const { items } = await upload({ additionalFields });
		expect(items[0]?.json.id).toBe(documents()[1]?.id);
		expect(items[0]?.json.id).not.toBe(other);
	});

	test('where it was made of the same template, and its External ID only contains the other one', async () => {
		await suite.run(withId(), [row({ id: 'RA-10' })]);
		suite.service.fail({ match: USE, cut: 'before' });
		expect((await suite.run(withId(), [row()])).error?.message).toMatch(
			/^The connection to Documenso/,
		);
	});

	test('where it is for other people', async () => {
		await suite.run(withId(), [row({ 'Tenant email': 'other@example.com' })]);
		suite.service.fail({ match: USE, cut: 'before' });
		expect((await suite.run(withId(), [row()])).error?.message).toMatch(/^The connection/);
	});

	test('where nobody can tell them apart, both are named, and neither is sent', async () => {
		const additionalFields = { externalId: 'row-9', ifExternalIdExists: 'create' };
		const { id: other } = await suite.document('create', { additionalFields });
		// The process has created nothing, so the node cannot compare the documents' dates with its own clock.
		Object.assign(thisProcess, new N8nProcess());
		suite.service.fail({ match: 'POST /envelope/create', cut: 'after' });
		const { error } = await upload({ additionalFields });
		const [, lostOne] = documents();
		expect(error?.description).toContain(`${lostOne?.id ?? ''} (draft), ${other} (draft)`);
		expect(lines(suite.service)).not.toContain('POST /envelope/distribute');
	});
});

describe('the document of another node is not taken', () => {
	test.each<[string, IDataObject, RegExp]>([
		['for the lost one', {}, /^The connection to Documenso/],
		['for one that exists', { ifExternalIdExists: 'skip' }, /^'External ID' is missing/],
	])(
		'%s, though its External ID comes with the item',
		async (_, changes, message) => {
			const parameters = { ...use, columns: mapped(tina) };
			const first = documenso(parameters, { name: 'First' });
			const second = documenso({ ...parameters, additionalFields: changes }, { name: 'Second' });
			suite.service.fail({ match: USE, delayMs: 0 });
			suite.service.fail({ match: USE, cut: 'before' });
			const { data } = await execute(credentialFor(suite.service), [first, second], [{ json: {} }]);
			expect(data.resultData.error?.message).toMatch(message);
			expect(data.resultData.runData.Second?.[0]?.data).toBeUndefined();
			expect(documents()).toHaveLength(1);
		},
		20_000,
	);
});
