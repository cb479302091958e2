import type { IDataObject } from 'n8n-workflow';

import { lines, sentTo } from '../support/service';
import { fillFromRow, mapped, USE, useService, wholeRow } from '../support/suite';

const suite = useService({ seed: 'demo' });

async function use(rows: IDataObject[], parameters: IDataObject = {}) {
	return await suite.run(
		{ ...fillFromRow, ...parameters },
		rows.map((json) => ({ json })),
	);
}

const said = ({ error }: Awaited<ReturnType<typeof use>>) =>
	error && `${error.message} ${error.description}`;

const settings = (additionalFields: IDataObject) => ({ additionalFields });
const without = (...names: string[]): IDataObject =>
	Object.fromEntries(Object.entries(wholeRow).filter(([name]) => !names.includes(name)));

/** Makes a field of the template read only, with or without a text that every document gets. */
function lock(name: 'rent' | 'address', text?: string) {
	const meta = suite.field(name).fieldMeta ?? {};
	Object.assign(meta, { readOnly: true, ...(text === undefined ? {} : { text, value: text }) });
}

function expectNothing() {
	expect(suite.documents()).toEqual([]);
	expect(lines(suite.service).filter((line) => line.startsWith('POST'))).toEqual([]);
}

describe('a cell that n8n leaves out of an item', () => {
	test('is refused where another item has the column, and nothing is created for any item', async () => {
		const run = await use([wholeRow, without('Rent'), wholeRow]);
		expect(said(run)).toContain("'Rent' is missing here; 2 other items have it [item 1]");
		expect(said(run)).toContain("With 'Include Empty Cells' where the file is read");
		expect(said(run)).toContain("'Additional Fields > Fields That May Stay Blank'");
		expectNothing();
	});

	test.each([
		['the name of a person', 'Tenant name'],
		['a choice', 'Payment'],
		['a date', 'Start date'],
	])('is refused for %s', async (_, column) => {
		const run = await use([without(column), wholeRow]);
		expect(said(run)).toContain(`'${column}' is missing here; one other item has it [item 0]`);
		expectNothing();
	});

	test.each([
		['may stay blank', { mayStayBlank: ['Rent'] }],
		['is left to the recipients', { ifFieldStaysBlank: 'leave' }],
	])('is sent if it %s', async (_, additionalFields) => {
		const run = await use([wholeRow, without('Rent')], settings(additionalFields));
		expect(run.error).toBeUndefined();
		expect(suite.documents()).toHaveLength(2);
		const isTold = 'ifFieldStaysBlank' in additionalFields;
		expect(run.hints.join().includes('to fill in: Rent (item 1).')).toBe(isTold);
	});

	test('is none where another column fills the field in: two sheets with other headings are right', async () => {
		const { Rent, ...others } = wholeRow;
		const run = await use([wholeRow, { ...others, rent: Rent }, { ...others, 'RENT ': Rent }]);
		expect(run.error).toBeUndefined();
		expect(suite.documents()).toHaveLength(3);
	});

	test('is none where the column is for nothing in the template, or empty in all', async () => {
		const rows = [{ ...without('Rent'), Notes: 'x' }, without('Rent'), without('Rent')];
		const run = await use(rows);
		expect(run.error).toBeUndefined();
		expect(run.hints[0]).toContain('Left for the recipients to fill in: Rent.');
	});

	test('costs nothing where every item has other columns', async () => {
		const rows = Array.from({ length: 300 }, (_, index) => ({ ...wholeRow, [`c${index}`]: 'x' }));
		expect((await use(rows)).error).toBeUndefined();
		expect(suite.documents()).toHaveLength(300);
	});
});

describe('the name of a placeholder', () => {
	test('is never sent as a person’s name: without a column for names, there is none', async () => {
		const run = await use([without('Tenant name')]);
		expect(run.error).toBeUndefined();
		expect(sentTo(suite.service, USE).recipients).toMatchObject([
			{ email: 'tina@example.com', name: '' },
		]);
		expect(run.hints[0]).toBe('These names stay blank, because no column gives them: Tenant name.');
	});

	test('is refused with Refuse', async () => {
		const run = await use([without('Tenant name')], settings({ ifFieldStaysBlank: 'refuse' }));
		expect(said(run)).toContain("'Tenant name' stays blank");
		expectNothing();
	});

	test.each(['Name', 'name', 'Full Name'])(
		'is refused where a column %j matches nothing',
		async (column) => {
			const run = await use([{ ...without('Tenant name'), [column]: 'Tina' }]);
			expect(said(run)).toContain(`'${column}' (did you mean "Tenant name"?) matches nothing`);
			expectNothing();
		},
	);

	test('is no question where every name is given', async () => {
		const run = await use([{ ...wholeRow, Name: 'of somebody else' }]);
		expect(run.error).toBeUndefined();
	});
});

describe('a read-only field', () => {
	const readOnly = [
		['a heading is misspelt', { ...without('Rent'), Rnt: '900' }, 'did you mean "Rent"?'],
		['its cell is empty', { ...wholeRow, Rent: '' }, "'Rent' is empty"],
	] as const;

	test.each(readOnly)('with "TBD" in it is refused if %s', async (_, row, fault) => {
		lock('rent', 'TBD');
		expect(said(await use([row]))).toContain(fault);
		expectNothing();
	});

	test('with "TBD" in it is refused if its expression gives nothing', async () => {
		lock('rent', 'TBD');
		const columns = mapped({ ...wholeRow, Rent: '={{ $json.rent }}' });
		expect(said(await use([{}], { columns }))).toContain(
			"'Rent' has an expression that gives nothing: {{ $json.rent }}",
		);
		expectNothing();
	});

	test('with a constant that nobody gives anything for stays as it is, also with Refuse', async () => {
		lock('rent', '900');
		const run = await use([without('Rent')], settings({ ifFieldStaysBlank: 'refuse' }));
		expect(run.error).toBeUndefined();
		expect(suite.documents()).toHaveLength(1);
	});

	test('without a text is refused with Refuse, because nobody can fill it in', async () => {
		lock('rent');
		const run = await use([without('Rent')], settings({ ifFieldStaysBlank: 'refuse' }));
		expect(said(run)).toContain(
			"'Rent' is required and read only in the template, but has no value",
		);
		expectNothing();
	});

	test('with a text of blanks only is refused with Refuse, though Documenso takes it for filled in', async () => {
		lock('address', ' \u00a0');
		const run = await use([without('Address')], settings({ ifFieldStaysBlank: 'refuse' }));
		expect(said(run)).toContain("'Address' stays blank");
		expectNothing();
	});

	test('may stay as it is if the user says so', async () => {
		lock('rent', 'TBD');
		const run = await use([{ ...wholeRow, Rent: '' }], settings({ mayStayBlank: ['Rent'] }));
		expect(run.error).toBeUndefined();
		expect(run.hints.join()).not.toContain('Left for the recipients');
	});
});

describe('hints', () => {
	test('name the boxes that are empty, with their items, when columns are mapped one by one', async () => {
		const columns = mapped({
			'Tenant email': '={{ $json.mail }}',
			'Tenant name': 'Tina',
			Rent: '',
		});
		const run = await use([{ mail: 'a@b.example' }, { mail: 'c@d.example' }], { columns });
		expect(run.error).toBeUndefined();
		expect(run.hints[0]).toBe(
			'Left for the recipients to fill in: Address, Start date, Rent, Payment.',
		);
	});

	test('name the dates that had a time of day, with their items', async () => {
		const run = await use([{ ...wholeRow, 'Start date': '2027-02-01T04:00:00Z' }, wholeRow]);
		expect(run.hints[0]).toBe(
			"These dates have a time of day, and were read in the workflow's time zone: Start date (item 0).",
		);
	});

	test('name the numbers that a workbook may show as days, with their items', async () => {
		const run = await use([{ ...wholeRow, Address: 46419 }, wholeRow]);
		expect(run.hints[0]).toContain(
			'a number which in a spreadsheet may be a day, and is printed as a number: Address (item 0).',
		);
		for (const Address of ['46419', 46419.5, 36525, 54789, 2027]) {
			expect((await use([{ ...wholeRow, Address }])).hints.join()).not.toContain('may be a day');
		}
	});

	test('name once what is filled in and can be erased by a click, but not what is locked', async () => {
		lock('rent');
		const run = await use([wholeRow, wholeRow]);
		const [hint, ...others] = run.hints;
		expect(others).toEqual([]);
		expect(hint).toContain(
			'one click on such a field erases its value: Address, Start date, Payment.',
		);
		expect(hint).toContain('turn on Read Only for these fields in the template');
	});
});

describe('what a program writes for nothing', () => {
	test.each([
		['undefined', 'is "undefined", which a program writes when it has no value'],
		[' [object Object] ', 'is "[object Object]", which a program writes'],
		['for {{ $json.size }} people', 'has an expression in it that was not evaluated'],
		['J\uFFFDrgen', 'has a character that was lost when the file was read'],
	])('%j is refused', async (value, fault) => {
		expect(said(await use([{ ...wholeRow, Address: value }]))).toContain(`'Address' ${fault}`);
		expect(said(await use([{ ...wholeRow, 'Tenant name': value }]))).toContain(fault);
		expectNothing();
	});

	test.each(['undefined behaviour', 'Null', '{{signature, r1}}', 'NaN', '[x]'])(
		'%j is a text like any other',
		async (value) => {
			expect((await use([{ ...wholeRow, Address: value }])).error).toBeUndefined();
		},
	);
});
