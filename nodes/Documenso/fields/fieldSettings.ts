import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { byLabel } from './byLabel';
import { inputMode } from './inputMode';

function text(displayName: string, name: string, description: string): INodeProperties {
	return { displayName, name, type: 'string', default: '', description };
}

function number(displayName: string, name: string, chosen: number, description: string) {
	const property: INodeProperties = {
		displayName,
		name,
		type: 'number',
		default: chosen,
		description,
	};
	return property;
}

function flag(displayName: string, name: string, description: string): INodeProperties {
	return { displayName, name, type: 'boolean', default: true, description };
}

function choice(displayName: string, name: string, values: string[], description: string) {
	const [chosen = ''] = values;
	const options: INodePropertyOptions[] = values.map((value) => ({
		name: value.charAt(0).toUpperCase() + value.slice(1),
		value,
	}));
	const property: INodeProperties = {
		displayName,
		name,
		type: 'options',
		options,
		default: chosen,
		description,
	};
	return property;
}

const label = text('Label', 'label', 'What the recipient sees beside the field');
const placeholder = text(
	'Placeholder',
	'placeholder',
	'What stands in the field until it is filled in',
);
const required = flag('Required', 'required', 'Whether the recipient has to fill it in');
const readOnly = flag('Read Only', 'readOnly', 'Whether the recipient cannot change it');
const fontSize = number('Font Size', 'fontSize', 12, 'From 8 to 96');
const overflow = choice(
	'Overflow',
	'overflow',
	['auto', 'horizontal', 'vertical', 'crop'],
	'What becomes of text that is too long',
);
const textAlign = choice(
	'Text Align',
	'textAlign',
	['left', 'center', 'right'],
	'How text stands in the field, from left to right',
);
const verticalAlign = choice(
	'Vertical Align',
	'verticalAlign',
	['top', 'middle', 'bottom'],
	'How text stands in the field, from top to bottom',
);
const lineHeight = number('Line Height', 'lineHeight', 1, 'From 1 to 10');
const letterSpacing = number('Letter Spacing', 'letterSpacing', 0, 'From 0 to 100');
const choices: INodeProperties = {
	displayName: 'Choices',
	name: 'choices',
	type: 'string',
	default: '',
	placeholder: 'e.g. Monthly, Quarterly',
	description: 'What the recipient can choose from, separated by commas',
};
const direction = choice(
	'Direction',
	'direction',
	['vertical', 'horizontal'],
	'How the choices are laid out',
);

const common = [label, placeholder, required, readOnly, fontSize, overflow];
const typography = [lineHeight, letterSpacing, textAlign, verticalAlign];

/** The settings of each type of field (contract §1.8). */
const SETTINGS: Array<[types: string[], settings: INodeProperties[]]> = [
	[['SIGNATURE'], common],
	[
		['INITIALS', 'NAME', 'EMAIL', 'DATE'],
		[...common, textAlign],
	],
	[
		['TEXT'],
		[
			...common,
			...typography,
			text('Text', 'text', 'What stands in the field from the start'),
			number('Character Limit', 'characterLimit', 0, 'The most characters that can be entered'),
		],
	],
	[
		['NUMBER'],
		[
			...common,
			...typography,
			text('Value', 'value', 'What stands in the field from the start'),
			text('Number Format', 'numberFormat', 'For example 123,456,789.00'),
			number('Minimum', 'minValue', 0, 'The least that can be entered'),
			number('Maximum', 'maxValue', 100, 'The most that can be entered'),
		],
	],
	[['RADIO'], [label, required, readOnly, fontSize, choices, direction]],
	[
		['CHECKBOX'],
		[
			label,
			required,
			readOnly,
			fontSize,
			choices,
			direction,
			choice(
				'Rule',
				'validationRule',
				['Select at least', 'Select exactly', 'Select at most'],
				'How the number of choices is limited',
			),
			number('Rule Number', 'validationLength', 1, 'How many choices the rule is about'),
		],
	],
	[
		['DROPDOWN'],
		[
			label,
			required,
			readOnly,
			fontSize,
			choices,
			text('Default', 'defaultValue', 'The choice that is made from the start'),
		],
	],
];

/** What a field of this type takes; undefined for a type that is not known here. */
export function settingsOf(type: string): string[] | undefined {
	const settings = SETTINGS.find(([types]) => types.includes(type))?.[1];
	return settings && [...common, ...settings].map(({ name }) => name);
}

function shownForItsTypes(setting: INodeProperties): INodeProperties {
	const types = SETTINGS.flatMap(([types, settings]) => (settings.includes(setting) ? types : []));
	return { ...setting, displayOptions: { show: { '/type': types } } };
}

/** One list for all types: while the type is an expression, n8n shows all settings, and would keep those of one list only. */
const settings: INodeProperties = {
	displayName: 'Settings',
	name: 'settings',
	type: 'collection',
	placeholder: 'Add Setting',
	displayOptions: { show: { specifySettings: ['fields'] } },
	default: {},
	options: byLabel([...new Set(SETTINGS.flatMap(([, own]) => own))].map(shownForItsTypes)),
};

const settingsJson: INodeProperties = {
	displayName: 'Settings (JSON)',
	name: 'settingsJson',
	type: 'json',
	displayOptions: { show: { specifySettings: ['json'] } },
	default: '{}',
	description: "The field's <code>fieldMeta</code>, as in Documenso's API",
};

/** What can be set on a field. */
export const fieldSettings: INodeProperties[] = [
	inputMode('Specify Settings', 'specifySettings'),
	settings,
	settingsJson,
];
