import type { IDataObject } from 'n8n-workflow';
import { DateTime } from 'luxon';
import { z } from 'zod';

import type { Schema } from '../api/records';
import { MASKED_ADDRESS } from './masking';

export type { Schema };

/** Soft hyphens, joiners, marks of direction and the like, which come with copied text. */
const UNSEEN = '\\p{Cf}\\p{Default_Ignorable_Code_Point}';
/** Blanks of any kind, such as a no-break space, and a letter of Braille that has no dots. */
const BLANK = '\\s\\u2800';
const INVISIBLE = new RegExp(`[${UNSEEN}]+`, 'gu');
const BLANKS = new RegExp(`[${BLANK}]+`, 'gu');
const VISIBLE = new RegExp(`[^${BLANK}${UNSEEN}]`, 'u');
const UNSEEN_INSIDE = new RegExp(`[${UNSEEN}]`, 'u');
const INVISIBLE_INSIDE = new RegExp(`(?![\\t-\\r ])[${BLANK}${UNSEEN}\\p{Surrogate}]`, 'u');

/** No address, number or date has more characters, blanks around it included. */
const LONGEST_READ = 10_000;

/** Without what nobody sees at its ends. */
export function withoutInvisible(text: string): string {
	if (text.length > LONGEST_READ) return text;
	const start = text.search(VISIBLE);
	if (start < 0) return '';
	let end = text.length;
	while (!VISIBLE.test(text.charAt(end - 1))) end--;
	return text.slice(start, end);
}

/** The code of a character inside a text that nobody sees. Blanks of any kind are seen. */
export function unseenIn(text: string): string | undefined {
	const found = UNSEEN_INSIDE.exec(text)?.[0];
	return found === undefined ? undefined : codeOf(found);
}

function codeOf(character: string): string {
	return `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Says what is wrong with a value, and what to do where a schema knows it. */
export function addFault(context: z.RefinementCtx, message: string, advice?: string) {
	const params = advice ? { params: { advice } } : {};
	context.addIssue({ code: z.ZodIssueCode.custom, message, ...params });
	return z.NEVER;
}

/** Documenso's limit (documenso-api.md: Email addresses). */
const EMAIL_MAX_LENGTH = 254;
/** An error shows at most this many characters of an address. */
const SHOWN_LENGTH = 1000;

/** Documenso counts everything from U+0080 to U+FFFF as letters (documenso-api.md: Email addresses). */
const ALPHANUMERIC = 'a-z\\d\\u0080-\\uffff';
const DOMAIN_LABEL = `[${ALPHANUMERIC}](?:[${ALPHANUMERIC}-]{0,61}[${ALPHANUMERIC}])?`;
const EMAIL = new RegExp(
	`^[${ALPHANUMERIC}.!#$%&'*+/=?^_\`{|}~-]+@${DOMAIN_LABEL}(?:\\.${DOMAIN_LABEL})*$`,
	'iu',
);

/** As JavaScript writes a missing value into a text. Null is also a surname. */
const MISSING_PART = /(^|[._+-])(undefined|NaN)(?=[._+@-])|^null@/;

export const email = z
	.string({ required_error: 'is missing', invalid_type_error: 'is not text' })
	.transform(withoutInvisible)
	.superRefine((value, context) => {
		const shown = value.slice(0, SHOWN_LENGTH);
		const add = (fault: string, advice?: string) => addFault(context, fault, advice);
		const invisible = INVISIBLE_INSIDE.exec(shown)?.[0];
		const isAddress = value.length <= EMAIL_MAX_LENGTH && EMAIL.test(value);
		if (isAddress && invisible !== undefined) {
			add(
				`is "${shown}", with a character that nobody sees: ${codeOf(invisible)}`,
				'Type the address again: copied text may have such characters.',
			);
		} else if (MASKED_ADDRESS.test(shown)) {
			add(
				`is "${shown}", but the whole address is needed`,
				'Models get masked addresses from this node. Let the workflow fill in the address, or let the model ask for it.',
			);
		} else if (value.includes('{{')) {
			add(`is not an email address: "${shown}"`, 'Switch the input from Fixed to Expression.');
		} else if (MISSING_PART.test(shown)) {
			add(`is "${shown}", where a part is missing`, 'Correct the expression that gives it.');
		} else if (!isAddress) {
			add(value === '' ? 'is missing' : `is not an email address: "${shown}"`);
		}
	});

/** A number may come as text, from a spreadsheet or an expression. */
const asNumber = (value: unknown) =>
	typeof value !== 'string' ? value : value.trim() === '' ? undefined : Number(value);

const numeric = (schema: Schema<number>) => z.preprocess(asNumber, schema);

const plainNumber = z.number({
	required_error: 'is missing',
	invalid_type_error: 'is not a number',
});

export const decimal = numeric(plainNumber);

export const wholeNumber = (least: number, most = Number.MAX_VALUE) =>
	numeric(
		plainNumber
			.int('is not a whole number')
			.min(least, `is below ${least}`)
			.max(most, `is above ${most}`),
	);

/** Documenso's database would answer a larger one with an error that tells nothing. */
const MOST_STORED = 2 ** 31 - 1;

/** 0 stands for none. */
export const orderNumber = wholeNumber(0, MOST_STORED);

/** A page of a file, from 1, or from the end: -1 is the last one. */
export const pageNumber = numeric(
	plainNumber
		.int('is not a whole number')
		.refine((page) => page !== 0, { message: 'is 0: the first page is 1, and the last one -1' }),
);

export const between = (least: number, most: number, unit = '') =>
	numeric(plainNumber.min(least, `is below ${least}${unit}`).max(most, `is above ${most}${unit}`));

export const percentage = between(0, 100, ' percent of the page');

/** A width or height, as a percentage of the page. */
export const extent = numeric(
	plainNumber
		.gt(0, 'is not above 0 percent of the page')
		.max(100, 'is above 100 percent of the page'),
);

/** Texts separated by commas, or a list of them from an expression. */
export const listOfTexts = z.preprocess(
	(value) => (typeof value === 'string' ? value.split(',').map((one) => one.trim()) : value),
	z.array(z.string()),
);

/** Those of these fields that the record has. */
export function picked(record: IDataObject, keys: string[]): IDataObject {
	const those: IDataObject = {};
	for (const key of keys) if (Object.hasOwn(record, key)) those[key] = record[key];
	return those;
}

/** The first of these in one line, and whether there are more. */
export function listed(all: Array<string | number>, most: number): string {
	return all.slice(0, most).join(', ') + (all.length > most ? ', …' : '');
}

export type AtLeastOne<Value> = [Value, ...Value[]];

/** Groups and their members are in the order in which they come. */
export function groupedBy<One, Key>(all: Iterable<One>, keyOf: (one: One) => Key) {
	const groups = new Map<Key, AtLeastOne<One>>();
	for (const one of all) {
		const key = keyOf(one);
		const group = groups.get(key);
		if (group) group.push(one);
		else groups.set(key, [one]);
	}
	return groups;
}

/** Reads text such as "false", too: for Documenso, any text is true (documenso-api.md: Booleans and numbers). */
export const trueOrFalse = z.preprocess(
	(value) => (value === 'true' ? true : value === 'false' ? false : value),
	z.boolean({
		required_error: 'is neither true nor false',
		invalid_type_error: 'is neither true nor false',
	}),
);

/** A constant of Documenso's, in upper or lower case. Unknown ones pass, because Documenso may add some. */
export const constant = z.string().trim().min(1, 'is missing').toUpperCase();

/** Spreadsheets and people see no more; a calculation such as 1.1 * 100 gives 110.00000000000001. */
const SIGNIFICANT_DIGITS = 15;
/** Less than a cent. */
const MOST_ROUNDED = 0.001;

/** A number as people see it. */
export function writtenNumber(given: number): { value: string } | { fault: string } | undefined {
	if (!Number.isFinite(given)) return undefined;
	const isWhole = Number.isInteger(given);
	if (isWhole && !Number.isSafeInteger(given)) {
		return {
			fault: `is ${given}, a number so large that its last digits are lost: give it as text`,
		};
	}
	const rounded = isWhole ? given : Number(given.toPrecision(SIGNIFICANT_DIGITS));
	if (Math.abs(rounded - given) > MOST_ROUNDED) {
		return { fault: `is ${given}, a number with too many digits to be exact: give it as text` };
	}
	const text = String(rounded);
	if (!text.includes('e')) return { value: text };
	return { fault: `is ${text}, which cannot be written without an exponent` };
}

/** A NUL, or half of a character that JavaScript stores in two. */
const UNSTORABLE = /[\0\p{Surrogate}]/u;

/** Why Documenso's database refuses a text, if it does: with an error that names no input (documenso-api.md: Request bodies). */
export function unstorable(text: string): string | undefined {
	const found = UNSTORABLE.exec(text)?.[0];
	if (found === undefined) return undefined;
	const what = found === '\0' ? 'a NUL character' : 'half a character, such as a cut emoji';
	return `contains ${what}, which Documenso cannot store`;
}

/** Numbers and booleans become text; lists and objects must not become "[object Object]". */
const asText = (value: unknown, context: z.RefinementCtx) => {
	if (typeof value === 'boolean') return String(value);
	const written = typeof value === 'number' ? writtenNumber(value) : undefined;
	if (written && 'value' in written) return written.value;
	const fault = typeof value === 'string' ? unstorable(value) : written?.fault;
	return fault === undefined ? value : addFault(context, fault);
};

const textType = { required_error: 'is empty', invalid_type_error: 'is not text' };

/** Keeps the blanks around the text. */
export const verbatim = z.preprocess(asText, z.string(textType));

const trimmed = z.string(textType).trim();

export const anyText = z.preprocess(asText, trimmed);

const upTo = (most: number, schema: z.ZodString) =>
	schema.superRefine(({ length }, context) => {
		if (length > most) {
			addFault(context, `has ${length} characters; at most ${most} are allowed`);
		}
	});

export const textUpTo = (most: number) => z.preprocess(asText, upTo(most, trimmed));

export const filledText = (most = Infinity) =>
	z.preprocess(asText, upTo(most, trimmed.regex(VISIBLE, 'is empty')));

export const webUrl = z.preprocess(
	asText,
	z
		.string({ required_error: 'is missing' })
		.trim()
		.regex(/^https?:\/\/[^/\s]\S*$/i, 'is not a URL with http:// or https://'),
);

/** Empty, or the name of a time zone: Documenso takes any text, and would print dates in UTC. */
export const timeZone = anyText.superRefine((name, context) => {
	if (name === '' || DateTime.utc().setZone(name).isValid) return;
	const advice = 'Use a name such as Europe/Berlin, America/New_York or Etc/UTC.';
	addFault(context, `is "${name}", which is not a time zone`, advice);
});

/** A point in time as ISO text. Without an offset, it is meant in the workflow's time zone. */
export const pointInTime = z.unknown().transform((value, context): string => {
	const text =
		DateTime.isDateTime(value) || value instanceof Date ? value.toJSON() : String(value).trim();
	// Luxon also reads a number as a year, and 09:00 as today's.
	const isDate = text !== null && /^\d{4}-|^\d{6}|^[+-]/.test(text);
	if (isDate && DateTime.fromISO(text).isValid) return text;
	const advice = 'Use a date such as 2026-01-31, or 2026-01-31T09:00.';
	return addFault(context, `is "${text}", which is not a date`, advice);
});

/** JavaScript also reads "0x10" and "1e3" as numbers, which are other IDs to a person. */
const DIGITS = /^(-?\d+(\.0+)?)?$/;

/** The ID of a recipient, a field or a legacy document. */
export const numericId = z.preprocess(
	(value) => (typeof value === 'string' && !DIGITS.test(value.trim()) ? NaN : value),
	wholeNumber(1, MOST_STORED),
);

/** A value from an expression, or JSON as text. */
export function jsonOf<Output>(schema: Schema<Output>): Schema<Output> {
	return z
		.unknown()
		.transform((value, context): unknown => {
			let fault =
				typeof value === 'string'
					? 'is not valid JSON'
					: 'has a part that JSON cannot hold, such as a function';
			try {
				const read: unknown = typeof value === 'string' ? JSON.parse(value) : value;
				JSON.stringify(read, (key, part: unknown) => {
					const cannot =
						unstorable(key) ?? (typeof part === 'string' ? unstorable(part) : undefined);
					fault = cannot ?? fault;
					// It would leave out functions, and throws at everything else that JSON cannot hold.
					if (cannot !== undefined || typeof part === 'function') throw new TypeError(fault);
					return part;
				});
				return read;
			} catch {
				return addFault(context, fault);
			}
		})
		.pipe(schema);
}

export function isBlank(value: unknown): boolean {
	if (value === undefined || value === null) return true;
	return typeof value === 'string' && !VISIBLE.test(value);
}

/** A text as people see it: two that look the same are the same. Case and punctuation count. */
export function asSeen(text: string): string {
	return text.normalize('NFC').replace(INVISIBLE, '').replace(BLANKS, ' ').trim();
}

export function isSameText(one: string, other: string): boolean {
	return asSeen(one) === asSeen(other);
}

/** Leaves out what is empty; `false` and `0` are not. */
export function compact(values: IDataObject): IDataObject {
	return Object.fromEntries(
		Object.entries(values).filter(([, value]) => {
			const entered = isLocator(value) ? value.value : value;
			return entered !== undefined && entered !== null && entered !== '';
		}),
	);
}

/** Inside a collection, n8n does not extract the value of a resource locator. */
export function isLocator(value: unknown): value is { value?: unknown } {
	return typeof value === 'object' && value !== null && '__rl' in value;
}

export const located = <Value>(schema: Schema<Value>): Schema<Value> =>
	z.preprocess((value) => (isLocator(value) ? value.value : value), schema);
