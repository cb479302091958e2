import type { IDataObject } from 'n8n-workflow';

import { sentTo } from '../support/service';
import { boxes, fillFromRow, useService } from '../support/suite';

// All the ways to write a value are in test/unit/prefillValue.test.ts.
const suite = useService({ seed: 'demo' });

const POINTS = '123.456.789,00';

/** Fills in the template's field Payment, turned into a field of this type. */
async function fill(type: string, meta: object, given: unknown) {
	suite.become('payment', type, { label: 'It', ...meta });
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

describe('13.9 Numbers as text in a formatted number field', () => {
	test.each([
		['as written in its format', '1.500,00', '1.500,00'],
		['as a plain decimal', '1500.5', '1.500,50'],
		['as a number', 1.5, '1,50'],
	])('are taken %s', async (_, given, value) => {
		expect(await filled('NUMBER', { numberFormat: POINTS }, given)).toBe(value);
	});

	test('are refused where they mean two things', async () => {
		expect(await refusal('NUMBER', { numberFormat: POINTS }, '1.500')).toBe(
			`'It' is "1.500", which is 1500 in the field's format ${POINTS}, and 1.5 as a plain decimal: ` +
				`write 1.500,00 for 1500 or 1,50 for 1.5, or give a number instead of text [item 0]`,
		);
	});
});

describe('13.9 A checkbox option with a comma', () => {
	test('is chosen from text with commas', async () => {
		const values = boxes('Red, green', 'Blue', 'Black, white, grey');
		expect(await filled('CHECKBOX', { values }, 'Red, green, Blue')).toEqual([
			'Red, green',
			'Blue',
		]);
	});

	test('that may be two options as well is refused, with both readings', async () => {
		expect(await refusal('CHECKBOX', { values: boxes('A', 'B', 'A, B') }, 'A, B')).toBe(
			`'It' is "A, B", which may mean ["A, B"] or ["A","B"]: give one of these as a JSON list [item 0]`,
		);
	});
});

describe('13.12 Options are compared without blanks around them', () => {
	test.each([
		['RADIO', ['Card', 'Cash '], ' cash  ', 'Cash '],
		['DROPDOWN', [' Card ', 'Cash'], 'card', ' Card '],
		['CHECKBOX', [' Cellar', 'Garage '], 'garage,cellar ', ['Garage ', ' Cellar']],
	])('%s %j takes %j', async (type, options, given, value) => {
		expect(await filled(type, { values: boxes(...options) }, given)).toEqual(value);
	});
});
