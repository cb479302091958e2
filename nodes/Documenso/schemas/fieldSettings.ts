import { z } from 'zod';

import { verbatim, trueOrFalse, wholeNumber, decimal, between, textUpTo } from '../engine/values';

export const choiceList = z.string().transform((value) =>
	value
		.split(',')
		.map((choice) => choice.trim())
		.filter((choice) => choice !== ''),
);

/** Settings as the editor's inputs give them; limits from contract §1.8. */
export const fieldSettingsSchema = z
	.object({
		label: textUpTo(255),
		placeholder: textUpTo(255),
		required: trueOrFalse,
		readOnly: trueOrFalse,
		fontSize: between(8, 96),
		overflow: z.string(),
		textAlign: z.string(),
		verticalAlign: z.string(),
		lineHeight: between(1, 10),
		letterSpacing: between(0, 100),
		text: verbatim,
		characterLimit: wholeNumber(0),
		value: verbatim,
		numberFormat: z.string(),
		minValue: decimal,
		maxValue: decimal,
		choices: choiceList,
		direction: z.string(),
		validationRule: z.string(),
		validationLength: wholeNumber(0),
		defaultValue: z.string(),
	})
	.partial();

export const fieldMetaSchema = z.record(z.unknown());

/** The choices in the form that the type of field has for them. */
export function choiceValues(type: string, choices: string[]): object[] {
	return type === 'DROPDOWN'
		? choices.map((value) => ({ value }))
		: choices.map((value, index) => ({ id: index + 1, checked: false, value }));
}
