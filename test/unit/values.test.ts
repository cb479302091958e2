import { z } from 'zod';

import {
	anyText,
	between,
	compact,
	constant,
	decimal,
	email,
	extent,
	filledText,
	isBlank,
	jsonOf,
	located,
	numericId,
	percentage,
	textUpTo,
	trueOrFalse,
	verbatim,
	webUrl,
	wholeNumber,
	type Schema,
} from '../../nodes/shared/n8n/values';

const fault = (schema: Schema<unknown>, value: unknown) =>
	schema.safeParse(value).error?.issues[0]?.message;

type Row = [name: string, schema: Schema<unknown>, value: unknown, result: unknown];

/** Named, for the titles. */
const named = (rows: Row[]) =>
	rows.map(([name, schema, value, result]) => ({ name, schema, value, result }));

const accepted: Row[] = [
	['an email', email, ' a@example.com ', 'a@example.com'],
	['an email', email, 'Jörg.O’Neill@müller.example', 'Jörg.O’Neill@müller.example'],
	['an email', email, '\u00a0tina@example.com\u202c', 'tina@example.com'],
	['text', anyText, 1.1 * 100, '110'],
	['a decimal', decimal, '12.5', 12.5],
	['a decimal', decimal, 0, 0],
	['a whole number', wholeNumber(0), '0', 0],
	['a page', wholeNumber(1), ' 2 ', 2],
	['an ID', numericId, '42', 42],
	['an ID', numericId, ' 16 ', 16],
	['an ID', numericId, '16.0', 16],
	['a percentage', percentage, 100, 100],
	['an extent', extent, '0.5', 0.5],
	['a number between two', between(8, 96), 8, 8],
	['true or false', trueOrFalse, 'false', false],
	['true or false', trueOrFalse, 'true', true],
	['true or false', trueOrFalse, false, false],
	['a constant', constant, ' signer ', 'SIGNER'],
	['text', anyText, ' a ', 'a'],
	['text', anyText, 7, '7'],
	['text', anyText, false, 'false'],
	['verbatim text', verbatim, ' a ', ' a '],
	['a URL', webUrl, ' https://example.com/a?b=c ', 'https://example.com/a?b=c'],
	['JSON', jsonOf(z.array(z.number())), '[1, 2]', [1, 2]],
	['JSON', jsonOf(z.array(z.number())), [1, 2], [1, 2]],
	['a picked value', located(numericId), { __rl: true, mode: 'id', value: '42' }, 42],
	['a picked value', located(numericId), '42', 42],
];

test.each(named(accepted))('$value as $name is $result', ({ schema, value, result }) => {
	expect(schema.parse(value)).toEqual(result);
});

const refused: Row[] = [
	['an email', email, 'a', 'is not an email address: "a"'],
	['an email', email, 'a b@example.com', 'is not an email address: "a b@example.com"'],
	['an email', email, '😀@example.com', 'is not an email address: "😀@example.com"'],
	['an email', email, 'a@-b.example', 'is not an email address: "a@-b.example"'],
	[
		'an email',
		email,
		`${'a'.repeat(250)}@example.com`,
		expect.stringContaining('is not an email address'),
	],
	['an email', email, '  ', 'is missing'],
	['an email', email, undefined, 'is missing'],
	['an email', email, 7, 'is not text'],
	['a decimal', decimal, 'twelve', 'is not a number'],
	['a decimal', decimal, ' ', 'is missing'],
	['a decimal', decimal, true, 'is not a number'],
	['a decimal', decimal, undefined, 'is missing'],
	['a page', wholeNumber(1), '1.5', 'is not a whole number'],
	['a page', wholeNumber(1), 0, 'is below 1'],
	['an ID', numericId, -1, 'is below 1'],
	['an ID', numericId, '0x10', 'is not a number'],
	['an ID', numericId, '1e3', 'is not a number'],
	['a percentage', percentage, -1, 'is below 0 percent of the page'],
	['a percentage', percentage, 101, 'is above 100 percent of the page'],
	['an extent', extent, 0, 'is not above 0 percent of the page'],
	['an extent', extent, 101, 'is above 100 percent of the page'],
	['a number between two', between(8, 96), 7, 'is below 8'],
	['a number between two', between(8, 96), 97, 'is above 96'],
	['true or false', trueOrFalse, 'yes', 'is neither true nor false'],
	['true or false', trueOrFalse, 1, 'is neither true nor false'],
	['true or false', trueOrFalse, undefined, 'is neither true nor false'],
	['a constant', constant, ' ', 'is missing'],
	['text', anyText, ['a'], 'is not text'],
	['text', anyText, {}, 'is not text'],
	['text', textUpTo(3), 'abcd', 'has 4 characters; at most 3 are allowed'],
	['filled text', filledText(3), ' ', 'is empty'],
	['filled text', filledText(3), undefined, 'is empty'],
	['filled text', filledText(3), 'abcd', 'has 4 characters; at most 3 are allowed'],
	['a URL', webUrl, 'example.com', 'is not a URL with http:// or https://'],
	['a URL', webUrl, 'ftp://example.com', 'is not a URL with http:// or https://'],
	['a URL', webUrl, 'https://', 'is not a URL with http:// or https://'],
	['JSON', jsonOf(z.unknown()), '[1,', 'is not valid JSON'],
];

test.each(named(refused))('$value as $name $result', ({ schema, value, result }) => {
	expect(fault(schema, value)).toEqual(result);
});

test('an address may be 254 characters long, and no longer', () => {
	const address = (length: number) => `${'a'.repeat(length - '@example.com'.length)}@example.com`;
	expect(email.safeParse(address(254)).success).toBe(true);
	expect(email.safeParse(address(255)).success).toBe(false);
});

test('what was not filled in is left out, and false and 0 are filled in', () => {
	const locator = (value?: unknown) => ({ __rl: true, mode: 'id', value });
	const values = { a: '', b: null, c: undefined, d: locator(''), e: locator() };
	const filled = { f: false, g: 0, h: locator('42'), i: [] };
	expect(compact({ ...values, ...filled })).toEqual(filled);
});

test('a URL of a megabyte costs no more than its length', () => {
	const url = `https://example.com/${'x'.repeat(1_000_000)}`;
	expect(webUrl.parse(url)).toBe(url);
	expect(fault(webUrl, `https://${'x'.repeat(1_000_000)} x`)).toContain('is not a URL');
});

test('an error shows the beginning of an email address that has no end', () => {
	expect(fault(email, 'x'.repeat(1_000_000))).toBe(
		`is not an email address: "${'x'.repeat(1000)}"`,
	);
});

test.each([
	'\u200b',
	'\u200e',
	'\u202c',
	'\u00ad',
	'\u3164',
	'\u2800',
	'\u180e',
	'\u00a0',
	'\ufe0f',
])('%j is blank, since nobody sees it', (text) => {
	expect(isBlank(text)).toBe(true);
	expect(isBlank(`${text}a${text}`)).toBe(false);
});

test.each([
	['\u200b', '200B'],
	['\u202a', '202A'],
	['\u2060', '2060'],
	['\u00ad', '00AD'],
	['\u00a0', '00A0'],
	['\u3164', '3164'],
])('an address with %j inside is refused, and the character is named', (letter, code) => {
	for (const address of [`ti${letter}na@example.com`, `tina@exa${letter}mple.com`]) {
		expect(fault(email, address)).toBe(
			`is "${address}", with a character that nobody sees: U+${code}`,
		);
	}
});

test('an address that is followed by more than anyone reads is none', () => {
	expect(fault(email, `tina@example.com${' '.repeat(20_000)}x`)).toMatch(
		/^is not an email address/,
	);
});

test.each([
	[
		12345678901234567890,
		'is 12345678901234567000, a number so large that its last digits are lost: give it as text',
	],
	[
		123456789012345.67,
		'is 123456789012345.67, a number with too many digits to be exact: give it as text',
	],
])('the number %d is refused where a text is wanted', (number, message) => {
	expect(fault(anyText, number)).toBe(message);
});
