import type { IDataObject } from 'n8n-workflow';

import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { automatic, byId, mapped, useService } from '../support/suite';

const suite = useService({ seed: 'demo' });

const row = {
	'Tenant email': 'tina@example.com',
	'Tenant name': 'Tina',
	Address: '1 Main Street',
	Rent: '900',
	'Start date': '2027-02-01',
	Payment: 'Card',
};

async function use(rows: IDataObject[], parameters: IDataObject = {}) {
	return await suite.run(
		{
			resource: 'template',
			operation: 'createDocument',
			templateId: byId(RENTAL_AGREEMENT.id),
			columns: automatic,
			...parameters,
		},
		rows.map((json) => ({ json })),
	);
}

const unmatchedColumns = (value: string) => ({ additionalFields: { unmatchedColumns: value } });
const messages = ({ hints }: Awaited<ReturnType<typeof use>>) => hints;

test('there is no hint if every column matches', async () => {
	expect(messages(await use([{ ...row, 'External ID': 'C-1' }]))).toEqual([]);
});

test('columns that n8n’s form trigger and Google Sheets add are not listed', async () => {
	const added = { submittedAt: '2027-01-01T10:00:00.000Z', formMode: 'production', row_number: 2 };
	expect(messages(await use([{ ...row, ...added }]))).toEqual([]);
});

test('a hint names misspelt columns, what was probably meant, and what is left blank', async () => {
	const { Rent, Address, ...others } = row;
	const run = await use([{ ...others, Rnt: Rent, Adress: Address, Notes: 'x' }]);
	expect(run.error).toBeUndefined();
	expect(messages(run)).toEqual([
		'3 columns matched nothing in the template: Rnt (Rent?), Adress (Address?), Notes. Left for the recipients to fill in: Address, Rent.',
	]);
});

test('all items together have one hint, and only columns with values count', async () => {
	const rows = [
		{ ...row, Colour: 'red', Size: '' },
		{ ...row, Colour: 'blue', Weight: 3 },
	];
	expect(messages(await use(rows))).toEqual([
		'2 columns matched nothing in the template: Colour, Weight.',
	]);
});

test('a field without a column is listed without a warning', async () => {
	const { Rent: _rent, ...others } = row;
	expect(messages(await use([others]))).toEqual(['Left for the recipients to fill in: Rent.']);
});

test('names are shown as text', async () => {
	const [message] = messages(await use([{ ...row, '<img src=x>': 'x' }]));
	expect(message).toContain('&lt;img src=x>');
});

test('there is no hint if columns are mapped one by one', async () => {
	const columns = mapped({ 'Tenant email': 'tina@example.com' });
	expect(messages(await use([{ Adress: '1 Main Street' }], { columns }))).toEqual([]);
});

test('a field that JSON fills in is not listed', async () => {
	const { Rent: _rent, Address: _address, ...others } = row;
	const additionalFields = { prefillJson: '{ "Rent": 900 }' };
	expect(messages(await use([others], { additionalFields }))).toEqual([
		'Left for the recipients to fill in: Address.',
	]);
});

test('Ignore shows no hint', async () => {
	expect(messages(await use([{ ...row, Rnt: 1 }], unmatchedColumns('ignore')))).toEqual([]);
});

test('Fail names the columns of every item, and nothing is created', async () => {
	const rows = [row, { ...row, Rnt: '900' }, { ...row, Notes: 'x' }];
	const { error } = await use(rows, unmatchedColumns('fail'));
	expect(error?.description).toContain("'Rnt' matches nothing in the template");
	expect(error?.description).toContain('Did you mean "Rent"?');
	expect(error?.description).toContain("'Notes' matches nothing in the template");
	expect(suite.service.store.documents).toEqual([]);
});
