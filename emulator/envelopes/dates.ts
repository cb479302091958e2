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

const PATTERN = /'[^']*'|yyyy|yy|MMMM|MM|dd|EEEE|hh|HH|mm|ss|SSS|a/g;

/** Formats a date in one of the service's date formats, of which `XXX` stays as it is. */
export function formatDate(date: Date, format: string, timeZone: string): string {
	const parts = partsIn(timeZone, date);
	if (!parts) return 'Invalid DateTime';
	const hour = Number(parts.hour);
	const values: Record<string, string> = {
		yyyy: parts.year,
		yy: parts.year.slice(-2),
		MMMM: parts.monthName,
		MM: parts.month,
		dd: parts.day,
		EEEE: parts.weekday,
		hh: String(hour % 12 || 12).padStart(2, '0'),
		HH: parts.hour,
		mm: parts.minute,
		ss: parts.second,
		SSS: String(date.getUTCMilliseconds()).padStart(3, '0'),
		a: hour < 12 ? 'AM' : 'PM',
	};
	return format.replace(PATTERN, (token) => values[token] ?? token.slice(1, -1));
}

const SERVER_ZONE = /^(default|local|system)$/i;
const UTC_OFFSET = /^utc(?:([+-])(\d{1,2})(?::(\d{2}))?)?$/i;
/** Time zones for `Intl`, though not in Node.js 20. */
const ISO_OFFSET = /^([+-])([01]\d|2[0-3])(?::?([0-5]\d))?$/;

/** Undefined in an unknown time zone. Luxon, which Documenso formats with, also reads these three kinds. */
function partsIn(timeZone: string, date: Date) {
	if (SERVER_ZONE.test(timeZone)) {
		return partsOf(date, Intl.DateTimeFormat().resolvedOptions().timeZone);
	}
	const offset = UTC_OFFSET.exec(timeZone) ?? ISO_OFFSET.exec(timeZone);
	if (offset) {
		const [, sign, hours = 0, minutes = 0] = offset;
		const ms = (Number(hours) * 60 + Number(minutes)) * 60_000;
		return partsOf(new Date(date.getTime() + (sign === '-' ? -ms : ms)), 'UTC');
	}
	try {
		return partsOf(date, timeZone);
	} catch {
		return undefined;
	}
}

function partsOf(date: Date, timeZone: string) {
	const read = (options: Intl.DateTimeFormatOptions): Record<string, string> => {
		const formatter = new Intl.DateTimeFormat('en-US', { ...options, hourCycle: 'h23', timeZone });
		return Object.fromEntries(
			formatter.formatToParts(date).map(({ type, value }) => [type, value]),
		);
	};
	const numbers = read({
		year: 'numeric',
		month: '2-digit',
		day: '2-digit',
		hour: '2-digit',
		minute: '2-digit',
		second: '2-digit',
	});
	const names = read({ month: 'long', weekday: 'long' });
	const { year = '', month = '', day = '', hour = '', minute = '', second = '' } = numbers;
	return {
		year,
		month,
		day,
		hour,
		minute,
		second,
		monthName: names.month ?? '',
		weekday: names.weekday ?? '',
	};
}
