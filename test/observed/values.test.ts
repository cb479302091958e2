import type { IDataObject } from 'n8n-workflow';

import { RENTAL_AGREEMENT } from '../../emulator/seed/demo';
import { sentTo } from '../support/service';
import { fillFromRow, useService } from '../support/suite';

const suite = useService({ seed: 'demo' });

const COMMAS = '123,456,789.00';
const POINTS = '123.456.789,00';
const ONE_COMMA = '123456,789.00';

/** Fills in the template's field Payment, turned into a field of this type. */
async function fill(type: string, meta: object, given: unknown) {
	const field = suite.template().fields.find(({ id }) => id === RENTAL_AGREEMENT.fields.payment);
	const fieldMeta = { type: type.toLowerCase(), label: 'It', ...meta };
	Object.assign(field ?? {}, { type, fieldMeta });
	const row = { 'Tenant email': 'tina@example.com', It: given } as IDataObject;
	return await suite.run(fillFromRow, [{ json: row }]);
}

async function filled(type: string, meta: object, given: unknown) {
	const { error } = await fill(type, meta, given);
	if (error) throw error;
	const [{ value }] = sentTo(suite.service, 'POST /envelope/use').prefillFields as [
		{ value: unknown },
	];
	return value;
}

async function refusal(type: string, meta: object, given: unknown) {
	const { error } = await fill(type, meta, given);
	expect(suite.service.store.documents).toHaveLength(0);
	return error?.message;
}

const boxes = (options: string[]) => ({
	values: options.map((value, id) => ({ id, checked: false, value })),
});

describe('13.9 Numbers as text in a formatted number field', () => {
	test.each([
		// In the field's format: as written.
		[COMMAS, '1,500', '1,500'],
		[COMMAS, '1,234,567.89', '1,234,567.89'],
		[COMMAS, '-1,500.25', '-1,500.25'],
		[POINTS, '1.500,00', '1.500,00'],
		[POINTS, '1.234.567', '1.234.567'],
		[POINTS, '1234,5', '1234,5'],
		[POINTS, ' -1.500,25 ', '-1.500,25'],
		[ONE_COMMA, '1234,567.00', '1234,567.00'],
		[ONE_COMMA, '-234,567', '-234,567'],
		// In the format and a plain decimal alike.
		[COMMAS, '1500.5', '1500.5'],
		[POINTS, '1500', '1500'],
		[ONE_COMMA, '1500.50', '1500.50'],
		// Plain decimals: written in the format.
		[COMMAS, '1.500', '1.50'],
		[COMMAS, '-1234.500', '-1,234.50'],
		[POINTS, '1.5', '1,50'],
		[POINTS, '1500.5', '1.500,50'],
		[POINTS, ' -1234.5 ', '-1.234,50'],
		[POINTS, '1500.500', '1.500,50'],
		[ONE_COMMA, '1234567.500', '1234,567.50'],
		// Real numbers.
		[POINTS, 1.5, '1,50'],
		[POINTS, 1500, '1.500,00'],
		[POINTS, -1500.5, '-1.500,50'],
	])('in the format %s %j becomes %s', async (numberFormat, given, value) => {
		expect(await filled('NUMBER', { numberFormat }, given)).toBe(value);
	});

	test.each([
		['1.500', '1500', '1.5', '1.500,00 for 1500 or 1,50 for 1.5'],
		['-12.340', '-12340', '-12.34', '-12.340,00 for -12340 or -12,34 for -12.34'],
		['0.500', '500', '0.5', '500,00 for 500 or 0,50 for 0.5'],
		// With more decimals than the format has.
		['1.525', '1525', '1.525', '1.525,00 for 1525'],
	])(
		'%s, which means two things with points between thousands, is refused',
		async (given, inFormat, plain, ways) => {
			expect(await refusal('NUMBER', { numberFormat: POINTS }, given)).toBe(
				`'It' is "${given}", which is ${inFormat} in its format ${POINTS}, and ${plain} as a plain decimal: ` +
					`write ${ways}, or give a number instead of text [item 0]`,
			);
		},
	);

	test.each([
		[COMMAS, '1,5'],
		[COMMAS, '1.500,00'],
		[POINTS, '1,500.00'],
		[POINTS, '1.50,00'],
		[ONE_COMMA, '1,234,567'],
		[POINTS, '1 500'],
		[POINTS, '--5'],
	])('in the format %s %j, which is neither, is refused', async (numberFormat, given) => {
		expect(await refusal('NUMBER', { numberFormat }, given)).toContain(
			`'It' is a number field, but "${given}" is not a number in its format ${numberFormat}`,
		);
	});

	test('limits count for either reading', async () => {
		const meta = { numberFormat: POINTS, maxValue: 1000 };
		expect(await refusal('NUMBER', meta, '1.500,00')).toContain("above the field's maximum 1000");
		expect(await filled('NUMBER', meta, '1.5')).toBe('1,50');
	});
});

describe('13.9 A checkbox option with a comma', () => {
	const COLOURS = boxes(['Red, green', 'Blue', 'Black, white, grey']);

	test.each([
		['Red, green, Blue', ['Red, green', 'Blue']],
		['blue,red,green', ['Blue', 'Red, green']],
		['Black, white, grey, Red, green', ['Black, white, grey', 'Red, green']],
		['Red, green', ['Red, green']],
		['["Red, green","Blue"]', ['Red, green', 'Blue']],
		[
			['Blue', 'Red, green'],
			['Blue', 'Red, green'],
		],
	])('is chosen from %j', async (given, value) => {
		expect(await filled('CHECKBOX', COLOURS, given)).toEqual(value);
	});

	test('of which only a part is there is refused, with that part', async () => {
		expect(await refusal('CHECKBOX', COLOURS, 'Blue, Red')).toContain(
			`has no option "Red"; it has`,
		);
		expect(await refusal('CHECKBOX', COLOURS, 'Red, green, Bleu')).toContain(`no option "Bleu"`);
	});

	const ABC = boxes(['A', 'B', 'A, B']);

	test('that may be two options as well is refused, with both readings', async () => {
		expect(await refusal('CHECKBOX', ABC, 'A, B')).toContain(
			`'It' is "A, B", which may mean ["A, B"] or ["A","B"]: give one of these as a JSON list`,
		);
	});

	test.each([
		['["A","B"]', ['A', 'B']],
		['["A, B"]', ['A, B']],
	])('is told from them by the list %s', async (given, value) => {
		expect(await filled('CHECKBOX', ABC, given)).toEqual(value);
	});

	test('is no riddle where every reading chooses the same', async () => {
		const options = boxes(['Ha, ha', 'Ha, ha, ha']);
		const value = (await filled('CHECKBOX', options, 'Ha, ha, ha, ha, ha')) as string[];
		expect(value.sort()).toEqual(['Ha, ha', 'Ha, ha, ha']);
	});
});

describe('13.12 Options are compared without blanks around them', () => {
	test.each([
		['DROPDOWN', [' Card ', 'Cash'], 'card', ' Card '],
		['RADIO', ['Card', 'Cash '], ' cash  ', 'Cash '],
		['DROPDOWN', ['Card', 'Card '], 'Card ', 'Card '],
		['DROPDOWN', ['By card , at once', 'Cash'], 'by card, at once ', 'By card , at once'],
		['CHECKBOX', [' Cellar', 'Garage '], 'garage,cellar ', ['Garage ', ' Cellar']],
		['CHECKBOX', [' Cellar, dry ', 'Garage'], 'Garage, cellar,dry', ['Garage', ' Cellar, dry ']],
		['CHECKBOX', [' Cellar, dry '], ['Cellar,dry'], [' Cellar, dry ']],
		['CHECKBOX', ['Agreed'], ' TRUE ', ['Agreed']],
	])('%s %j takes %j', async (type, options, given, value) => {
		expect(await filled(type, boxes(options), given)).toEqual(value);
	});
});
