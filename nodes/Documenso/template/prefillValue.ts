import { DateTime } from 'luxon';
import { jsonParse } from 'n8n-workflow';

import type { EnvelopeField } from '../api/envelope';

/** A value in the form that the service takes, or what is wrong with it; `fault` continues "'Rent' …". */
type Read<Value = string | string[]> = { value: Value } | { fault: string };

/** How dates are read. */
export interface DateReading {
	timezone: string;
	/** The user says that a number is the number of a day, as spreadsheets store it. */
	readsDayNumbers?: boolean;
}

/** Reads a value that a user, a spreadsheet or a program gives for a field of a template. */
export function readValue(field: EnvelopeField, given: unknown, dates: DateReading): Read {
	switch (field.type) {
		case 'CHECKBOX':
			return readChoices(field, given);
		case 'RADIO':
		case 'DROPDOWN':
			return readChoice(field, given);
		case 'DATE':
			return readDate(field, given, dates);
		case 'NUMBER':
			return readNumber(field, given);
		default:
			return readText(field, given);
	}
}

const KINDS: ReadonlyMap<string, string> = new Map([
	['CHECKBOX', 'a checkbox field'],
	['DATE', 'a date field'],
	['DROPDOWN', 'a dropdown field'],
	['NUMBER', 'a number field'],
	['RADIO', 'a radio field'],
	['TEXT', 'a text field'],
]);

function wrongType({ type }: EnvelopeField, given: unknown) {
	return { fault: `is ${KINDS.get(type) ?? type}, but ${shown(given)} is ${typeOf(given)}` };
}

function typeOf(given: unknown): string {
	if (Array.isArray(given)) return 'a list';
	if (given instanceof Date || DateTime.isDateTime(given)) return 'a date';
	if (typeof given === 'number' && !Number.isFinite(given))
		return 'the result of a failed calculation';
	const names: Partial<Record<string, string>> = {
		string: 'text',
		number: 'a number',
		boolean: 'a boolean',
		function: 'a function',
	};
	return names[typeof given] ?? 'an object';
}

/** An error shows at most this many characters of a value. */
const SHOWN_LENGTH = 60;

function shown(given: unknown): string {
	const text = typeof given === 'string' ? given : readable(given);
	return `"${text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text}"`;
}

/** JSON has no NaN, and would write an invalid date as null. */
function readable(given: unknown): string {
	if (given instanceof Date || DateTime.isDateTime(given)) return String(given.toJSON());
	if (typeof given === 'number' || typeof given === 'bigint') return String(given);
	if (typeof given === 'function' || typeof given === 'symbol') return String(given);
	try {
		// Alone, what its own method leaves out would give nothing.
		return JSON.stringify([given]).slice(1, -1);
	} catch {
		// It contains itself, or a number that JSON does not have.
		return Array.isArray(given) ? '[…]' : '{…}';
	}
}

function plainText(given: unknown): string | undefined {
	if (typeof given === 'string') return given;
	const isPlain = typeof given === 'boolean' || Number.isFinite(given);
	return isPlain ? String(given) : undefined;
}

function readText(field: EnvelopeField, given: unknown): Read {
	const text = plainText(given);
	// n8n writes this for an invalid date.
	if (text === undefined || text === 'Invalid DateTime') return wrongType(field, given);
	const limit = field.fieldMeta?.characterLimit ?? 0;
	if (limit === 0 || text.length <= limit) return { value: text };
	return { fault: `has ${text.length} characters; the field takes ${limit}` };
}

function optionsOf({ fieldMeta }: EnvelopeField): string[] {
	return (fieldMeta?.values ?? []).map(({ value }) => value);
}

function withoutBlanks(option: string): string {
	return option
		.split(',')
		.map((part) => part.trim())
		.join();
}

/** From strict to lenient: an option in another case counts only if no other is closer. */
const COMPARED: Array<(option: string) => string> = [
	(option) => option,
	withoutBlanks,
	(option) => withoutBlanks(option).toLowerCase(),
];

/** The option as the template writes it, because the service compares letter by letter. */
function optionCalled(wanted: string, options: string[]): string | undefined {
	for (const form of COMPARED) {
		const same = options.filter((option) => form(option) === form(wanted));
		const [option, another] = new Set(same);
		if (option !== undefined && another === undefined) return option;
	}
	return undefined;
}

function noOption(wanted: string, options: string[]) {
	const list = options.map((option) => `"${option}"`).join(', ');
	return { fault: `has no option ${shown(wanted)}; it has: ${list || 'none'}` };
}

function readChoice(field: EnvelopeField, given: unknown): Read<string> {
	const wanted = plainText(given);
	if (wanted === undefined) return wrongType(field, given);
	const options = optionsOf(field);
	const value = optionCalled(wanted, options);
	return value === undefined ? noOption(wanted, options) : { value };
}

/** Takes a list, its JSON, or text with commas; for a single box also true and false. */
function readChoices(field: EnvelopeField, given: unknown): Read<string[]> {
	const options = optionsOf(field);
	const text = (plainText(given) ?? '').trim();
	if (options.length === 1 && /^(true|false)$/i.test(text)) {
		return { value: text.toLowerCase() === 'true' ? options : [] };
	}
	const list = Array.isArray(given) ? given : jsonParse<unknown>(text, { fallbackValue: text });
	if (!Array.isArray(list)) {
		return text === '' ? wrongType(field, given) : readChosen(text, options);
	}
	const value: string[] = [];
	for (const one of list) {
		const read = readChoice(field, one);
		if ('fault' in read) return read;
		value.push(read.value);
	}
	return { value };
}

/** Far more than anyone chooses, so that a text made to use up memory or time is refused. */
const MOST_PARTS = 500;
const MOST_READINGS = 16;

/** Tries every way to read the text, because an option may contain commas itself. */
function readChosen(text: string, options: string[]): Read<string[]> {
	const parts = text.split(',').filter((part) => part.trim() !== '');
	if (parts.length > MOST_PARTS) {
		return {
			fault: `is ${shown(text)}, a list of ${parts.length} values; at most ${MOST_PARTS} are read`,
		};
	}
	const longest = Math.max(0, ...options.map((option) => option.split(',').length));
	/** The ways to read the first 0, 1, 2 … parts; ways that choose the same options count once. */
	const readings: string[][][] = [[[]]];
	for (let end = 1; end <= parts.length; end++) {
		const ways = new Map<string, string[]>();
		for (let start = Math.max(0, end - longest); start < end; start++) {
			const option = optionCalled(parts.slice(start, end).join(), options);
			if (option === undefined) continue;
			for (const before of readings[start] ?? []) {
				const chosen = [...before, option];
				ways.set(JSON.stringify([...new Set(chosen)].sort()), chosen);
			}
		}
		if (ways.size > MOST_READINGS) {
			return {
				fault: `is ${shown(text)}, which can be read in too many ways: give it as a JSON list`,
			};
		}
		readings.push([...ways.values()]);
	}
	const [value, another] = readings[parts.length] ?? [];
	if (!value) {
		const readable = readings.map((ways) => ways.length > 0).lastIndexOf(true);
		return noOption((parts[readable] ?? '').trim(), options);
	}
	if (!another) return { value };
	const lists = `${JSON.stringify(value)} or ${JSON.stringify(another)}`;
	return { fault: `is ${shown(text)}, which may mean ${lists}: give one of these as a JSON list` };
}

/**
 * Returns the day and time as written, without an offset. The service works in its own time zone: it would move a date
 * with an offset, or a day alone (midnight in UTC to JavaScript), to the day before or after.
 */
function readDate(field: EnvelopeField, given: unknown, dates: DateReading): Read {
	const day = dayInSpreadsheet(given);
	if (day && dates.readsDayNumbers) return { value: day.toFormat(DATE_AND_TIME) };
	const written = typeof given === 'string' ? isoIn(given) : undefined;
	const date =
		written === undefined
			? dateIn(given, dates.timezone)
			: DateTime.fromISO(written, { setZone: true });
	if (!date) return { fault: wrongType(field, given).fault + adviceFor(day) };
	if (date.isValid) return { value: date.toFormat(DATE_AND_TIME) };
	if (date.invalidReason === 'unit out of range') {
		return { fault: `is ${shown(given)}, a day or time that does not exist` };
	}
	return {
		fault: `is a date field, but ${shown(given)} is not a date in the form 2026-12-31${adviceFor(day)}`,
	};
}

const DATE_AND_TIME = "yyyy-MM-dd'T'HH:mm:ss";

/** The days that contracts are about: from 1954 to 2119. */
const DAY_NUMBERS = { from: 20_000, to: 80_000 };

/** Spreadsheets store a date as the number of days since 1899-12-30, and the time as a part of a day. */
function dayInSpreadsheet(given: unknown): DateTime | undefined {
	const text = plainText(given)?.trim() ?? '';
	const number = PLAIN_NUMBER.test(text) ? Number(text) : NaN;
	if (!(number >= DAY_NUMBERS.from && number <= DAY_NUMBERS.to)) return undefined;
	const seconds = Math.round(number * SECONDS_IN_DAY);
	return DateTime.fromISO('1899-12-30', { zone: 'utc' }).plus({ seconds });
}

const SECONDS_IN_DAY = 86_400;

function adviceFor(day: DateTime | undefined): string {
	if (!day) return '';
	return `. A spreadsheet stores ${day.toFormat('yyyy-MM-dd')} like that: turn on 'Additional Fields > Read Day Numbers as Dates', or give text, in the sheet with =TEXT(A2,"yyyy-mm-dd")`;
}

/** Expressions yield dates of both kinds. */
function dateIn(given: unknown, timezone: string): DateTime | undefined {
	if (DateTime.isDateTime(given)) return given;
	return given instanceof Date ? DateTime.fromJSDate(given, { zone: timezone }) : undefined;
}

/** Only ISO 8601 that begins with a day, not a time or a week alone. Databases write a blank before the time. */
function isoIn(text: string): string {
	const iso = text.trim().replace(/^(\d{4}-\d{2}-\d{2}) (?=\d)/, '$1T');
	return /^\d{4}-\d{2}-\d{2}/.test(iso) ? iso : '';
}

interface NumberFormat {
	/** As the service stores it with a field. */
	name: string;
	group: string;
	decimal: string;
	form: RegExp;
	/** Whether `group` stands between all thousands, or only before the last three digits. */
	groups: 'all' | 'last';
}

/** How the formats of number fields are written (documenso-api.md: Number formats). */
const NUMBER_FORMATS: NumberFormat[] = [
	{
		name: '123,456,789.00',
		group: ',',
		decimal: '.',
		form: /^-?(\d{1,3}(,\d{3})+|\d+)(\.\d{1,2})?$/,
		groups: 'all',
	},
	{
		name: '123.456.789,00',
		group: '.',
		decimal: ',',
		form: /^-?(\d{1,3}(\.\d{3})+|\d+)(,\d{1,2})?$/,
		groups: 'all',
	},
	{
		name: '123456,789.00',
		group: ',',
		decimal: '.',
		form: /^-?\d+(,\d{3})?(\.\d{1,2})?$/,
		groups: 'last',
	},
];

const PLAIN_NUMBER = /^-?\d+(\.\d+)?$/;
/** Without a format, a comma or a point may separate thousands or decimals. */
const ANY_NUMBER = /^-?(\d+([.,]\d+)?|\d{1,3}(,\d{2,3})*,\d{3}(\.\d+)?|\d{1,3}(\.\d{3})+(,\d+)?)$/;
/** Spreadsheets and people see no more; a calculation such as 1.1 * 100 gives 110.00000000000001. */
const SIGNIFICANT_DIGITS = 15;

/** Writes the number in the field's format, because the service prints it unchanged. */
function readNumber(field: EnvelopeField, given: unknown): Read {
	if (typeof given !== 'number' && typeof given !== 'string') return wrongType(field, given);
	const text = String(
		typeof given === 'number' ? Number(given.toPrecision(SIGNIFICANT_DIGITS)) : given,
	).trim();
	const format = NUMBER_FORMATS.find(({ name }) => name === field.fieldMeta?.numberFormat);
	const isPlain = PLAIN_NUMBER.test(text);
	if (format && typeof given === 'string' && format.form.test(text)) {
		const value = Number(text.replaceAll(format.group, '').replace(format.decimal, '.'));
		if (isPlain && Number(text) !== value) return twoNumbers(text, value, format);
		return outOfRange(field, text, value) ?? { value: text };
	}
	if (isPlain) return outOfRange(field, text, Number(text)) ?? formatted(text, format);
	if (typeof given === 'number' && Number.isFinite(given)) {
		return { fault: `is ${text}, which cannot be written without an exponent` };
	}
	if (!format && ANY_NUMBER.test(text)) return { value: text };
	// "12 kg" is text rather than a number that is written badly.
	const isNearlyOne = format ? /\d/.test(text) : /^-?[\d.,]+$/.test(text) && /\d/.test(text);
	if (!isNearlyOne) return wrongType(field, given);
	const form = format ? `a number in the field's format ${format.name}` : 'written like a number';
	return { fault: `is a number field, but ${shown(given)} is not ${form}` };
}

/** Where points separate thousands, "1.500" could also be a plain decimal. */
function twoNumbers(text: string, inFormat: number, format: NumberFormat): Read {
	const plain = Number(text);
	const ways = [inFormat, plain].flatMap((one) => {
		const read = formatted(String(one), format);
		return 'value' in read ? [`${String(read.value)} for ${one}`] : [];
	});
	const readings = `${inFormat} in the field's format ${format.name}, and ${plain} as a plain decimal`;
	const fault = `is "${text}", which is ${readings}: write ${ways.join(' or ')}, or give a number instead of text`;
	return { fault };
}

/** To the service, a limit of 0 is no limit. */
function outOfRange({ fieldMeta }: EnvelopeField, text: string, value: number) {
	const { minValue, maxValue } = fieldMeta ?? {};
	if (minValue && minValue > 0 && value < minValue) {
		return { fault: `is ${text}, which is below the field's minimum ${minValue}` };
	}
	if (maxValue && maxValue > 0 && value > maxValue) {
		return { fault: `is ${text}, which is above the field's maximum ${maxValue}` };
	}
	return undefined;
}

function formatted(plain: string, format: NumberFormat | undefined): Read {
	if (!format) return { value: plain };
	const [whole = '', fraction = ''] = plain.split('.');
	if (/[1-9]/.test(fraction.slice(2))) {
		return {
			fault: `is ${plain}, but the field's format ${format.name} has two decimals: round it, in an expression with .round(2)`,
		};
	}
	const decimals = fraction.slice(0, 2).padEnd(2, '0');
	return { value: `${grouped(whole, format)}${format.decimal}${decimals}` };
}

function grouped(whole: string, { group, groups }: NumberFormat): string {
	const sign = whole.startsWith('-') ? '-' : '';
	const digits = whole.slice(sign.length);
	const parts: string[] = [];
	let end = digits.length;
	for (; end > 3 && (groups === 'all' || parts.length === 0); end -= 3) {
		parts.push(digits.slice(end - 3, end));
	}
	parts.push(digits.slice(0, end));
	return sign + parts.reverse().join(group);
}
