import { z } from 'zod';

import { anyText, flag, integerFrom, number, numberBetween, text } from './values';

export const choiceList = z.string().transform((value) =>
	value
		.split(',')
		.map((choice) => choice.trim())
		.filter((choice) => choice !== ''),
);

/** Settings as the editor's inputs give them; limits from contract §1.8. */
export const fieldSettingsSchema = z
	.object({
		label: text(255),
		placeholder: text(255),
		required: flag,
		readOnly: flag,
		fontSize: numberBetween(8, 96),
		overflow: z.string(),
		textAlign: z.string(),
		verticalAlign: z.string(),
		lineHeight: numberBetween(1, 10),
		letterSpacing: numberBetween(0, 100),
		text: anyText,
		characterLimit: integerFrom(0),
		value: anyText,
		numberFormat: z.string(),
		minValue: number,
		maxValue: number,
		choices: choiceList,
		direction: z.string(),
		validationRule: z.string(),
		validationLength: integerFrom(0),
		defaultValue: z.string().trim(),
	})
	.partial();

export const fieldMetaSchema = z.record(z.unknown());

/** The choices in the form that the type of field has for them. */
export function choiceValues(type: string, choices: string[]): object[] {
	return type === 'DROPDOWN'
		? choices.map((value) => ({ value }))
		: choices.map((value, index) => ({ id: index + 1, checked: false, value }));
}
