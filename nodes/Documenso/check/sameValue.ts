import { DateTime } from 'luxon';

import type { EnvelopeField } from '../../shared/api/envelope';
import type { FieldValue } from '../../shared/envelope/filledValues';
import { asSeen } from '../../shared/n8n/values';
import { isSameNumber } from '../template/numberValue';

/**
 * Whether a row and a document say the same: as people see it, a number in the field's format or without, a date by its
 * day, boxes in whatever order. Undefined if a date cannot be read.
 */
export function isSameValue(
	field: EnvelopeField,
	row: FieldValue,
	its: FieldValue,
	dateFormats: string[],
): boolean | undefined {
	if (Array.isArray(row) || Array.isArray(its)) return seenList(row) === seenList(its);
	if (isSameText(row, its)) return true;
	if (field.type === 'NUMBER') return isSameNumber(field, row.trim(), its.trim());
	if (field.type !== 'DATE') return false;
	const days = dateFormats.flatMap((format) => dayIn(its, format) ?? []);
	return days.length === 0 ? undefined : days.includes(row.slice(0, 'yyyy-MM-dd'.length));
}

export function isSameText(one: string, other: string): boolean {
	return asSeen(one) === asSeen(other);
}

function seenList(value: FieldValue): string {
	return [value].flat().map(asSeen).sort().join('\n');
}

/** Where the time begins, in a date and in a format. No zone is read: Documenso writes the day as it was given. */
const TIME = /(?: |T|'T')[\dhH]{2}:/;

/** The day of a date in one of Documenso's formats. */
function dayIn(text: string, format: string): string | undefined {
	const [[day = ''], [form = '']] = [text.split(TIME), format.split(TIME)];
	const date = DateTime.fromFormat(day, form, { locale: 'en-US', zone: 'utc' });
	return date.toISODate() ?? undefined;
}
