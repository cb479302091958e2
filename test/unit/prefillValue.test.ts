import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { DateTime, Settings } from 'luxon';

import type { EnvelopeField } from '../../nodes/shared/api/envelope';
import { readValue } from '../../nodes/Documenso/template/prefillValue';

type Meta = EnvelopeField['fieldMeta'];

const field = (type: string, fieldMeta: Meta): EnvelopeField => ({
	id: 1,
	type,
	recipientId: 1,
	page: 1,
	positionX: 0,
	positionY: 0,
	width: 20,
	height: 5,
	envelopeItemId: 'envelope_item_a',
	customText: '',
	inserted: false,
	fieldMeta,
});

const read = (type: string, meta: Meta, given: unknown, timezone = 'UTC') =>
	readValue(field(type, meta), given, { timezone });

const options = (...values: string[]) => ({ values: values.map((value) => ({ value })) });

test('a value that JSON does not have is named, too', () => {
	const circular: { self?: unknown } = {};
	circular.self = circular;
	expect(read('TEXT', {}, () => 1)).toEqual({
		fault: 'is a text field, but "() => 1" is a function',
	});
	expect(read('NUMBER', {}, circular)).toEqual({
		fault: 'is a number field, but "{…}" is an object',
	});
	expect(read('DATE', {}, [circular])).toEqual({ fault: 'is a date field, but "[…]" is a list' });
});

const COMMAS = '123,456,789.00';
const POINTS = '123.456.789,00';
const ONE_COMMA = '123456,789.00';

const NAN = 'is the result of a failed calculation';

describe('a text', () => {
	test.each<[string, unknown, string]>([
		['as it is', ` She said "it's fine"\\ 🏠\n`, ` She said "it's fine"\\ 🏠\n`],
		['from a number', 1250.5, '1250.5'],
		['from 0', 0, '0'],
		['from a switch', false, 'false'],
	])('is read %s', (_, given, value) => {
		expect(read('TEXT', {}, given)).toEqual({ value });
	});

	test.each<[unknown, string]>([
		[['a'], 'is a text field, but "["a"]" is a list'],
		[{ a: 1 }, 'is a text field, but "{"a":1}" is an object'],
		[NaN, `is a text field, but "NaN" ${NAN}`],
		[Infinity, `is a text field, but "Infinity" ${NAN}`],
		// What n8n makes of a date that is none.
		['Invalid DateTime', 'is a text field, but "Invalid DateTime" is text'],
	])('is not read from %p', (given, fault) => {
		expect(read('TEXT', {}, given)).toEqual({ fault });
	});

	test.each<[unknown, string]>([
		[110.00000000000001, '110'],
		[4111111111111111, '4111111111111111'],
		[-9007199254740991, '-9007199254740991'],
		['12E5', '12E5'],
		['12345678901234567890', '12345678901234567890'],
		[new Date('2027-02-01T00:00:00Z'), '2027-02-01'],
		[DateTime.fromISO('2027-02-01', { zone: 'Asia/Tokyo' }), '2027-02-01'],
		['2027-01-31T23:00:00.000Z', '2027-02-01'],
		['2027-01-31t23:00:00z', '2027-02-01'],
		['\u202a2027-01-31T23:00:00.000Z\u202c', '2027-02-01'],
		['2027-02-01T00:00:00.000+01:00', '2027-02-01'],
		['2027-02-01T09:30', '2027-02-01T09:30'],
	])('is printed as it was seen: %p as %s', (given, value) => {
		expect(read('TEXT', {}, given, 'Europe/Berlin')).toEqual({ value });
	});

	test.each<[unknown, string]>([
		[9007199254740992, 'so large that its last digits are lost: give it as text'],
		[1e21, 'so large that its last digits are lost'],
		[1e-7, 'is 1e-7, which cannot be written without an exponent'],
		[new Date('2027-02-01T04:00:00Z'), '.toFormat('],
		['2026-11-26T10:44:59.314+01:00', 'is the time stamp "2026-11-26T10:44:59.314+01:00"'],
		['a\0b', 'contains a NUL character, which Documenso cannot store'],
		['0001-01-01T00:00:00Z', 'a day before 1900'],
	])('is not printed as nobody saw it: %p', (given, fault) => {
		const containing = expect.stringContaining(fault) as string;
		expect(read('TEXT', {}, given)).toEqual({ fault: containing });
	});

	test('has at most as many characters as the field takes; 0 is no limit', () => {
		expect(read('TEXT', { characterLimit: 4 }, 'four')).toEqual({ value: 'four' });
		expect(read('TEXT', { characterLimit: 3 }, 'four')).toEqual({
			fault: 'has 4 characters; the field takes 3',
		});
		expect(read('TEXT', { characterLimit: 0 }, 'four')).toEqual({ value: 'four' });
		expect(read('TEXT', null, 'four')).toEqual({ value: 'four' });
	});
});

describe('a number', () => {
	test.each([
		[COMMAS, `${'1'.repeat(4)}${',111'.repeat(3)}.00`.replace('1111', '1,111')],
		[POINTS, '1.111.111.111.111,00'],
		[ONE_COMMA, '1111111111,111.00'],
	])('of thirteen digits gets its separators: %s', (numberFormat, value) => {
		expect(read('NUMBER', { numberFormat }, 1111111111111)).toEqual({ value });
	});

	test.each([COMMAS, POINTS, ONE_COMMA])(
		'of a million digits costs no more than its length: %s',
		(numberFormat) => {
			const digits = `${'1'.repeat(1_000_000)}.0`;
			const { value } = read('NUMBER', { numberFormat }, digits) as { value: string };
			// ".00" or ".0": text in the field's own format stays as it is.
			expect(value.replace(/[.,].{1,2}$/, '').replace(/[.,]/g, '').length).toBe(1_000_000);
		},
	);

	test.each<[unknown, string]>([
		['1250.5', '1250.5'],
		[1250.5, '1250.5'],
		[-5, '-5'],
		[' 7 ', '7'],
		['\u202a1250\u200b', '1250'],
		// Without a format nobody can tell what the signs mean.
		['1.250,50', '1.250,50'],
		['1,250.50', '1,250.50'],
		['1,500', '1,500'],
		['1.500', '1.500'],
		['1.500.000,25', '1.500.000,25'],
		['12,34,567.50', '12,34,567.50'],
		['1,5', '1,5'],
		['-1.500,00', '-1.500,00'],
	])('without a format is %j as it is', (given, value) => {
		expect(read('NUMBER', {}, given)).toEqual({ value });
		expect(read('NUMBER', { numberFormat: null }, given)).toEqual({ value });
		expect(read('NUMBER', { numberFormat: 'unknown' }, given)).toEqual({ value });
	});

	test.each([
		// In the field's format: as written.
		[COMMAS, '1,500', '1,500'],
		[COMMAS, '1,234,567.89', '1,234,567.89'],
		[COMMAS, '-1,500.25', '-1,500.25'],
		[POINTS, '1.500,00', '1.500,00'],
		[POINTS, '1.250,50', '1.250,50'],
		[POINTS, '1.234.567', '1.234.567'],
		[POINTS, '12.501.250', '12.501.250'],
		[POINTS, '1234,5', '1234,5'],
		[POINTS, ' -1.500,25 ', '-1.500,25'],
		[POINTS, '\ufeff1.500,25\u200b', '1.500,25'],
		[ONE_COMMA, '1234,567.00', '1234,567.00'],
		[ONE_COMMA, '-234,567', '-234,567'],
		// In the format and a plain decimal alike.
		[COMMAS, '1500.5', '1500.5'],
		[COMMAS, '1250.5', '1250.5'],
		[POINTS, '1500', '1500'],
		[ONE_COMMA, '1500.50', '1500.50'],
		// Plain decimals: written in the format.
		[COMMAS, '1.500', '1.50'],
		[COMMAS, '-1234.500', '-1,234.50'],
		[POINTS, '1.5', '1,50'],
		[POINTS, '1250.5', '1.250,50'],
		[POINTS, ' -1234.5 ', '-1.234,50'],
		[POINTS, '1500.500', '1.500,50'],
		[ONE_COMMA, '1234567.500', '1234,567.50'],
		// Real numbers.
		[COMMAS, 1234567.5, '1,234,567.50'],
		[POINTS, 1.5, '1,50'],
		[POINTS, 1500, '1.500,00'],
		[POINTS, 1234567, '1.234.567,00'],
		[POINTS, -1250.25, '-1.250,25'],
		[ONE_COMMA, 1234567, '1234,567.00'],
		[ONE_COMMA, 567, '567.00'],
	])('in the format %s: %j becomes %s', (numberFormat, given, value) => {
		expect(read('NUMBER', { numberFormat }, given)).toEqual({ value });
	});

	test.each([
		['1.500', '1500', '1.5', '1.500,00 for 1500 or 1,50 for 1.5'],
		['-12.340', '-12340', '-12.34', '-12.340,00 for -12340 or -12,34 for -12.34'],
		['0.500', '500', '0.5', '500,00 for 500 or 0,50 for 0.5'],
		// With more decimals than the format has.
		['1.525', '1525', '1.525', '1.525,00 for 1525'],
	])(
		'%s means two things with points between thousands: it is refused with both',
		(given, inFormat, plain, ways) => {
			expect(read('NUMBER', { numberFormat: POINTS }, given)).toEqual({
				fault:
					`is "${given}", which is ${inFormat} in the field's format ${POINTS}, and ${plain} as a plain decimal: ` +
					`write ${ways}, or give a number instead of text`,
			});
		},
	);

	test.each([
		[COMMAS, '1,5'],
		[COMMAS, '1.500,00'],
		[COMMAS, '1.250,50'],
		[POINTS, '1,500.00'],
		[POINTS, '1.50,00'],
		[ONE_COMMA, '1,234,567'],
		[POINTS, '1 500'],
		[POINTS, '--5'],
	])('in the format %s: %j, which is neither, is refused', (numberFormat, given) => {
		expect(read('NUMBER', { numberFormat }, given)).toEqual({
			fault: `is a number field, but "${given}" is not a number in the field's format ${numberFormat}`,
		});
	});

	test.each<[Meta, unknown, string]>([
		[{}, { a: 1 }, 'is a number field, but "{"a":1}" is an object'],
		[{}, true, 'is a number field, but "true" is a boolean'],
		[{}, '12 kg', 'is a number field, but "12 kg" is text'],
		[{}, 'x'.repeat(100), `is a number field, but "${'x'.repeat(60)}…" is text`],
		[{ numberFormat: POINTS }, 'much', 'is a number field, but "much" is text'],
		[{}, NaN, `is a number field, but "NaN" ${NAN}`],
		[{ numberFormat: COMMAS }, NaN, `is a number field, but "NaN" ${NAN}`],
		[{}, 1e21, 'is 1e+21, a number so large that its last digits are lost: give it as text'],
		[{ numberFormat: COMMAS }, 1e-7, 'is 1e-7, which cannot be written without an exponent'],
		[
			{ numberFormat: COMMAS },
			1.005,
			"is 1.005, but the field's format 123,456,789.00 has two decimals: round it, in an expression with .round(2)",
		],
	])('of %j is not %p', (meta, given, fault) => {
		expect(read('NUMBER', meta, given)).toEqual({ fault });
	});

	test.each<[Meta, unknown, string]>([
		[{}, 1.1 * 100, '110'],
		[{ numberFormat: COMMAS }, 0.1 + 0.2, '0.30'],
		[{ maxValue: 110 }, 1.1 * 100, '110'],
		[{}, 123456789.123456, '123456789.123456'],
	])('of %j is the 15 digits of %p that count', (meta, given, value) => {
		expect(read('NUMBER', meta, given)).toEqual({ value });
	});

	test.each([
		'1'.repeat(300_000) + 'x',
		'1.2.3',
		'1,2,3',
		'1.500,00,1',
		'1..5',
		'.,',
		'-1.2.3',
		'1,5.5',
	])('without a format is not read from %j', (given) => {
		expect(read('NUMBER', {}, given)).toMatchObject({ fault: expect.any(String) as string });
	});

	test.each<[Meta, unknown, string]>([
		[{ minValue: 10 }, 10, '10'],
		[{ maxValue: 10 }, 10, '10'],
		// Limits of 0 count as none with Documenso.
		[{ maxValue: 0 }, 5, '5'],
		[{ minValue: 0 }, -5, '-5'],
		[{ minValue: null, maxValue: null }, 5, '5'],
		[{ numberFormat: POINTS, maxValue: 1000 }, '1.5', '1,50'],
	])('within the limits %j is %j', (meta, given, value) => {
		expect(read('NUMBER', meta, given)).toEqual({ value });
	});

	test.each<[Meta, unknown, string]>([
		[{ minValue: 10 }, 9, "is 9, which is below the field's minimum 10"],
		[{ maxValue: 10 }, '11', "is 11, which is above the field's maximum 10"],
		[
			{ minValue: 10, numberFormat: POINTS },
			'9,50',
			"is 9,50, which is below the field's minimum 10",
		],
		[
			{ maxValue: 1000, numberFormat: POINTS },
			'1.500,00',
			"is 1.500,00, which is above the field's maximum 1000",
		],
	])('outside the limits %j is %j', (meta, given, fault) => {
		expect(read('NUMBER', meta, given)).toEqual({ fault });
	});
});

test.each([
	['DATE', '2027\u200b-02-01', '200B'],
	['NUMBER', '12\u206050', '2060'],
])(
	'a %s with a character inside that nobody sees is refused with its code: %j',
	(type, given, code) => {
		expect(read(type, {}, given)).toEqual({
			fault: `is "${given}", with a character that nobody sees: U+${code}`,
		});
	},
);

test('a no-break space in a number is a blank, and not named as a character that nobody sees', () => {
	expect(read('NUMBER', {}, '1250\u00a0EUR')).toEqual({
		fault: 'is a number field, but "1250\u00a0EUR" is text',
	});
});

const DAY_NUMBER =
	'. A spreadsheet stores 2025-12-09 like that: turn on \'Additional Fields > Read Day Numbers as Dates\', or give text, in the sheet with =TEXT(A2,"yyyy-mm-dd")';

describe('a date', () => {
	test.each<[unknown, string]>([
		[46000, '2025-12-09T00:00:00'],
		['46000', '2025-12-09T00:00:00'],
		[46000.75, '2025-12-09T18:00:00'],
		[46000.1, '2025-12-09T02:24:00'],
		// The day of a birth.
		[19027, '1952-02-03T00:00:00'],
		['2027-02-01', '2027-02-01T00:00:00'],
	])('is read from %p, if numbers are those of days', (given, value) => {
		const dates = { timezone: 'America/New_York', readsDayNumbers: true };
		expect(readValue(field('DATE', {}), given, dates)).toEqual({ value });
	});

	test.each<[unknown, string, string]>([
		['2027-02-01', 'UTC', '2027-02-01T00:00:00'],
		['2027-02-01T09:30', 'UTC', '2027-02-01T09:30:00'],
		[' 2027-02-01 08:00:00 ', 'UTC', '2027-02-01T08:00:00'],
		['\u202a2027-02-01\u202c', 'UTC', '2027-02-01T00:00:00'],
		['2027-02-01\u00a008:00', 'UTC', '2027-02-01T08:00:00'],
		['2027-01-31T23:00:00Z\u200b', 'Europe/Berlin', '2027-02-01T00:00:00'],
		['2027-02-01T00:00:00Z', 'America/New_York', '2027-02-01T00:00:00'],
		['2027-02-01T23:30:00-05:00', 'UTC', '2027-02-01T23:30:00'],
		['2027-02-01T00:00:00.000+09:00', 'UTC', '2027-02-01T00:00:00'],
		[
			DateTime.fromISO('2027-02-01', { zone: 'Pacific/Auckland' }),
			'America/New_York',
			'2027-02-01T00:00:00',
		],
	])('%p in %s keeps its day and time: %s', (given, timezone, value) => {
		expect(read('DATE', {}, given, timezone)).toEqual({ value });
	});

	/** One cell, as a Date, as its JSON, also in small letters, as a date of luxon's in UTC, and as the JSON of that. */
	const roads = (instant: string) => {
		const date = new Date(instant);
		const inUtc = DateTime.fromJSDate(date, { zone: 'utc' });
		return [date, date.toJSON(), date.toJSON().toLowerCase(), inUtc, inUtc.toJSON()];
	};

	test.each<[string, string, string]>([
		['2027-02-01T00:00:00Z', 'America/New_York', '2027-02-01T00:00:00'],
		['2027-02-01T00:00:00Z', 'Europe/Berlin', '2027-02-01T00:00:00'],
		['2027-01-31T23:00:00Z', 'Europe/Berlin', '2027-02-01T00:00:00'],
		['2027-02-01T05:00:00Z', 'America/New_York', '2027-02-01T00:00:00'],
	])('%s in %s is the same day on every road: %s', (instant, timezone, value) => {
		for (const given of roads(instant)) {
			expect(read('DATE', {}, given, timezone)).toEqual({ value });
		}
	});

	test.each<[string, string, string]>([
		['2027-02-01T04:00:00Z', 'UTC', '2027-02-01T04:00:00'],
		['2027-02-01T04:00:00Z', 'America/New_York', '2027-01-31T23:00:00'],
	])('%s in %s is a time of day on every road: %s', (instant, timezone, value) => {
		for (const given of roads(instant)) {
			expect(read('DATE', {}, given, timezone)).toEqual({ value, hasTime: true });
		}
	});

	/** Reads in a process with another time zone: this one has read its own already. */
	function readIn(processZone: string, timezone: string, instant: string): unknown {
		const program = `
			const { readDate } = require('./nodes/Documenso/template/dateValue.ts');
			const given = ${JSON.stringify(instant)};
			const read = (value) => readDate({}, value, { timezone: ${JSON.stringify(timezone)} });
			console.log(JSON.stringify([read(new Date(given)), read(new Date(given).toJSON())]));`;
		const output = execFileSync(process.execPath, ['--require', 'tsx/cjs', '-e', program], {
			cwd: join(__dirname, '..', '..'),
			env: { ...process.env, TZ: processZone },
		});
		return JSON.parse(output.toString());
	}

	test('a day in the time zone of n8n’s process is that day', () => {
		const value = '2027-02-01T00:00:00';
		const read = readIn('Asia/Tokyo', 'Europe/Berlin', '2027-01-31T15:00:00Z');
		expect(read).toEqual([{ value }, { value }]);
	});

	test.each([
		['Africa/Cairo', '2027-04-30', '2027-04-30T00:00:00'],
		['Europe/Berlin', '2027-03-28T02:30', '2027-03-28T02:30:00'],
		['Pacific/Apia', '2011-12-30', '2011-12-30T00:00:00'],
	])('in %s, %s stays as it is written, where the clock skips it', (zone, given, value) => {
		// n8n sets it to the zone of the workflow that has evaluated an expression last.
		Settings.defaultZone = zone;
		const asWritten = read('DATE', {}, given, zone);
		Settings.defaultZone = 'system';
		expect(asWritten).toEqual({ value });
	});

	test('a day that begins at one o’clock is that day', () => {
		const begins = DateTime.fromISO('2027-04-30', { zone: 'Africa/Cairo' });
		expect(begins.toFormat('HH:mm')).toBe('01:00');
		for (const given of [begins, ...roads('2027-04-29T22:00:00Z')]) {
			const value = '2027-04-30T00:00:00';
			expect(read('DATE', {}, given, 'Africa/Cairo')).toEqual({ value });
		}
		expect(read('TEXT', {}, begins.toISO(), 'Africa/Cairo')).toEqual({ value: '2027-04-30' });
	});

	test('midnight in Honolulu, which is midnight of the next day in Kiritimati, is refused', () => {
		const read = readIn('Pacific/Kiritimati', 'Pacific/Honolulu', '2027-02-01T10:00:00Z');
		const fault = 'which is 2027-02-01 in one time zone and 2027-02-02 in another';
		expect(read).toEqual([
			{ fault: expect.stringContaining(fault) as string },
			{ fault: expect.stringContaining(fault) as string },
		]);
	});

	test.each(['2027-02-30', '2027-02-01T25:00'])('does not exist on %s', (given) => {
		expect(read('DATE', {}, given)).toEqual({
			fault: `is "${given}", a day or time that does not exist`,
		});
	});

	test.each(['0001-01-01T00:00:00Z', '1899-12-30', '1899-12-30T00:00:00'])(
		'is not read from %j, which stands for no date',
		(given) => {
			expect(read('DATE', {}, given)).toEqual({
				fault: `is "${given}", a day before 1900: programs write one where they have no date`,
			});
		},
	);

	test('is read from 1900 on', () => {
		expect(read('DATE', {}, '1900-01-01')).toEqual({ value: '1900-01-01T00:00:00' });
	});

	test.each(['31.12.2026', '12:30', '2027', '2027-W05', ''])(
		'is not read from the text %j',
		(given) => {
			const fault = `is a date field, but "${given}" is not a date in the form 2026-12-31`;
			expect(read('DATE', {}, given)).toEqual({ fault });
		},
	);

	test.each<[unknown, string]>([
		[7, 'is a date field, but "7" is a number'],
		[46000, `is a date field, but "46000" is a number${DAY_NUMBER}`],
		['46000', `is a date field, but "46000" is not a date in the form 2026-12-31${DAY_NUMBER}`],
		[true, 'is a date field, but "true" is a boolean'],
		[['2027-02-01'], 'is a date field, but "["2027-02-01"]" is a list'],
		[new Date(NaN), expect.stringContaining('is not a date in the form 2026-12-31') as string],
	])('is not read from %p', (given, fault) => {
		expect(read('DATE', {}, given)).toEqual({ fault });
	});
});

describe.each(['RADIO', 'DROPDOWN'])('a single choice (%s)', (type) => {
	test.each([
		['Direct debit', ['Card', 'Direct debit'], 'Direct debit'],
		[' direct DEBIT ', ['Card', 'Direct debit'], 'Direct debit'],
		['card', [' Card ', 'Cash'], ' Card '],
		[' cash  ', ['Card', 'Cash '], 'Cash '],
		['by card, at once ', ['By card , at once', 'Cash'], 'By card , at once'],
		// The closest one counts.
		['card', ['Card', 'card'], 'card'],
		[' card', ['Card', 'card'], 'card'],
		['Card ', ['Card', 'Card '], 'Card '],
		['Card', ['Card', 'Card'], 'Card'],
		[3, ['2', '3'], '3'],
		[true, ['True', 'False'], 'True'],
	])('%j of %j is %j', (given, values, value) => {
		expect(read(type, options(...values), given)).toEqual({ value });
	});

	test.each<[unknown, Meta, string]>([
		['Cash', options('Card', 'Cheque'), 'has no option "Cash"; it has: "Card", "Cheque"'],
		['CARD', options('Card', 'card'), 'has no option "CARD"; it has: "Card", "card"'],
		['Cash', {}, 'has no option "Cash"; it has: none'],
		['Cash', null, 'has no option "Cash"; it has: none'],
		[['Card'], options('Card'), `is a ${type.toLowerCase()} field, but "["Card"]" is a list`],
		[NaN, options('Card'), `is a ${type.toLowerCase()} field, but "NaN" ${NAN}`],
	])('is not read from %p of %j', (given, meta, fault) => {
		expect(read(type, meta, given)).toEqual({ fault });
	});
});

describe('a multiple choice', () => {
	const extras = options('Cellar', 'Garage', 'Bikes, two');

	test.each<[unknown, string[]]>([
		['Cellar, Garage', ['Cellar', 'Garage']],
		['Cellar,, Garage,', ['Cellar', 'Garage']],
		['\ufeff["Cellar"]\u200b', ['Cellar']],
		['Cellar,\u200b, Garage', ['Cellar', 'Garage']],
		['["Cellar","Bikes, two"]', ['Cellar', 'Bikes, two']],
		['Bikes, two', ['Bikes, two']],
		[['Garage'], ['Garage']],
		[
			['garage ', 'CELLAR'],
			['Garage', 'Cellar'],
		],
		[[], []],
		['[]', []],
	])('may come as %j', (given, value) => {
		expect(read('CHECKBOX', extras, given)).toEqual({ value });
	});

	test.each<[unknown, string[]]>([
		[true, ['Agreed']],
		[' TRUE ', ['Agreed']],
		['TRUE\u200b', ['Agreed']],
		[false, []],
		['FALSE', []],
		['agreed', ['Agreed']],
	])('of a single box takes %j', (given, value) => {
		expect(read('CHECKBOX', options('Agreed'), given)).toEqual({ value });
	});

	test.each<[unknown, Meta, string]>([
		['true', options('Cellar', 'Garage'), 'has no option "true"; it has: "Cellar", "Garage"'],
		[['A', 'B'], options('A'), 'has no option "B"; it has: "A"'],
		[
			'Cellar, B',
			options('Cellar'),
			'has no option "B"; it has: "Cellar" (true and false work, too)',
		],
		[{ a: 1 }, options('A'), 'is a checkbox field, but "{"a":1}" is an object'],
		[[['A']], options('A'), 'is a checkbox field, but "["A"]" is a list'],
		['A', null, 'has no option "A"; it has: none'],
	])('is not read from %j of %j', (given, meta, fault) => {
		expect(read('CHECKBOX', meta, given)).toEqual({ fault });
	});

	test.each([
		['garage,cellar ', [' Cellar', 'Garage '], ['Garage ', ' Cellar']],
		['Garage, cellar,dry', [' Cellar, dry ', 'Garage'], ['Garage', ' Cellar, dry ']],
		[['Cellar,dry'], [' Cellar, dry '], [' Cellar, dry ']],
	])('%j of %j: blanks around options and commas do not count', (given, values, value) => {
		expect(read('CHECKBOX', options(...values), given)).toEqual({ value });
	});

	describe('whose options contain commas', () => {
		const colours = options('Red, green', 'Blue', 'Black, white, grey');
		const riddle = options('A', 'B', 'A, B');

		test.each<[unknown, string[]]>([
			['Red, green, Blue', ['Red, green', 'Blue']],
			['blue,red,green', ['Blue', 'Red, green']],
			['Black, white, grey, Red, green', ['Black, white, grey', 'Red, green']],
			['Red, green', ['Red, green']],
			['["Red, green","Blue"]', ['Red, green', 'Blue']],
			[
				['Blue', 'Red, green'],
				['Blue', 'Red, green'],
			],
		])('is read from %j', (given, value) => {
			expect(read('CHECKBOX', colours, given)).toEqual({ value });
		});

		test.each([
			['Blue, Red', 'Red'],
			['Red, green, Bleu', 'Bleu'],
		])('%j is refused with the part that is no option', (given, part) => {
			expect(read('CHECKBOX', colours, given)).toEqual({
				fault: `has no option "${part}"; it has: "Red, green", "Blue", "Black, white, grey"`,
			});
		});

		test('is refused with both readings where it may be two options as well', () => {
			expect(read('CHECKBOX', riddle, 'A, B')).toEqual({
				fault: `is "A, B", which may mean ["A, B"] or ["A","B"]: give one of these as a JSON list`,
			});
		});

		test.each([
			['["A","B"]', ['A', 'B']],
			['["A, B"]', ['A, B']],
		])('is told from them by the list %s', (given, value) => {
			expect(read('CHECKBOX', riddle, given)).toEqual({ value });
		});

		test('is read where every reading chooses the same', () => {
			const either: unknown = expect.arrayContaining(['Ha, ha', 'Ha, ha, ha']);
			const meta = options('Ha, ha', 'Ha, ha, ha');
			expect(read('CHECKBOX', meta, 'Ha, ha, ha, ha, ha')).toEqual({ value: either });
			expect(read('CHECKBOX', meta, 'Ha, ha, ha, ha, ha')).toMatchObject({ value: { length: 2 } });
		});
	});
});

describe('a text with choices that was made to use up memory', () => {
	test('by its length is refused', () => {
		expect(read('CHECKBOX', options('a', 'b'), 'a,'.repeat(40_000))).toEqual({
			fault: expect.stringContaining('a list of 40000 values; at most 500 are read') as string,
		});
		expect(read('CHECKBOX', options('a', 'b'), 'a,'.repeat(500_000))).toEqual({
			fault: expect.stringContaining('which is too long for a list') as string,
		});
		expect(read('CHECKBOX', options('a', 'b'), 'a,'.repeat(500))).toEqual({
			value: ['a'],
		});
	});

	test('by the ways in which it can be read is refused', () => {
		const nested = Array.from({ length: 40 }, (_, index) =>
			Array(index + 1)
				.fill('a')
				.join(),
		);
		expect(read('CHECKBOX', options(...nested), 'a,'.repeat(400))).toEqual({
			fault: expect.stringContaining(
				'which can be read in too many ways: give it as a JSON list',
			) as string,
		});
	});
});

test.each(['constructor', '__proto__', 'toString'])(
	'a field of the unknown type %s is called by its name',
	(type) => {
		expect(read(type, {}, ['a'])).toEqual({ fault: `is ${type}, but "["a"]" is a list` });
	},
);

describe('an option', () => {
	test.each([
		['Bar\u00a01', 'Bar 1'],
		['Bar 1', 'Bar\u00a01'],
		['U\u0308berweisung', 'Überweisung'],
		['Card\u200b', 'Card'],
		['Direct\u2009\u00a0debit ', 'Direct debit'],
	])('%j is the one that looks like it, as the template spells it: %j', (given, option) => {
		const meta = options(option, 'Another');
		expect(read('RADIO', meta, given)).toEqual({ value: option });
		expect(read('DROPDOWN', meta, given)).toEqual({ value: option });
		expect(read('CHECKBOX', meta, given)).toEqual({ value: [option] });
	});

	test('that is equal letter by letter beats one that looks like it', () => {
		const meta = options('Bar 1', 'Bar\u00a01');
		expect(read('RADIO', meta, 'Bar\u00a01')).toEqual({ value: 'Bar\u00a01' });
	});

	test('of another case and punctuation is another one, if there are both', () => {
		expect(read('RADIO', options('A.', 'a'), 'A.')).toEqual({ value: 'A.' });
		expect(read('RADIO', options('A.'), 'A')).toHaveProperty('fault');
	});
});

describe('boxes with a rule', () => {
	test.each([
		['Select exactly', 2, ['A'], false],
		['Select exactly', 2, ['A', 'B'], true],
		['Select at most', 1, ['A', 'B'], false],
		['Select at most', 1, ['A'], true],
		['Select at least', 2, ['A'], false],
		['Select at least', 2, ['A', 'B', 'C'], true],
		['Select exactly', 2, [], true],
		['Select some day', 2, ['A'], true],
	])('%s %j: %j is allowed: %j', (validationRule, validationLength, value, isAllowed) => {
		const meta = { ...options('A', 'B', 'C'), validationRule, validationLength };
		const fault = `ticks ${value.length} of the boxes, but the field's rule is "${validationRule} ${validationLength}"`;
		expect(read('CHECKBOX', meta, value)).toEqual(isAllowed ? { value } : { fault });
	});
});

test('a box that is named twice is ticked once, and counts once', () => {
	const meta = {
		...options('Pets', 'Smoke'),
		validationRule: 'Select at least',
		validationLength: 2,
	};
	expect(read('CHECKBOX', meta, 'Pets, Pets')).toMatchObject({
		fault: expect.stringContaining('ticks 1') as string,
	});
	expect(read('CHECKBOX', options('Pets', 'Smoke'), ['Pets', 'Pets'])).toEqual({ value: ['Pets'] });
});

test.each([
	['1,500', 'above'],
	['1.500,00', 'above'],
	['1,00,000', 'above'],
	['0,5', 'below'],
])('the limits of a field without a format hold for %s, too', (given, word) => {
	const meta = { minValue: 1, maxValue: 1000 };
	expect(read('NUMBER', meta, given)).toMatchObject({
		fault: expect.stringContaining(`is ${given}, which is ${word}`) as string,
	});
	expect(read('NUMBER', { ...meta, minValue: 0, maxValue: 200_000 }, given)).toEqual({
		value: given,
	});
});

test('an amount that would lose its cents is refused', () => {
	for (const type of ['TEXT', 'NUMBER']) {
		expect(read(type, {}, 123456789012345.67)).toMatchObject({
			fault: expect.stringContaining('too many digits') as string,
		});
		expect(read(type, {}, 99999999999.98)).toEqual({ value: '99999999999.98' });
	}
});

test.each(['DROPDOWN', 'RADIO', 'CHECKBOX'])(
	'however long a text for a choice is (%s), little of it is compared',
	(type) => {
		const compared = jest.spyOn(String.prototype, 'normalize');
		const meta = options(...Array.from({ length: 30 }, (_, index) => `A${index}`));
		const field_ = field(type, meta);
		for (const text of [
			'x '.repeat(4_000_000),
			'A29 '.repeat(50_000),
			Array(450).fill('A29 ').join(),
		]) {
			readValue(field_, text, { timezone: 'UTC' });
		}
		const characters = (compared.mock.contexts as string[]).join('').length;
		compared.mockRestore();
		expect(characters).toBeLessThan(20_000);
	},
);

test('a list of more options than anyone chooses is refused', () => {
	const list = Array(501).fill('A');
	expect(read('CHECKBOX', options('A'), list)).toMatchObject({
		fault: expect.stringContaining('a list of 501 values') as string,
	});
});

test('a date that Edit Fields has put in quotes is the day that it was', () => {
	const given = '"2027-01-31T23:00:00.000Z"';
	expect(read('DATE', {}, given, 'Europe/Berlin')).toEqual({ value: '2027-02-01T00:00:00' });
	expect(read('TEXT', {}, given, 'Europe/Berlin')).toEqual({ value: '2027-02-01' });
	expect(read('TEXT', {}, '"quoted"')).toEqual({ value: '"quoted"' });
});
