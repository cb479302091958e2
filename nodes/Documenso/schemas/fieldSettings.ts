import { z } from 'zod';

import { flag, number, text } from './values';

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
		fontSize: number.min(8, 'is below 8').max(96, 'is above 96'),
		overflow: z.string(),
		textAlign: z.string(),
		verticalAlign: z.string(),
		lineHeight: number.min(1, 'is below 1').max(10, 'is above 10'),
		letterSpacing: number.min(0, 'is below 0').max(100, 'is above 100'),
		text: z.coerce.string(),
		characterLimit: number.int('is not a whole number').min(0, 'is below 0'),
		value: z.coerce.string(),
		numberFormat: z.string(),
		minValue: number,
		maxValue: number,
		choices: choiceList,
		direction: z.string(),
		validationRule: z.string(),
		validationLength: number.int('is not a whole number').min(0, 'is below 0'),
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
