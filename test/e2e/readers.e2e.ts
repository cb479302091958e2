import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import fc from 'fast-check';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { PAYMENT_OPTIONS, RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { contentsOf, useDocumenso } from './documenso';
import { host } from './host';
import { useOwnN8n } from './ownN8n';

const tables = join(host.files, 'tables.json');
const accounts = join(__dirname, 'accounts.cjs');
const { n8n } = useOwnN8n('readers', {
	NODE_OPTIONS: `--require=${accounts}`,
	E2E_TABLES: tables,
});
const documenso = useDocumenso();

interface Node {
	name: string;
	type: string;
	typeVersion: number;
	parameters: IDataObject;
	credentials?: IDataObject;
	onError?: string;
}

/** Makes contracts from the items of the nodes before, and returns how the execution ended. */
async function fill(readers: Node[], changes: IDataObject = {}, settings: Partial<Node> = {}) {
	const contracts = {
		...{ name: 'Contracts', type: 'n8n-nodes-documenso.documenso', typeVersion: 1, ...settings },
		parameters: {
			...{ resource: 'template', operation: 'createDocument' },
			templateId: { __rl: true, mode: 'id', value: RENTAL_AGREEMENT.id },
			columns: { mappingMode: 'autoMapInputData', value: null },
			...changes,
		},
		credentials: { [n8n.credential.type]: { ...n8n.credential } },
	};
	const start = { name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1 };
	const nodes = [{ ...start, parameters: {} }, ...readers, contracts].map((node, index) => ({
		...node,
		...{ id: node.name, position: [index * 200, 0] },
	}));
	const connections = Object.fromEntries(
		nodes
			.slice(1)
			.map(({ name }, index) => [
				nodes[index]?.name ?? '',
				{ main: [[{ node: name, type: 'main', index: 0 }]] },
			]),
	);
	const { id } = (await n8n.rest.request('POST', '/workflows', {
		...{ name: expect.getState().currentTestName, nodes, connections },
		settings: { executionOrder: 'v1' },
	})) as { id: string };
	const { status, data } = await n8n.rest.run(id, 'Start', 60_000);
	const { error, runData } = data?.resultData ?? {};
	const items: INodeExecutionData[] = runData?.Contracts?.[0]?.data?.main?.[0] ?? [];
	const { message, description } = (error ?? {}) as { message?: string; description?: string };
	return { outcome: { status, message }, description, items: items.map(({ json }) => json) };
}

/** Reads a CSV file as n8n's users do. */
async function csv(rows: string[][], options: IDataObject = {}): Promise<Node[]> {
	const file = join(host.files, 'rows.csv');
	const quoted = rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join());
	await writeFile(file, quoted.join('\n'));
	return [
		{
			...{ name: 'File', type: 'n8n-nodes-base.readWriteFile', typeVersion: 1 },
			parameters: { fileSelector: file, options: {} },
		},
		{
			...{ name: 'Rows', type: 'n8n-nodes-base.extractFromFile', typeVersion: 1.1 },
			parameters: { operation: 'csv', options },
		},
	];
}

const HEADINGS = ['Tenant email', 'Tenant name', 'Address', 'Rent', 'Start date', 'Payment'];
const row = (name: string, rent: string) => [
	...[`${name}@example.com`, name, '1 Main Street', rent, '2027-02-01', 'Card'],
];

test.each([
	['as n8n reads it by itself', {}, "'Rent' is missing here; 2 other items have it [item 1]"],
	['with Include Empty Cells', { includeEmptyCells: true }, "'Rent' is empty [item 1]"],
])('an empty cell of a CSV file, %s, sends nothing to anybody', async (_, options, message) => {
	const rows = [row('tina', '1250'), row('tom', ''), row('zoe', '980')];
	const { outcome } = await fill(await csv([HEADINGS, ...rows], options));
	expect(outcome).toEqual({ status: 'error', message });
	expect(await documenso.documents()).toEqual([]);
});

test('a whole CSV file is sent, one contract for each row', async () => {
	const readers = await csv([HEADINGS, row('tina', '1250'), row('tom', '980')]);
	expect((await fill(readers)).outcome).toMatchObject({ status: 'success' });
	expect(await documenso.documents()).toHaveLength(2);
});

describe('a data table of n8n', () => {
	const columns = [
		...HEADINGS.map((name) => name.replace(' ', '_')).map((name) => ({ name, type: 'string' })),
	];
	Object.assign(columns[3] ?? {}, { type: 'number' });
	Object.assign(columns[4] ?? {}, { type: 'date' });

	/** Makes a table with a row for each rent, and returns the node that reads it. */
	async function table(rents: Array<number | null>): Promise<Node[]> {
		const project = (await n8n.rest.request('GET', '/projects/personal')) as { id: string };
		const path = `/projects/${project.id}/data-tables`;
		const name = `Rows ${rents.join()}`;
		const made = (await n8n.rest.request('POST', path, { name, columns })) as { id: string };
		const data = rents.map((Rent, index) => ({
			...{ Tenant_email: `t${index}@example.com`, Tenant_name: `T ${index}`, Address: '1 Quay' },
			...{ Rent, Start_date: '2027-02-01T00:00:00.000Z', Payment: 'Card' },
		}));
		await n8n.rest.request('POST', `${path}/${made.id}/insert`, { data });
		const dataTableId = { __rl: true, mode: 'id', value: made.id };
		return [
			{
				...{ name: 'Table', type: 'n8n-nodes-base.dataTable', typeVersion: 1 },
				parameters: { resource: 'row', operation: 'get', dataTableId, returnAll: true },
			},
		];
	}

	test('is sent with its numbers and days as they are seen', async () => {
		const { outcome } = await fill(await table([1250.5, 980]));
		expect(outcome).toEqual({ status: 'success' });
		const values = (await documenso.documents()).map((one) => contentsOf(one).values);
		expect(values.map(({ Rent }) => Rent)).toEqual(['1250.5', '980']);
		for (const one of values) expect(one['Start date']).toMatch(/^2027-02-01/);
	});

	test('with an empty cell sends nothing to anybody', async () => {
		const { outcome } = await fill(await table([1250, null]));
		expect(outcome).toEqual({ status: 'error', message: "'Rent' is empty [item 1]" });
		expect(await documenso.documents()).toEqual([]);
	});
});

/** Makes a credential, and returns it as a node has it. */
async function credential(type: string, data: IDataObject): Promise<IDataObject> {
	const { id } = (await n8n.rest.request('POST', '/credentials', {
		...{ name: type, type, data },
	})) as { id: string };
	return { [type]: { id, name: type } };
}

describe('a sheet of Google', () => {
	const heading = HEADINGS;
	const tina = ['tina@example.com', 'Tina', '1 Main Street', 1250.5, '2027-02-01', 'Card'];

	/** Google leaves out the empty cells at the end of a row, and n8n puts them back. */
	async function sheet(...rows: unknown[][]): Promise<Node[]> {
		await writeFile(tables, JSON.stringify({ google: [heading, ...rows] }));
		const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
		const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
		const account = { email: 'robot@example.com', privateKey: key };
		const byName = { __rl: true, mode: 'name', value: 'Rows' };
		return [
			{
				...{ name: 'Sheet', type: 'n8n-nodes-base.googleSheets', typeVersion: 4.7 },
				parameters: {
					...{ authentication: 'serviceAccount', resource: 'sheet', operation: 'read' },
					...{ documentId: { __rl: true, mode: 'id', value: 'spreadsheet' }, sheetName: byName },
				},
				credentials: await credential('googleApi', account),
			},
		];
	}

	test('is sent as it is seen', async () => {
		const { outcome } = await fill(await sheet(tina, ['tom@example.com', ...tina.slice(1)]));
		expect(outcome).toEqual({ status: 'success' });
		for (const { values } of (await documenso.documents()).map(contentsOf)) {
			expect(values).toMatchObject({ Rent: '1250.5', Address: '1 Main Street', Payment: 'Card' });
			expect(values['Start date']).toMatch(/^2027-02-01/);
		}
	});

	test.each([
		['inside a row', [...tina.slice(0, 3), '', ...tina.slice(4)], "'Rent' is empty [item 1]"],
		['at the end of a row', tina.slice(0, 4), "'Start date' is empty; 'Payment' is empty [item 1]"],
	])('with an empty cell %s sends nothing to anybody', async (_, row, message) => {
		const { outcome } = await fill(await sheet(tina, row));
		expect(outcome).toEqual({ status: 'error', message });
		expect(await documenso.documents()).toEqual([]);
	});
});

describe('a table of Airtable', () => {
	const tina = {
		...{ 'Tenant email': 'tina@example.com', 'Tenant name': 'Tina', Address: '1 Quay' },
		...{ Rent: 1250.5, 'Start date': '2027-02-01', Payment: 'Card' },
	};
	const takeOut = (expression: string) => ({
		...{ name: 'Take out', type: 'n8n-nodes-base.set', typeVersion: 3.4 },
		parameters: { mode: 'raw', jsonOutput: `={{ ${expression} }}`, options: {} },
	});

	/** Airtable leaves out empty cells. */
	async function table(typeVersion: number, ...rows: IDataObject[]): Promise<Node[]> {
		const createdTime = '2026-11-26T10:00:00.000Z';
		const airtable = rows.map((fields, index) => ({ id: `rec${index}`, createdTime, fields }));
		await writeFile(tables, JSON.stringify({ airtable }));
		return [
			{
				...{ name: 'Records', type: 'n8n-nodes-base.airtable', typeVersion },
				parameters: {
					...{ resource: 'record', operation: 'search', returnAll: true },
					base: { __rl: true, mode: 'id', value: 'app12345678901234' },
					table: { __rl: true, mode: 'id', value: 'tbl12345678901234' },
				},
				credentials: await credential('airtableTokenApi', { accessToken: 'pat' }),
			},
		];
	}

	test('is refused as its newest node hands it on, and sent once it is taken out as the error says', async () => {
		const records = await table(2.2, tina, { ...tina, 'Tenant email': 'tom@example.com' });
		const { description } = await fill(records);
		expect(description).toContain('those inside "fields" do');
		expect(await documenso.documents()).toEqual([]);
		const taken = await fill([...records, takeOut('$json["fields"]')]);
		expect(taken.outcome).toEqual({ status: 'success' });
		const all = (await documenso.documents()).map((one) => contentsOf(one).values);
		expect(all.map(({ Rent }) => Rent)).toEqual(['1250.5', '1250.5']);
	});

	test('with an empty cell sends nothing to anybody', async () => {
		const { Rent, ...without } = tina;
		const { outcome } = await fill(await table(2.1, { ...tina, Rent }, without));
		const message = "'Rent' is missing here; one other item has it [item 1]";
		expect(outcome).toEqual({ status: 'error', message });
		expect(await documenso.documents()).toEqual([]);
	});
});

/** What a cell may hold, and whether a value in a contract is what people see in the cell. */
interface Column {
	plain: fc.Arbitrary<string>;
	odd: fc.Arbitrary<string>;
	isSeenIn(cell: string, value: string): boolean;
}

const seen = (text: string) =>
	text
		.normalize('NFC')
		.replace(/\p{Cf}/gu, '')
		.replace(/\s+/g, ' ')
		.trim();
const days = fc
	.date({ min: new Date('1990-01-01'), max: new Date('2090-12-31'), noInvalidDate: true })
	.map((date) => date.toISOString().slice(0, 10));
const amounts = fc.integer({ min: 1, max: 9_999_999 });

const COLUMNS: Record<string, Column> = {
	Address: {
		plain: fc.stringMatching(/^[A-Za-zÀ-ÿ]{2,12} [1-9]\d{0,2}[a-f]?$/),
		odd: fc.string({ unit: 'grapheme', maxLength: 20 }),
		isSeenIn: (cell, value) => value.trim() === cell.trim(),
	},
	Rent: {
		plain: amounts.map((cents) => String(cents / 100)),
		odd: fc.oneof(
			amounts.map((cents) => (cents / 100).toLocaleString('en')),
			amounts.map((cents) => (cents / 100).toLocaleString('de')),
			fc.double({ noNaN: true }).map(String),
			fc.constantFrom('12E5', '1 250', '١٢٥٠', '1250 €', '0x10', '-', '4111111111111111222'),
		),
		isSeenIn: (cell, value) => value === cell.trim(),
	},
	'Start date': {
		plain: days,
		odd: fc.oneof(
			days.map((day) => `${day}T00:00:00.000Z`),
			days.map((day) => day.split('-').reverse().join('/')),
			days.map((day) => `${day}T12:30`),
			fc.constantFrom('46419', 'tomorrow', '2027-02-30', '2027-13-01', '2027-2-1'),
		),
		isSeenIn: (cell, value) => value.slice(0, 10) === cell.slice(0, 10),
	},
	Payment: {
		plain: fc.constantFrom(...PAYMENT_OPTIONS),
		odd: fc.oneof(
			fc.constantFrom(...PAYMENT_OPTIONS).map((one) => one.toUpperCase()),
			fc.constantFrom('Bank\u00a0transfer', 'Ca\u200brd', ' Card ', 'Cards', 'Bank', 'C\u0061rd'),
		),
		isSeenIn: (cell, value) => seen(cell).toLowerCase() === value.toLowerCase(),
	},
};

const rowsOf = (kind: 'plain' | 'odd') => {
	const cells = Object.entries(COLUMNS).map(([name, { plain, odd }]) => [
		name,
		kind === 'plain' ? plain : fc.oneof(plain, odd),
	]);
	const record = fc.record(Object.fromEntries(cells) as Record<string, fc.Arbitrary<string>>);
	return fc.array(record, { minLength: 40, maxLength: 40 });
};

/** Fills in a draft for each row of a CSV file: the values in it, or undefined for a row that is refused. */
async function valuesIn(rows: Array<Record<string, string>>) {
	const people = rows.map((_, index) => [`t${index}@example.com`, `T ${index}`]);
	const table = rows.map((cells, index) => [...(people[index] ?? []), ...Object.values(cells)]);
	const headings = ['Tenant email', 'Tenant name', ...Object.keys(COLUMNS)];
	const readers = await csv([headings, ...table], { includeEmptyCells: true });
	const { items } = await fill(readers, { send: false }, { onError: 'continueRegularOutput' });
	expect(items).toHaveLength(rows.length);
	return await Promise.all(
		items.map(async ({ id }) =>
			typeof id === 'string' ? contentsOf(await documenso.envelope(id)).values : undefined,
		),
	);
}

// Each run is a workflow of 40 rows: to look for a smaller example would take minutes.
const settings = { numRuns: 5, endOnFailure: true };

describe('whatever is in the cells of a spreadsheet', () => {
	test('a contract holds what people see there, or is not made', async () => {
		const property = fc.asyncProperty(rowsOf('odd'), async (rows) => {
			const values = await valuesIn(rows);
			const wrong = rows.flatMap((cells, index) =>
				Object.entries(COLUMNS).flatMap(([name, { isSeenIn }]) => {
					const [cell = '', value] = [cells[name], values[index]?.[name]];
					const isRight = values[index] === undefined || isSeenIn(cell, value ?? '');
					return isRight ? [] : [{ name, cell, value }];
				}),
			);
			expect(wrong).toEqual([]);
		});
		await fc.assert(property, settings);
	}, 180_000);

	test('a row of ordinary cells is never refused', async () => {
		const property = fc.asyncProperty(rowsOf('plain'), async (rows) => {
			const values = await valuesIn(rows);
			expect(rows.filter((_, index) => values[index] === undefined)).toEqual([]);
		});
		await fc.assert(property, settings);
	}, 180_000);
});
