import { DateTime } from 'luxon';

import type { EnvelopeField } from '../../shared/api/envelope';
import { shortened } from '../../shared/api/failure';
import { writtenNumber } from '../../shared/n8n/values';

/** A value in the form that the service takes, or what is wrong with it; `fault` continues "'Rent' …". */
export type Read<Value = string | string[]> =
	/** Whether it has a time of day, and so depends on the workflow's time zone; or may be the number of a day. */
	{ value: Value; hasTime?: true; mayBeDay?: true } | { fault: string };

const KINDS: ReadonlyMap<string, string> = new Map([
	['CHECKBOX', 'a checkbox field'],
	['DATE', 'a date field'],
	['DROPDOWN', 'a dropdown field'],
	['NUMBER', 'a number field'],
	['RADIO', 'a radio field'],
	['TEXT', 'a text field'],
]);

export function wrongType({ type }: Pick<EnvelopeField, 'type'>, given: unknown) {
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

/** A value as an error names it. */
export function shown(given: unknown): string {
	const text = typeof given === 'string' ? given : readable(given);
	return `"${shortened(text, SHOWN_LENGTH)}"`;
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

/** A text, number or boolean as text. */
export function plainText(given: unknown): string | undefined {
	if (typeof given === 'string') return given;
	if (typeof given === 'boolean') return String(given);
	const written = typeof given === 'number' ? writtenNumber(given) : undefined;
	return written && 'value' in written ? written.value : undefined;
}

export const PLAIN_NUMBER = /^-?\d+(\.\d+)?$/;
