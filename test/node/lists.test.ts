import type { IDataObject } from 'n8n-workflow';

import { folder, paperwork } from '../support/polling';
import { lines } from '../support/service';
import { byId, useService } from '../support/suite';

const suite = useService();
const paper = paperwork(suite);
const inRoot = { resource: 'document', operation: 'getAll', searchIn: 'root', returnAll: true };

beforeEach(async () => await paper.begin());

const day = (number: number) => new Date(Date.UTC(2026, 0, 1) + number * 86_400_000);

/** A document for each day, from the first of January on. */
const daily = (count: number, changes: object = {}) =>
	Array.from({ length: count }, (_, index) =>
		paper.draft(`Day ${index}`, { createdAt: day(index), ...changes }),
	);

async function titles(filters: IDataObject, changes: IDataObject = {}) {
	suite.service.calls.length = 0;
	const found = await suite.outputOf({ ...inRoot, filters, ...changes });
	return found.map(({ title }) => title);
}

const pages = () => lines(suite.service).filter((line) => line === 'GET /envelope').length;

describe('by their dates', () => {
	test('documents are those from the first moment up to the second, without it', async () => {
		daily(5);
		const dates = { createdAfter: '2026-01-02T00:00:00Z', createdBefore: '2026-01-04T00:00:00Z' };
		expect(await titles(dates)).toEqual(['Day 2', 'Day 1']);
		expect(await titles({ ...dates, orderByDirection: 'asc' })).toEqual(['Day 1', 'Day 2']);
	});

	test('a date without an offset is one of the time zone of the workflow', async () => {
		paper.draft('Late in New York', { createdAt: new Date('2026-01-02T03:00:00Z') });
		expect(await titles({ createdBefore: '2026-01-02' })).toEqual(['Late in New York']);
	});

	test('an expression may give a date', async () => {
		daily(3);
		const createdAfter = '={{ DateTime.fromISO("2026-01-02", { zone: "utc" }).plus({ days: 1 }) }}';
		expect(await titles({ createdAfter })).toEqual(['Day 2']);
	});

	test.each(['soon', '31/01/2026', '={{ DateTime.fromISO("soon") }}'])(
		'%s is refused before anything is asked for',
		async (createdAfter) => {
			const { error } = await suite.run({ ...inRoot, filters: { createdAfter } });
			expect(error?.message).toContain('Created After');
			expect(lines(suite.service)).toEqual([]);
		},
	);

	test('the list is read down to the first page beyond them, and no further', async () => {
		daily(1500);
		expect(await titles({ createdAfter: day(1495).toISOString() })).toHaveLength(5);
		expect(pages()).toBe(1);
		const before = { createdBefore: day(5).toISOString(), orderByDirection: 'asc' };
		expect(await titles(before)).toEqual(['Day 0', 'Day 1', 'Day 2', 'Day 3', 'Day 4']);
		expect(pages()).toBe(1);
	});

	test('those that are too new do not count towards the limit', async () => {
		daily(250);
		const before = { createdBefore: day(10).toISOString() };
		const limited = { returnAll: false, limit: 2 };
		expect(await titles(before, limited)).toEqual(['Day 9', 'Day 8']);
	});

	test('all folders are looked through', async () => {
		const folderId = folder(suite.service, 'Deals');
		daily(3);
		daily(3, { folderId });
		const dates = { createdAfter: day(1).toISOString(), createdBefore: day(2).toISOString() };
		expect(await titles(dates, { searchIn: 'everywhere' })).toEqual(['Day 1', 'Day 1']);
	});
});

test('an external ID is compared as a whole, and its signs are no wildcards', async () => {
	paper.draft('This one', { externalId: 'row_1' });
	paper.draft('It waits', { externalId: 'row_1 n8n-wait:abcdef:1:x' });
	paper.draft('Longer', { externalId: 'row_10' });
	paper.draft('Similar', { externalId: 'row-1' });
	paper.draft('row_1');
	expect(await titles({ externalId: 'row_1' })).toEqual(['It waits', 'This one']);
	expect(suite.service.calls[0]?.query.query).toBe('row\\_1');
});

test.each([byId('template_7'), { __rl: true, mode: 'list', value: 7 }, '={{ 7 }}'])(
	'the template %j is asked for by its number',
	async (template) => {
		paper.draft('Of another', { templateId: 8 });
		paper.draft('Of the template', { templateId: 7 });
		expect(await titles({ template })).toEqual(['Of the template']);
	},
);

test('a document has the address of its page in Documenso, which can be selected', async () => {
	const { id } = paper.draft('Lease');
	const url = `${suite.service.url}/t/demo/documents/${id}`;
	expect(await suite.outputOf(inRoot)).toEqual([expect.objectContaining({ id, url })]);
	const selected = { ...inRoot, output: 'selected', outputFields: 'url' };
	expect(await suite.outputOf(selected)).toEqual([{ url }]);
});
