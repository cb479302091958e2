import type { INodeExecutionData } from 'n8n-workflow';

import { lines } from '../support/service';
import { fillFromRow, USE, WITH_LINKS } from '../support/suite';
import { choosing, continued, LIST, sheet, useCreation } from './support';

// Thousands of rows in few requests.
const suite = useCreation();
const { documents } = suite;

describe('a spreadsheet that is run again with Skip', () => {
	const skip = choosing('skip');
	const looks = () => lines(suite.service).filter((line) => line === LIST);

	/** The requests of one run, and its output. */
	async function run(items: INodeExecutionData[]) {
		suite.service.calls.length = 0;
		const output = await suite.outputOf({ ...skip, ...WITH_LINKS }, items);
		expect(output).toHaveLength(items.length);
		return { requests: lines(suite.service).length, output };
	}

	/** 20 folders, among which the documents are spread then. */
	async function folders() {
		for (let index = 0; index < 20; index++) await suite.folder(`Folder ${index}`);
		const ids = [...suite.service.store.folders.keys()];
		return () => {
			for (const [index, document] of documents().entries()) {
				document.folderId = ids[index % ids.length] ?? null;
			}
		};
	}

	test('1,000 rows and 20 folders: one request a row at first, and hardly any afterwards', async () => {
		const spread = await folders();
		const first = await run(sheet(1000));
		expect(documents()).toHaveLength(1000);
		expect(first.requests).toBeLessThanOrEqual(1100);

		const again = await run(sheet(1000));
		expect(again.requests).toBeLessThanOrEqual(110);
		expect(again.output.every(({ alreadyExisted }) => alreadyExisted === true)).toBe(true);
		expect(again.output.map(({ id }) => id)).toEqual(first.output.map(({ id }) => id));
		expect(again.output[999]).toMatchObject({
			...{ externalId: 'A-999', status: 'PENDING' },
			recipients: expect.arrayContaining([
				expect.objectContaining({ signingUrl: expect.stringContaining('/sign/') as string }),
			]) as unknown,
		});

		expect((await run(sheet(1010))).requests).toBeLessThanOrEqual(130);
		expect(documents()).toHaveLength(1010);
		spread();
		expect((await run(sheet(1010))).requests).toBeLessThanOrEqual(110);
		expect(documents()).toHaveLength(1010);
	});

	/** As if runs had created them, which takes a minute: `A-0`, and so many with other IDs. */
	async function existing(count: number, idOf: (index: number) => string) {
		await run(sheet(1));
		const [model] = documents();
		for (let index = 0; model && index < count; index++) {
			const id = `envelope_copy${index}`;
			suite.service.store.envelopes.set(id, { ...model, id, externalId: idOf(index) });
		}
	}

	test('10,000 rows and 20 folders: hardly any if the documents are there', async () => {
		await folders();
		await existing(9999, (index) => `A-${index + 1}`);
		expect((await run(sheet(10_000))).requests).toBeLessThanOrEqual(700);
		expect(documents()).toHaveLength(10_000);
	});

	test('a few rows among many documents are searched for one by one', async () => {
		await existing(2000, (index) => `A-9${index}`);
		// The template, the folders, the first page of the list; a search and a creation for each.
		expect((await run(sheet(3, 1))).requests).toBe(3 + 3 + 3);
		expect(suite.externalIds().slice(-3)).toEqual(['A-1', 'A-2', 'A-3']);
	});

	test('a bad row among 10,000 is reported before anything is searched for', async () => {
		const items = sheet(10_000);
		Object.assign(items[5000]?.json ?? {}, { 'Tenant email': 'nobody' });
		const { error } = await suite.run(skip, items);
		expect(error?.message).toContain('item 5000');
		expect(looks()).toEqual([]);
		expect(documents()).toEqual([]);
	});

	test('so are two rows with one ID under Fail', async () => {
		const { error } = await suite.run(choosing('fail'), [...sheet(3), ...sheet(1)]);
		expect(error?.message).toBe(`'External ID' is "A-0", which item 0 has too [item 3]`);
		expect(looks()).toEqual([]);
	});

	test('IDs without a common beginning are found too, with characters that a search takes for something else', async () => {
		const odd = ['50%', '_x', 'a\\b', '😀1', '😁2', 'A', 'a'];
		const items = odd.map((id, index) => ({
			json: { ...sheet(1, index)[0]?.json, 'External ID': id },
		}));
		await run(items);
		expect(suite.externalIds()).toEqual(odd);
		const { output } = await run(items);
		expect(output.map(({ alreadyExisted }) => alreadyExisted)).toEqual(odd.map(() => true));
		expect(documents()).toHaveLength(odd.length);
	});

	test('when the service cannot list, every item fails under Continue On Fail, and nothing is created', async () => {
		suite.failSearches(100);
		const { items } = await suite.run(skip, sheet(3), continued);
		expect(items.map(({ json }) => json.error)).toEqual(Array(3).fill(expect.any(String)));
		expect(documents()).toEqual([]);
	});

	test('without Check All Items First, the good rows of a spreadsheet with a bad one are created', async () => {
		const items = sheet(3);
		Object.assign(items[2]?.json ?? {}, { 'Tenant email': 'nobody' });
		const { error } = await suite.run({ ...skip, options: { checkAllFirst: false } }, items);
		expect(error?.message).toContain('item 2');
		expect(suite.externalIds()).toEqual(['A-0', 'A-1']);
	});
});

test('what many rows have lost at the same time is looked for together', async () => {
	// The first ones are not lost: by their dates, the node knows what it has created itself.
	const steady = 5;
	const lost = 15;
	// They are lost three at a time, and what is left of them once no other has come for so long.
	const together = 3;
	const quietMs = 1000;
	const groups: number[] = [];
	let asked = 0;
	let waiting: Array<() => void> = [];
	let timer: NodeJS.Timeout | undefined;
	const cutAll = () => {
		groups.push(waiting.length);
		for (const resolve of waiting) resolve();
		waiting = [];
	};
	suite.service.intercept(USE, async ({ pass }) => {
		asked += 1;
		if (asked <= steady || asked > steady + lost) return undefined;
		await pass();
		const cut = new Promise<void>((resolve) => waiting.push(resolve));
		clearTimeout(timer);
		if (waiting.length === together) cutAll();
		else timer = setTimeout(cutAll, quietMs);
		await cut;
		return 'cut';
	});
	// Under another name of the host, the node has not learned yet how much the service bears.
	const baseUrl = suite.service.url.replace('127.0.0.1', 'localhost');
	const { error } = await suite.run(fillFromRow, sheet(30), { credential: { baseUrl } });
	expect(error).toBeUndefined();
	expect(documents()).toHaveLength(30);
	// The first of a group is looked for at once, and the others behind it together. A slow machine makes more groups.
	const looks = groups.reduce((sum, size) => sum + Math.min(size, 2), 1);
	// Other looks are for what other processes have created meanwhile: the newest first.
	const made = suite.service.calls.filter(
		({ method, path, query }) => `${method} ${path}` === LIST && !query.orderByColumn,
	);
	expect(made.length).toBeLessThanOrEqual(looks);
});
