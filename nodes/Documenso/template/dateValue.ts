import { DateTime } from 'luxon';

import type { EnvelopeField } from '../../shared/api/envelope';
import { PLAIN_NUMBER, plainText, shown, wrongType, type Read } from '../inputs/givenValue';

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
export function readDate(field: EnvelopeField, given: unknown, dates: DateReading): Read<string> {
	const day = dayInSpreadsheet(given);
	if (day && dates.readsDayNumbers) return { value: day.toFormat(DATE_AND_TIME) };
	const date = dateIn(given);
	if (!date) return { fault: wrongType(field, given).fault + dayNumberAdvice(day) };
	if (date.invalidReason === 'unit out of range') {
		return { fault: `is ${shown(given)}, a day or time that does not exist` };
	}
	if (!date.isValid) {
		return {
			fault: `is a date field, but ${shown(given)} is not a date in the form 2026-12-31${dayNumberAdvice(day)}`,
		};
	}
	if (date.year < FIRST_YEAR) {
		return {
			fault: `is ${shown(given)}, a day before ${FIRST_YEAR}: programs write one where they have no date`,
		};
	}
	if (!hasZone(given)) return readInstant(given, date, dates);
	const inWorkflow = date.setZone(dates.timezone);
	// An offset alone does not tell when a day begins.
	return { value: written(inWorkflow.offset === date.offset ? inWorkflow : date) };
}

/** Day 0 of spreadsheets is 1899-12-30, and an empty date of .NET or Go is 0001-01-01. */
const FIRST_YEAR = 1900;

function dateIn(given: unknown): DateTime | undefined {
	if (DateTime.isDateTime(given)) return given;
	if (given instanceof Date) return DateTime.fromJSDate(given);
	// Where the clocks are changed, a time or even a midnight may not exist. In UTC, each does.
	const asWritten = { zone: 'utc', setZone: true };
	return typeof given === 'string' ? DateTime.fromISO(isoIn(given), asWritten) : undefined;
}

/**
 * Whether a value says where it is that day and time. A Date of JavaScript does not, nor does its JSON, which it becomes
 * behind a wait or in a retry, and which luxon writes for a date in UTC.
 */
function hasZone(given: unknown): boolean {
	if (DateTime.isDateTime(given)) return given.zoneName !== 'UTC';
	return typeof given === 'string' && !/z$/i.test(given);
}

/** A day becomes midnight: in UTC, in the workflow's time zone or in that of n8n's process. */
function readInstant(given: unknown, instant: DateTime, { timezone }: DateReading): Read<string> {
	const inZones = ['utc', timezone, 'system'].map((zone) => instant.setZone(zone));
	const days = inZones.filter(isMidnight).map(written);
	const [day, another] = new Set(days);
	if (day === undefined) {
		return { value: instant.setZone(timezone).toFormat(DATE_AND_TIME), hasTime: true };
	}
	if (another === undefined) return { value: day };
	const both = `${day.slice(0, 10)} in one time zone and ${another.slice(0, 10)} in another`;
	return {
		fault: `is ${shown(given)}, which is ${both}: give the day as text, such as 2026-12-31`,
	};
}

/** A day may begin at one o'clock where the clocks are changed. */
function written(date: DateTime): string {
	return date.toFormat(isMidnight(date) ? "yyyy-MM-dd'T00:00:00'" : DATE_AND_TIME);
}

function isMidnight(date: DateTime): boolean {
	return date.toMillis() === date.startOf('day').toMillis();
}

/** n8n's Edit Fields makes JSON of a date where a text is wanted: a time stamp in quotes. */
export function withoutQuotes(given: unknown): unknown {
	const inside = typeof given === 'string' && given.length < 50 ? given.trim().slice(1, -1) : '';
	return TIMESTAMP.test(inside) && given === JSON.stringify(inside) ? inside : given;
}

/** Whether a value is a date, or a text that only programs write for one. */
export function isTimestamp(given: unknown): boolean {
	if (given instanceof Date || DateTime.isDateTime(given)) return true;
	return typeof given === 'string' && given.length < 50 && TIMESTAMP.test(given);
}

const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:?\d{2})$/i;

/** A date in a text field, which prints what it gets: the day, as it stood in the sheet. No time was seen there. */
export function readDay(field: EnvelopeField, given: unknown, dates: DateReading): Read<string> {
	const read = readDate(field, given, dates);
	if ('fault' in read) return read;
	if (read.value.endsWith('T00:00:00')) return { value: read.value.slice(0, 10) };
	return {
		fault: `is the time stamp ${shown(given)}, which would be printed like that: write it as people read it, in an expression with .toFormat('yyyy-MM-dd')`,
	};
}

const DATE_AND_TIME = "yyyy-MM-dd'T'HH:mm:ss";

/** The days that contracts are about, dates of birth included: from 1910 to 2119. */
const DAY_NUMBERS = { from: 3654, to: 80_000 };

/** Spreadsheets store a date as the number of days since 1899-12-30, and the time as a part of a day. */
function dayInSpreadsheet(given: unknown): DateTime | undefined {
	const text = plainText(given) ?? '';
	const number = PLAIN_NUMBER.test(text) ? Number(text) : NaN;
	if (!(number >= DAY_NUMBERS.from && number <= DAY_NUMBERS.to)) return undefined;
	const seconds = Math.round(number * SECONDS_IN_DAY);
	return DateTime.fromISO('1899-12-30', { zone: 'utc' }).plus({ seconds });
}

const SECONDS_IN_DAY = 86_400;

/** Whether a workbook probably shows a day: most numbers like that are days from 2000 to 2049. */
export function mayBeDay(given: unknown): boolean {
	const day = Number.isInteger(given) ? dayInSpreadsheet(given) : undefined;
	return day !== undefined && day.year >= 2000 && day.year < 2050;
}

function dayNumberAdvice(day: DateTime | undefined): string {
	if (!day) return '';
	return `. A spreadsheet stores ${day.toFormat('yyyy-MM-dd')} like that: turn on 'Additional Fields > Read Day Numbers as Dates', or give text, in the sheet with =TEXT(A2,"yyyy-mm-dd")`;
}

/** Only ISO 8601 that begins with a day, not a time or a week alone. Databases write a blank before the time. */
function isoIn(text: string): string {
	const iso = text.replace(/^(\d{4}-\d{2}-\d{2})\s(?=\d)/, '$1T');
	return /^\d{4}-\d{2}-\d{2}/.test(iso) ? iso : '';
}
