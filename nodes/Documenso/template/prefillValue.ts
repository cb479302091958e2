import type { EnvelopeField } from '../../shared/api/envelope';
import { writtenNumber } from '../../shared/n8n/values';
import { readChoice, readChoices } from './choiceValue';
import {
	isTimestamp,
	mayBeDay,
	readDate,
	readDay,
	withoutQuotes,
	type DateReading,
} from './dateValue';
import { plainText, wrongType, type Read } from './givenValue';
import { readNumber } from './numberValue';

/** Reads a value that a user, a spreadsheet or a program gives for a field of a template. */
export function readValue(field: EnvelopeField, entered: unknown, dates: DateReading): Read {
	const given = withoutQuotes(entered);
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
			return readText(field, given, dates);
	}
}

function readText(field: EnvelopeField, given: unknown, dates: DateReading): Read {
	if (isTimestamp(given)) return readDay(field, given, dates);
	const written = typeof given === 'number' ? writtenNumber(given) : undefined;
	if (written && 'fault' in written) return written;
	const text = plainText(given);
	// n8n writes this for an invalid date.
	if (text === undefined || text === 'Invalid DateTime') return wrongType(field, given);
	if (text.includes('\0'))
		return { fault: 'contains a NUL character, which Documenso cannot store' };
	const limit = field.fieldMeta?.characterLimit ?? 0;
	if (limit > 0 && text.length > limit) {
		return { fault: `has ${text.length} characters; the field takes ${limit}` };
	}
	return mayBeDay(given) ? { value: text, mayBeDay: true } : { value: text };
}
