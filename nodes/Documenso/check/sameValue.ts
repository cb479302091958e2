import { DateTime } from 'luxon';

import type { EnvelopeField } from '../../shared/api/envelope';
import type { FieldValue } from '../../shared/envelope/filledValues';
import { asSeen, isSameText } from '../../shared/n8n/values';
import { isSameNumber } from '../inputs/numberValue';

/**
 * Whether a row and a document say the same: as people see it, a number in the field's format or without, a date by its
 * day, boxes in whatever order. Undefined if nobody can tell.
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
	const day = DateTime.fromISO(row.slice(0, 'yyyy-MM-dd'.length), ENGLISH);
	const written = dateFormats.map((format) => [its, format].map(withoutTime));
	// Not read from the document: two digits of a year do not tell the century.
	if (written.some(([text, form = '']) => text === day.toFormat(form))) return true;
	const isReadable = written.some(
		([text = '', form = '']) => DateTime.fromFormat(text, form, ENGLISH).isValid,
	);
	return isReadable ? false : undefined;
}

function seenList(value: FieldValue): string {
	// Of two options that are called the same, nothing tells which one is ticked.
	return [...new Set([value].flat().map(asSeen))].sort().join('\n');
}

const ENGLISH = { locale: 'en-US', zone: 'utc' };

/** Where the time begins, in a date and in a format. No zone is read: Documenso writes the day as it was given. */
const TIME = /(?: |T|'T')[\dhH]{2}:/;

function withoutTime(dateOrFormat: string): string {
	return dateOrFormat.split(TIME)[0] ?? '';
}
