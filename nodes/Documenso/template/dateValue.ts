import { DateTime } from 'luxon';

import type { EnvelopeField } from '../api/envelope';
import { PLAIN_NUMBER, plainText, shown, wrongType, type Read } from './givenValue';

/** How dates are read. */
export interface DateReading {
	timezone: string;
	/** The user says that a number is the number of a day, as spreadsheets store it. */
	readsDayNumbers?: boolean;
}

/**
 * Returns the day and time as written, without an offset. The service works in its own time zone: it would move a date
 * with an offset, or a day alone (midnight in UTC to JavaScript), to the day before or after.
 */
export function readDate(field: EnvelopeField, given: unknown, dates: DateReading): Read {
	const day = dayInSpreadsheet(given);
	if (day && dates.readsDayNumbers) return { value: day.toFormat(DATE_AND_TIME) };
	const written = typeof given === 'string' ? isoIn(given) : undefined;
	const date =
		written === undefined
			? dateIn(given, dates.timezone)
			: DateTime.fromISO(written, { setZone: true });
	if (!date) return { fault: wrongType(field, given).fault + dayNumberAdvice(day) };
	if (date.isValid) return { value: date.toFormat(DATE_AND_TIME) };
	if (date.invalidReason === 'unit out of range') {
		return { fault: `is ${shown(given)}, a day or time that does not exist` };
	}
	return {
		fault: `is a date field, but ${shown(given)} is not a date in the form 2026-12-31${dayNumberAdvice(day)}`,
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

function dayNumberAdvice(day: DateTime | undefined): string {
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
