import type { EnvelopeField } from '../../shared/api/envelope';
import { unseenIn, unstorable, withoutInvisible, writtenNumber } from '../../shared/n8n/values';
import { readChoice, readChoices } from './choiceValue';
import {
	isTimestamp,
	mayBeDay,
	readDate,
	readDay,
	withoutQuotes,
	type DateReading,
} from './dateValue';
import { plainText, shown, wrongType, type Read } from '../inputs/givenValue';
import { readNumber } from '../inputs/numberValue';

/** Reads a value that a user, a spreadsheet or a program gives for a field of a template. */
export function readValue(field: EnvelopeField, entered: unknown, dates: DateReading): Read {
	const given = withoutQuotes(entered);
	const visible = typeof given === 'string' ? withoutInvisible(given) : given;
	switch (field.type) {
		case 'CHECKBOX':
			return readChoices(field, given);
		case 'RADIO':
		case 'DROPDOWN':
			return readChoice(field, given);
		case 'DATE':
			return unseenFault(visible) ?? readDate(field, visible, dates);
		case 'NUMBER':
			return unseenFault(visible) ?? readNumber(field, visible);
		default:
			return isTimestamp(visible) ? readDay(field, visible, dates) : readText(field, given);
	}
}

/** In an error about its form, the value would look right. */
function unseenFault(given: unknown): { fault: string } | undefined {
	const code = typeof given === 'string' ? unseenIn(given) : undefined;
	if (code === undefined) return undefined;
	return { fault: `is ${shown(given)}, with a character that nobody sees: ${code}` };
}

function readText(field: EnvelopeField, given: unknown): Read {
	const written = typeof given === 'number' ? writtenNumber(given) : undefined;
	if (written && 'fault' in written) return written;
	const text = plainText(given);
	// n8n writes this for an invalid date.
	if (text === undefined || text === 'Invalid DateTime') return wrongType(field, given);
	const fault = unstorable(text);
	if (fault !== undefined) return { fault };
	const limit = field.fieldMeta?.characterLimit ?? 0;
	if (limit > 0 && text.length > limit) {
		return { fault: `has ${text.length} characters; the field takes ${limit}` };
	}
	return mayBeDay(given) ? { value: text, mayBeDay: true } : { value: text };
}
