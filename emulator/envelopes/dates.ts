import { DateTime } from 'luxon';
import { storedDate } from '../database';
import { DEFAULT_EXPIRATION, type ExpirationPeriod } from '../schemas/meta';

const DAY_MS = 24 * 60 * 60 * 1000;

/** As recorded, a month has 30 days and a year 365. */
const DAYS = { day: 1, week: 7, month: 30, year: 365 };

/** When the recipients' links expire. A period that an update has removed counts as the default one. */
export function expiryOf(given: ExpirationPeriod | null, now: Date): Date | null {
	const period = given ?? DEFAULT_EXPIRATION;
	if ('disabled' in period) return null;
	return storedDate(
		new Date(now.getTime() + period.amount * DAYS[period.unit] * DAY_MS),
		'recipient.updateMany',
	);
}

/** Node.js 20 does not know these time zones, which newer ones do. */
const ISO_OFFSET = /^([+-](?:[01]\d|2[0-3]))(?::?([0-5]\d))?$/;

/** As Documenso does it, with Luxon: `XXX` in a format stays as it is. */
export function formatDate(date: Date, format: string, timeZone: string): string {
	const zone = timeZone.replace(
		ISO_OFFSET,
		(_, hours: string, minutes = '00') => `UTC${hours}:${minutes}`,
	);
	return DateTime.fromJSDate(date, { zone }).setLocale('en-US').toFormat(format);
}
