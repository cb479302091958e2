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
	const day = dayIn(its, dateFormats);
	return day === undefined ? undefined : day === row.slice(0, 'yyyy-MM-dd'.length);
}

export function isSameText(one: string, other: string): boolean {
	return asSeen(one) === asSeen(other);
}

function seenList(value: FieldValue): string {
	return [value].flat().map(asSeen).sort().join('\n');
}

/** The day of a date that Documenso has written, in the first of these formats that fits. */
function dayIn(text: string, formats: string[]): string | undefined {
	for (const format of formats) {
		// luxon writes the offset of a time zone with other letters.
		const date = DateTime.fromFormat(text, format.replace('XXX', 'ZZ'), {
			...{ locale: 'en-US', setZone: true },
		});
		if (date.isValid) return date.toISODate();
	}
	return undefined;
}
