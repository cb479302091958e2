import type { FieldMeta } from '../schemas/fields';

export type MetaOf<Type extends FieldMeta['type']> = Extract<FieldMeta, { type: Type }>;

export function isTextFor({ required, characterLimit }: MetaOf<'text'>, text: string): boolean {
	return (text !== '' || !required) && (!characterLimit || text.length <= characterLimit);
}

/** By format: the thousands' separators can be left out, decimals too. */
const NUMBER_FORMATS = new Map([
	['123,456,789.00', /^(\d+|\d{1,3}(,\d{3})+)(\.\d\d?)?$/],
	['123.456.789,00', /^(\d+|\d{1,3}(\.\d{3})+)(,\d\d?)?$/],
	['123456,789.00', /^\d+(,\d{1,3}(\.\d\d?)?)?$/],
]);

/** Limits of zero or less have no effect, and a comma ends the number that they are compared with. */
export function isNumberFor(
	{ numberFormat, minValue, maxValue }: MetaOf<'number'>,
	text: string,
): boolean {
	const number = parseFloat(text);
	const [min, max] = [minValue ?? 0, maxValue ?? 0];
	return (
		/^[\d,.]+$/.test(text.trim()) &&
		(!numberFormat || NUMBER_FORMATS.get(numberFormat)?.test(text) === true) &&
		!(min > 0 && number < min) &&
		!(max > 0 && number > max) &&
		!(typeof minValue === 'number' && typeof maxValue === 'number' && minValue > maxValue)
	);
}

/** Faults in the settings refuse every value. */
export function isChoiceFor(
	{ values, defaultValue, required }: MetaOf<'dropdown'>,
	text: string,
): boolean {
	if (text === '' && required) return false;
	if (!values) return true;
	const texts = values.map(({ value }) => value);
	return (
		[text, defaultValue ?? ''].every((choice) => choice === '' || texts.includes(choice)) &&
		texts.length > 0 &&
		!texts.includes('') &&
		new Set(texts).size === texts.length
	);
}

/** Whether a checkbox's rule allows that many options; undefined for a rule that does not exist. */
export function isCountAllowed(
	count: number,
	{ validationRule, validationLength }: MetaOf<'checkbox'>,
): boolean | undefined {
	// A rule without a number has no effect.
	if (!validationRule || !validationLength) return true;
	switch (validationRule) {
		case 'Select at least':
			return count >= validationLength;
		case 'Select exactly':
			return count === validationLength;
		case 'Select at most':
			return count <= validationLength;
		default:
			return undefined;
	}
}
