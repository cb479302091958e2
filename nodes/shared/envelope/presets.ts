import type { EnvelopeField } from '../api/envelope';
import { isBlank } from '../n8n/values';

/**
 * Whether Documenso fills in a field by itself when it sends its recipient the document (documenso-api.md: Prefilled values). It
 * takes blanks for a value, too. A date it fills in when the recipient signs.
 */
export function hasPreset({ type, fieldMeta }: Pick<EnvelopeField, 'type' | 'fieldMeta'>): boolean {
	const { text, value, defaultValue, values = [] } = fieldMeta ?? {};
	const ticked = values.filter(({ checked }) => checked).length;
	switch (type) {
		case 'EMAIL':
			return true;
		case 'TEXT':
			return Boolean(text);
		case 'NUMBER':
			return Boolean(value);
		case 'DROPDOWN':
			return values.some((one) => one.value === defaultValue);
		case 'RADIO':
			return ticked > 0;
		case 'CHECKBOX':
			return ticked > 0 && keepsRule(fieldMeta, ticked);
		default:
			return false;
	}
}

/** Whether so many boxes of a field may be ticked. Documenso ticks none if its rule is broken. */
export function keepsRule(fieldMeta: EnvelopeField['fieldMeta'], ticked: number): boolean {
	const { validationRule, validationLength } = fieldMeta ?? {};
	const isAllowed = RULES.get(validationRule ?? '');
	return !isAllowed || !validationLength || isAllowed(ticked, validationLength);
}

const RULES: ReadonlyMap<string, (count: number, length: number) => boolean> = new Map([
	['Select at least', (count, length) => count >= length],
	['Select exactly', (count, length) => count === length],
	['Select at most', (count, length) => count <= length],
]);

/**
 * What a field was filled in with beforehand, whether or not anybody has confirmed it. Of a date nothing tells: it is
 * stored as its value at once.
 */
export function presetOf({
	fieldMeta,
}: Pick<EnvelopeField, 'fieldMeta'>): string | string[] | undefined {
	const { text, value, defaultValue, values = [] } = fieldMeta ?? {};
	const given = [text, value, defaultValue].find((one) => !isBlank(one));
	if (given !== undefined && given !== null) return given;
	const chosen = values.filter(({ checked }) => checked).map((one) => one.value);
	return chosen.length > 0 ? chosen : undefined;
}
