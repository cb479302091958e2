import type { IDataObject } from 'n8n-workflow';

import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { sentTo } from '../support/service';
import { automatic, boxes, fillFromRow, mapped, useService } from '../support/suite';

// All the ways to write a value are in test/unit/prefillValue.test.ts, and those to name a field in columns.test.ts.
const suite = useService({ seed: 'demo' });

const tenant = { 'Tenant email': 'tina@example.com' };
const use = { ...fillFromRow, columns: mapped(tenant) };
const withJson = (prefillJson: string) => ({ ...use, additionalFields: { prefillJson } });

async function prefilled(values: IDataObject, prefillJson = '', item: IDataObject = {}) {
	suite.service.calls.length = 0;
	const columns = mapped({ ...tenant, ...values });
	const { error } = await suite.run({ ...withJson(prefillJson), columns }, [{ json: item }]);
	if (error) throw error;
	return sentTo(suite.service, 'POST /envelope/use').prefillFields as Array<{ value: unknown }>;
}

describe('values', () => {
	test.each([
		['quotes', `She said "it's fine" \\ and left`],
		['emoji', '🏠 Flat 3 👩‍👩‍👧 ✅'],
		['right-to-left text', 'שלום, דירה 3 — العربية'],
		['10,000 characters', 'ä'.repeat(10_000)],
		['lines', 'Flat 3\n12 Quay Street\tBristol'],
		['what looks like a placeholder', '{{signature, r1}} {{ json.x }} ${x}'],
	])('%s arrive as they are', async (_, text) => {
		const [sent] = await prefilled({ Address: '={{ $json.text }}' }, '', { text });
		expect(sent?.value).toBe(text);
		const [document] = suite.service.store.documents;
		const stored = document?.fields.find(({ fieldMeta }) => fieldMeta?.label === 'Address');
		expect(stored?.customText).toBe(text);
	});

	test.each([
		['2027-02-01T23:30:00-05:00', '2027-02-01'],
		['={{ DateTime.fromISO("2027-02-01", { zone: "Pacific/Auckland" }) }}', '2027-02-01'],
		['={{ DateTime.fromISO("2027-02-01").toJSDate() }}', '2027-02-01'],
	])('the date %s is printed as %s', async (given, printed) => {
		await prefilled({ 'Start date': given });
		const [document] = suite.service.store.documents;
		const dates = document?.fields.filter(({ type }) => type === 'DATE') ?? [];
		expect(dates.map(({ customText }) => customText)).toContain(printed);
	});

	test('a number of an expression is printed in the format of the field', async () => {
		suite.become('rent', 'NUMBER', { label: 'Rent', numberFormat: '123.456.789,00' });
		expect(await prefilled({ Rent: '={{ 1234567 }}' })).toMatchObject([
			{ type: 'number', value: '1.234.567,00' },
		]);
	});

	test('the options of a choice are found whatever their case, and sent as the template has them', async () => {
		expect(await prefilled({ Payment: ' direct DEBIT ' })).toMatchObject([
			{ value: 'Direct debit' },
		]);
	});

	test('several choices may come as a list of an expression', async () => {
		suite.become('payment', 'CHECKBOX', { label: 'Extras', values: boxes('Cellar', 'Garage') });
		expect(await prefilled({ Extras: '={{ ["Garage"] }}' })).toMatchObject([
			{ type: 'checkbox', value: ['Garage'] },
		]);
	});

	test.each([
		['Address', '={{ [1] }}', 'is a text field, but "[1]" is a list'],
		// Expressions turn an invalid date into this text.
		[
			'Address',
			'={{ DateTime.fromISO("nonsense") }}',
			'is a text field, but "Invalid DateTime" is text',
		],
		[
			'Rent',
			'={{ $json.none * 12 }}',
			'is a number field, but "NaN" is the result of a failed calculation',
		],
	])('%s: %s is refused before anything is created', async (name, value, fault) => {
		const { error } = await suite.run({ ...use, columns: mapped({ ...tenant, [name]: value }) });
		expect(error?.message).toBe(`'${name}' ${fault} [item 0]`);
		expect(suite.service.store.documents).toHaveLength(0);
	});

	test('a field without a label is named by its kind, page and recipient, or by its ID', async () => {
		const { landlordDate } = RENTAL_AGREEMENT.fields;
		for (const name of ['Date on page 2 (Anna Landlord)', String(landlordDate)]) {
			suite.service.calls.length = 0;
			await suite.run({ ...use, columns: mapped({ ...tenant, [name]: '2026-12-24' }) });
			expect(sentTo(suite.service, 'POST /envelope/use').prefillFields).toEqual([
				{ id: landlordDate, type: 'date', value: '2026-12-24T00:00:00' },
			]);
		}
	});

	test('keep the placeholders of texts and numbers; those of choices are not sent', async () => {
		suite.become('address', 'TEXT', { label: 'Address', placeholder: 'Street' });
		suite.become('payment', 'DROPDOWN', {
			label: 'Pay',
			placeholder: 'x',
			values: [{ value: 'Card' }],
		});
		expect(await prefilled({ Address: 'A', Pay: 'Card' })).toEqual([
			expect.objectContaining({ placeholder: 'Street' }),
			expect.not.objectContaining({ placeholder: 'x' }),
		]);
	});
});

describe('values as JSON', () => {
	test('leave what is blank to the recipients, if the user wants that', async () => {
		const { additionalFields, ...rest } = withJson('{"Address":"A","Rent":"","Payment":null}');
		const settings = { ...additionalFields, ifFieldStaysBlank: 'leave' };
		await suite.run({ ...rest, additionalFields: settings });
		expect(sentTo(suite.service, 'POST /envelope/use').prefillFields).toMatchObject([
			{ value: 'A' },
		]);
	});

	test('JSON that is a list is refused, and the error says when an item has no columns', async () => {
		expect((await suite.run(withJson('[1]'))).error?.message).toBe(
			"'Additional Fields > Prefill (JSON)' is not an object with labels and values [item 0]",
		);
		const { error } = await suite.run({ ...use, columns: automatic });
		expect(error?.description).toContain('The item has the columns: none.');
	});

	test('JSON of an expression or a program names fields by their labels', async () => {
		const json = { address: 'A', RENT: 3, Payment: 'Card' };
		const sent = await prefilled({}, '={{ $json }}', json);
		expect(sent.map(({ value }) => value)).toEqual(['A', '3', 'Card']);
		const { error } = await suite.run(withJson('{ "Colour": "red" }'));
		expect(error?.message).toBe("'Colour' is not in the template [item 0]");
	});

	test('JSON comes before the columns, whose other values are taken too', async () => {
		const sent = await prefilled({ Rent: 'much', Address: 'B' }, '{ "Rent": 3 }');
		expect(sent.map(({ value }) => value)).toEqual(['3', 'B']);
	});
});
