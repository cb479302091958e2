import type { EnvelopeField } from '../api/envelope';
import { readChoice, readChoices } from './choiceValue';
import { readDate, type DateReading } from './dateValue';
import { plainText, wrongType, type Read } from './givenValue';
import { readNumber } from './numberValue';

/** Reads a value that a user, a spreadsheet or a program gives for a field of a template. */
export function readValue(field: EnvelopeField, given: unknown, dates: DateReading): Read {
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
			return readText(field, given);
	}
}

function readText(field: EnvelopeField, given: unknown): Read {
	const text = plainText(given);
	// n8n writes this for an invalid date.
	if (text === undefined || text === 'Invalid DateTime') return wrongType(field, given);
	const limit = field.fieldMeta?.characterLimit ?? 0;
	if (limit === 0 || text.length <= limit) return { value: text };
	return { fault: `has ${text.length} characters; the field takes ${limit}` };
}
