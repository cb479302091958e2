import type { FieldMeta } from '../api/envelope';
import { shortened } from '../api/failure';

/** A setting of a field with which Documenso refuses whatever somebody enters. */
export interface Unfillable {
	/** As Documenso calls it. */
	key: 'values' | 'defaultValue' | 'numberFormat' | 'maxValue' | 'validationLength';
	/** Continues "'Choices' …". */
	fault: string;
	advice: string;
}

export const CHOICE_TYPES = ['CHECKBOX', 'DROPDOWN', 'RADIO'];

/** Why nobody could fill a field in; undefined if somebody can (documenso-api.md: Field settings). */
export function unfillable(type: string, fieldMeta: FieldMeta = {}): Unfillable | undefined {
	const choices = (fieldMeta.values ?? []).map(({ value }) => value);
	if (CHOICE_TYPES.includes(type) && choices.length === 0) {
		const fault = 'is empty, so nobody could fill in the field';
		return { key: 'values', fault, advice: 'Add choices.' };
	}
	switch (type) {
		case 'CHECKBOX':
			return unmetRule(fieldMeta, choices.length);
		case 'DROPDOWN':
			return wrongChoices(choices) ?? unknownDefault(fieldMeta, choices);
		case 'NUMBER':
			return unknownFormat(fieldMeta) ?? crossedLimits(fieldMeta);
		default:
			return undefined;
	}
}

/** A rule for which the field has too few boxes. */
function unmetRule(
	{ validationRule: rule, validationLength: length }: FieldMeta,
	count: number,
): Unfillable | undefined {
	if (rule === 'Select at most' || !rule || !length || length <= count) return undefined;
	const fault = `is ${length}, but the field has ${count === 1 ? '1 choice' : `${count} choices`}`;
	const advice = 'Add choices, or lower the number of the rule.';
	return { key: 'validationLength', fault, advice };
}

/** Of a dropdown; boxes and radio buttons may have them. */
function wrongChoices(choices: string[]): Unfillable | undefined {
	const known = new Set<string>();
	for (const one of choices) {
		const fault = one === '' ? 'has an empty one' : known.has(one) ? `has ${brief(one)} twice` : '';
		if (fault) return { key: 'values', fault, advice: 'Documenso would refuse every choice.' };
		known.add(one);
	}
	return undefined;
}

function unknownDefault({ defaultValue }: FieldMeta, choices: string[]): Unfillable | undefined {
	if (!defaultValue || choices.includes(defaultValue)) return undefined;
	const fault = `is ${brief(defaultValue)}, which is none of the choices`;
	const advice = `The choices are: ${choices.slice(0, MOST_LISTED).map(brief).join(', ')}.`;
	return { key: 'defaultValue', fault, advice };
}

/** As signers have to write them (documenso-api.md: Number formats). */
const NUMBER_FORMATS = ['123,456,789.00', '123.456.789,00', '123456,789.00'];

function unknownFormat({ numberFormat }: FieldMeta): Unfillable | undefined {
	if (!numberFormat || NUMBER_FORMATS.includes(numberFormat)) return undefined;
	const fault = `is ${brief(numberFormat)}, which Documenso does not know`;
	return { key: 'numberFormat', fault, advice: `It knows: ${NUMBER_FORMATS.join('; ')}.` };
}

/** Here a limit of 0 counts, though no number is compared with it. */
function crossedLimits({ minValue, maxValue }: FieldMeta): Unfillable | undefined {
	if (typeof minValue !== 'number' || typeof maxValue !== 'number') return undefined;
	if (minValue <= maxValue) return undefined;
	const fault = `is ${maxValue}, which is below the minimum ${minValue}`;
	return { key: 'maxValue', fault, advice: 'Nobody could enter a number. Correct one of the two.' };
}

/** An error shows no more of a text, and lists no more choices. */
const SHOWN_LENGTH = 60;
const MOST_LISTED = 20;

function brief(text: string): string {
	return `"${shortened(text, SHOWN_LENGTH)}"`;
}
