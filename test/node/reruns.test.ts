import type { IDataObject } from 'n8n-workflow';

import type { Envelope } from '../../emulator/entities';
import { lines } from '../support/service';
import { fillFromRow as use, tenants, USE, useService } from '../support/suite';

const suite = useService({ seed: 'demo', rateLimit: { limit: 1_000_000, windowMs: 60_000 } });
const { documents } = suite;
const LIST = 'GET /envelope';

const rowsOf = (count: number, from = 0) =>
	tenants(from + count)
		.slice(from)
		.map(({ json }, row) => ({ json: { ...json, 'External ID': `C-${from + row}` } }));
const skip = { ...use, additionalFields: { ifExternalIdExists: 'skip' } };
const ids = () => documents().map(({ externalId }) => externalId);

async function folders(count: number) {
	for (let index = 0; index < count; index++) {
		await suite.outputOf({ resource: 'folder', operation: 'create', name: `Folder ${index}` });
	}
	suite.service.calls.length = 0;
	return [...suite.service.store.folders.values()];
}

/** The requests of one run, and its output. */
async function run(parameters: IDataObject, rows: ReturnType<typeof rowsOf>) {
	suite.service.calls.length = 0;
	const { items, error } = await suite.run(parameters, rows);
	if (error) throw error;
	expect(items).toHaveLength(rows.length);
	return { requests: lines(suite.service).length, items };
}

/** Creates documents like those of a run at the service itself, which is faster. */
function fill(count: number, externalIdOf: (index: number) => string) {
	const [model] = documents();
	if (!model) throw new Error('There is no document to copy');
	for (let index = 0; index < count; index++) {
		const id = `envelope_copy${index}`;
		const copy: Envelope = { ...model, id, externalId: externalIdOf(index) };
		suite.service.store.envelopes.set(id, copy);
	}
}

describe('a spreadsheet that is run again with Skip', () => {
	test('1,000 rows and 20 folders: one request a row at first, and hardly any afterwards', async () => {
		const places = await folders(20);
		const first = await run(skip, rowsOf(1000));
		expect(documents()).toHaveLength(1000);
		expect(first.requests).toBeLessThanOrEqual(1100);

		const again = await run(skip, rowsOf(1000));
		expect(again.requests).toBeLessThanOrEqual(110);
		expect(again.items.every(({ json }) => json.alreadyExisted === true)).toBe(true);
		expect(again.items.map(({ json }) => json.id)).toEqual(first.items.map(({ json }) => json.id));
		expect(again.items[999]?.json).toMatchObject({
			externalId: 'C-999',
			status: 'PENDING',
			recipients: expect.arrayContaining([
				expect.objectContaining({ signingUrl: expect.stringContaining('/sign/') as string }),
			]) as unknown,
		});

		const more = await run(skip, rowsOf(1010));
		expect(more.requests).toBeLessThanOrEqual(130);
		expect(documents()).toHaveLength(1010);

		for (const [index, document] of documents().entries()) {
			document.folderId = places[index % places.length]?.id ?? null;
		}
		const filed = await run(skip, rowsOf(1010));
		expect(filed.requests).toBeLessThanOrEqual(110);
		expect(documents()).toHaveLength(1010);
		console.log(
			`1,000 rows, 20 folders: ${first.requests} requests, again ${again.requests}, with 10 new ${more.requests}, filed ${filed.requests}`,
		);
	});

	test('10,000 rows and 20 folders: the same', async () => {
		await folders(20);
		const first = await run(skip, rowsOf(10_000));
		expect(first.requests).toBeLessThanOrEqual(10_700);
		const again = await run(skip, rowsOf(10_000));
		expect(again.requests).toBeLessThanOrEqual(700);
		expect(documents()).toHaveLength(10_000);
		console.log(`10,000 rows, 20 folders: ${first.requests} requests, again ${again.requests}`);
	}, 600_000);

	test('a few rows among many documents are searched for one by one', async () => {
		await run(skip, rowsOf(1));
		fill(2000, (index) => `C-9${index}`);
		const { requests } = await run(skip, rowsOf(3, 1));
		// The template, the folders, the first page of the list; a search and a creation for each.
		expect(requests).toBe(3 + 3 + 3);
		expect(ids().slice(-3)).toEqual(['C-1', 'C-2', 'C-3']);
	});

	test('a bad row among 10,000 is reported before anything is searched for', async () => {
		const rows = rowsOf(10_000);
		Object.assign(rows[5000]?.json ?? {}, { 'Tenant email': 'nobody' });
		const { error } = await suite.run(skip, rows);
		expect(error?.message).toContain('item 5000');
		expect(lines(suite.service).filter((line) => line === LIST)).toEqual([]);
		expect(documents()).toEqual([]);
	});

	test('so are two rows with one ID under Fail', async () => {
		const fail = { ...use, additionalFields: { ifExternalIdExists: 'fail' } };
		const { error } = await suite.run(fail, [...rowsOf(3), ...rowsOf(1)]);
		expect(error?.message).toBe(`'External ID' is "C-0", which item 0 has too [item 3]`);
		expect(lines(suite.service).filter((line) => line === LIST)).toEqual([]);
	});

	test('IDs without a common beginning are found too, with characters that a search takes for something else', async () => {
		const odd = ['50%', '_x', 'a\\b', '😀1', '😁2', 'A', 'a'];
		const rows = odd.map((id, row) => ({
			json: { ...rowsOf(1, row)[0]?.json, 'External ID': id },
		}));
		await suite.run(skip, rows);
		expect(ids()).toEqual(odd);
		const { items } = await suite.run(skip, rows);
		expect(items.map(({ json }) => json.alreadyExisted)).toEqual(odd.map(() => true));
		expect(documents()).toHaveLength(odd.length);
	});

	test('when the service cannot list, every item fails under Continue On Fail, and nothing is created', async () => {
		suite.failSearches(100);
		const { items } = await suite.run(skip, rowsOf(3), { onError: 'continueRegularOutput' });
		expect(items.map(({ json }) => json.error)).toEqual(Array(3).fill(expect.any(String)));
		expect(documents()).toEqual([]);
	});

	test('without Check All Items First, the good rows of a spreadsheet with a bad one are created', async () => {
		const rows = rowsOf(3);
		Object.assign(rows[2]?.json ?? {}, { 'Tenant email': 'nobody' });
		const { error } = await suite.run({ ...skip, options: { checkAllFirst: false } }, rows);
		expect(error?.message).toContain('item 2');
		expect(ids()).toEqual(['C-0', 'C-1']);
	});
});

test('what many rows have lost at the same time is looked for together', async () => {
	// The first ones are not lost: by their dates, the node knows what it has created itself.
	const steady = 5;
	const lost = 15;
	// What is under way at the same time gets lost at the same time: once no other request has come for so long.
	const quietMs = 100;
	let asked = 0;
	let waiting: Array<() => void> = [];
	let timer: NodeJS.Timeout | undefined;
	suite.service.intercept(USE, async ({ pass }) => {
		asked += 1;
		if (asked <= steady || asked > steady + lost) return undefined;
		await pass();
		const cut = new Promise<void>((resolve) => waiting.push(resolve));
		clearTimeout(timer);
		timer = setTimeout(() => {
			for (const resolve of waiting) resolve();
			waiting = [];
		}, quietMs);
		await cut;
		return 'cut';
	});
	const { error } = await suite.run(use, rowsOf(30));
	expect(error).toBeUndefined();
	expect(documents()).toHaveLength(30);
	const looks = lines(suite.service).filter((line) => line === LIST);
	// How many are under way at the same time depends on how fast the service is.
	expect(looks.length).toBeLessThan(lost);
});
