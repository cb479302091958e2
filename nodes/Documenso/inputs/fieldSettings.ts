import { z } from 'zod';

import { collection } from '../../shared/n8n/collections';
import {
	choice,
	flag,
	input,
	json,
	limiting,
	openChoice,
	shownFor,
	textOf,
	type Input,
	type Inputs,
} from '../../shared/n8n/input';
import {
	anyText,
	between,
	decimal,
	textUpTo,
	verbatim,
	wholeNumber,
	type Schema,
} from '../../shared/n8n/values';

const numberSetting = (
	displayName: string,
	value: number,
	schema: Schema<number>,
	description: string,
) => input({ displayName, type: 'number', default: value, description }, schema);

const wordChoice = (displayName: string, values: string[], description: string): Input<string> =>
	openChoice(
		displayName,
		values.map((value) => ({
			name: value.replace(/\b[a-z]/g, (letter) => letter.toUpperCase()),
			value,
		})),
		{ default: values[0] ?? '', description },
	);

/** Rows are for people; JSON is for workflows that generate it. */
export const inputMode = (displayName: string) =>
	choice(
		displayName,
		[
			{ name: 'Using Fields Below', value: 'fields' },
			{ name: 'Using JSON', value: 'json' },
		],
		{ default: 'fields' },
	);

/** Choices separated by commas. */
export const choiceList = verbatim.transform((value) =>
	value
		.split(',')
		.map((choice) => choice.trim())
		.filter((choice) => choice !== ''),
);

/** All types have these. Others may be empty for the items whose type does not have them. */
const basic = {
	label: textOf('Label', textUpTo(255), {
		placeholder: 'e.g. City',
		description: 'Text shown to the recipient next to the field',
	}),
	required: limiting(
		flag('Required', true, {
			description: 'Whether to require the recipient to fill in the field',
		}),
	),
	readOnly: limiting(
		flag('Read Only', true, {
			description: 'Whether to keep the recipient from changing the field',
		}),
	),
	fontSize: numberSetting('Font Size', 12, between(8, 96), 'From 8 to 96'),
};
export const common = {
	...basic,
	placeholder: textOf('Placeholder', textUpTo(255), {
		placeholder: 'e.g. Your city',
		description: 'What the field shows until it is filled in',
	}),
	overflow: wordChoice(
		'Overflow',
		['auto', 'horizontal', 'vertical', 'crop'],
		'What happens to text that is too long',
	),
};
const textAlign = wordChoice(
	'Text Align',
	['left', 'center', 'right'],
	'How text is aligned horizontally',
);
const typography = {
	lineHeight: numberSetting('Line Height', 1, between(1, 10), 'From 1 to 10'),
	letterSpacing: numberSetting('Letter Spacing', 0, between(0, 100), 'From 0 to 100'),
	textAlign,
	verticalAlign: wordChoice(
		'Vertical Align',
		['top', 'middle', 'bottom'],
		'How text is aligned vertically',
	),
};
const choices = limiting(
	textOf('Choices', choiceList, {
		placeholder: 'e.g. Monthly, Quarterly',
		description: 'What the recipient can choose from, separated by commas',
	}),
);
const layout = {
	choices,
	direction: wordChoice('Direction', ['vertical', 'horizontal'], 'How the choices are laid out'),
};

/** The settings of each type of field (documenso-api.md: Field settings). */
const ofSigner = { ...common, textAlign };
const ofText = {
	...common,
	...typography,
	// A read-only field would stay blank, or keep the content that it had.
	text: limiting(
		textOf('Text', verbatim, {
			placeholder: 'e.g. Oslo',
			description: 'Initial content of the field',
		}),
	),
	characterLimit: numberSetting(
		'Character Limit',
		0,
		wholeNumber(0),
		'Max number of characters that can be entered',
	),
};
const ofNumber = {
	...common,
	...typography,
	value: limiting(
		textOf('Value', verbatim, {
			placeholder: 'e.g. 1200',
			description: 'Initial content of the field',
		}),
	),
	numberFormat: textOf('Number Format', verbatim, {
		placeholder: 'e.g. 123,456,789.00',
		description: 'How numbers are written',
	}),
	minValue: numberSetting('Minimum', 0, decimal, 'The smallest number that can be entered'),
	maxValue: numberSetting('Maximum', 100, decimal, 'The largest number that can be entered'),
};
const ofCheckbox = {
	...basic,
	...layout,
	validationRule: wordChoice(
		'Rule',
		['Select at least', 'Select exactly', 'Select at most'],
		'Whether Rule Number is the minimum, the exact or the maximum number of boxes to choose',
	),
	validationLength: numberSetting('Rule Number', 1, wholeNumber(0), 'Number of boxes for the rule'),
};
const ofDropdown = {
	...basic,
	choices,
	defaultValue: limiting(
		textOf('Default', anyText, {
			placeholder: 'e.g. Monthly',
			description: 'The choice that is selected at first',
		}),
	),
};

export const SETTINGS: Readonly<Partial<Record<string, Inputs>>> = {
	SIGNATURE: common,
	INITIALS: ofSigner,
	NAME: ofSigner,
	EMAIL: ofSigner,
	DATE: ofSigner,
	TEXT: ofText,
	NUMBER: ofNumber,
	RADIO: { ...basic, ...layout },
	CHECKBOX: ofCheckbox,
	DROPDOWN: ofDropdown,
};

export const all = {
	...ofText,
	...ofNumber,
	...ofCheckbox,
	...ofDropdown,
};

/** Each setting is shown for the types that have it, and where a field keeps its type, which only Documenso knows. */
function shownForTheirTypes<I extends Inputs>(settings: I): I {
	const shown = Object.entries(settings).map(([name, { property, ...rest }]) => {
		const types = Object.entries(SETTINGS).flatMap(([type, own]) =>
			own && name in own ? [type] : [],
		);
		return [
			name,
			{ ...rest, property: { ...property, displayOptions: { show: { '/type': [...types, ''] } } } },
		];
	});
	// It has the same names, which Object.fromEntries does not know.
	return Object.fromEntries(shown) as I;
}

const settings = collection(
	'Settings',
	// One list for all types: with a list for each, n8n would show all of them while the type is an expression, and
	// keep the settings of only one.
	shownForTheirTypes(all),
	{ placeholder: 'Add Setting' },
);

export const fieldSettings = {
	specifySettings: inputMode('Specify Settings'),
	...shownFor('specifySettings', ['fields'], { settings }),
	...shownFor('specifySettings', ['json'], {
		settingsJson: limiting(
			json('Settings (JSON)', z.record(z.unknown()), {
				description: "The field's <code>fieldMeta</code>, as in Documenso's API",
			}),
		),
	}),
};

/** Choices as the service stores them for this type of field. */
export function choiceValues(type: string, chosen: string[]): object[] {
	return type === 'DROPDOWN'
		? chosen.map((value) => ({ value }))
		: chosen.map((value, index) => ({ id: index + 1, checked: false, value }));
}
