import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { collection } from '../engine/collections';
import {
	choice,
	flag,
	input,
	json,
	limiting,
	openChoice,
	shownFor,
	textOf,
	type Added,
	type Input,
	type Inputs,
} from '../engine/input';
import { addHint } from '../engine/hint';
import type { Item } from '../engine/item';
import { nearTo } from '../engine/nearNames';
import { escaped } from '../engine/nodeError';
import { Refusal } from '../engine/refusal';
import { between, decimal, textUpTo, verbatim, wholeNumber, type Schema } from '../engine/values';

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
export const choiceList = z.string().transform((value) =>
	value
		.split(',')
		.map((choice) => choice.trim())
		.filter((choice) => choice !== ''),
);

/** All types have these. Others may be empty for the items whose type does not have them. */
const basic = {
	label: textOf('Label', textUpTo(255), {
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
const common = {
	...basic,
	placeholder: textOf('Placeholder', textUpTo(255), {
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
const choices = textOf('Choices', choiceList, {
	placeholder: 'e.g. Monthly, Quarterly',
	description: 'What the recipient can choose from, separated by commas',
});
const layout = {
	choices,
	direction: wordChoice('Direction', ['vertical', 'horizontal'], 'How the choices are laid out'),
};

/** The settings of each type of field (documenso-api.md: Field settings). */
const ofSignature = common;
const ofSigner = { ...common, textAlign };
const ofText = {
	...common,
	...typography,
	text: textOf('Text', verbatim, { description: 'Initial content of the field' }),
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
	value: textOf('Value', verbatim, { description: 'Initial content of the field' }),
	numberFormat: textOf('Number Format', z.string(), { description: 'For example 123,456,789.00' }),
	minValue: numberSetting('Minimum', 0, decimal, 'The smallest number that can be entered'),
	maxValue: numberSetting('Maximum', 100, decimal, 'The largest number that can be entered'),
};
const ofRadio = { ...basic, ...layout };
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
	defaultValue: textOf('Default', z.string().trim(), {
		description: 'The choice that is selected at first',
	}),
};

const SETTINGS: Readonly<Partial<Record<string, Inputs>>> = {
	SIGNATURE: ofSignature,
	INITIALS: ofSigner,
	NAME: ofSigner,
	EMAIL: ofSigner,
	DATE: ofSigner,
	TEXT: ofText,
	NUMBER: ofNumber,
	RADIO: ofRadio,
	CHECKBOX: ofCheckbox,
	DROPDOWN: ofDropdown,
};

const all = {
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
		settingsJson: json('Settings (JSON)', z.record(z.unknown()), {
			description: "The field's <code>fieldMeta</code>, as in Documenso's API",
		}),
	}),
};

/** The given settings of a field of this type as the service accepts them. */
export function givenMeta(
	type: string,
	given: { settings?: Added<typeof all>; settingsJson?: Record<string, unknown> },
	item: Item,
): IDataObject {
	if (given.settingsJson) {
		// Parsed JSON is what n8n calls an IDataObject.
		const meta = given.settingsJson as IDataObject;
		refuse('Settings (JSON)', wrongSettings(type, meta));
		tellUnknown(item, type, meta);
		return meta;
	}
	const { choices: chosen, ...rest } = given.settings ?? {};
	checkForType(type, given.settings ?? {});
	return { ...rest, ...(chosen ? { values: choiceValues(type, chosen) } : {}) };
}

/** A setting that the service would take, or drop, without complaint. */
interface WrongSetting {
	key: string;
	fault: string;
	advice: string;
}

function refuse(label: string, wrong: WrongSetting[]) {
	const faults = wrong.map(({ key, ...rest }) => ({ column: `${label} > ${key}`, ...rest }));
	if (faults.length > 0) throw Refusal.of(faults);
}

/** The names that the service knows the settings of each type by. */
const NAMES = new Map(
	Object.entries(SETTINGS).map(([type, own]) => {
		const names = Object.keys({ type, ...common, ...own });
		return [type, names.map((name) => ({ name: name === 'choices' ? 'values' : name }))];
	}),
);

/** Settings that are misspelt, or of another type: the service drops them. */
export function wrongSettings(type: string, meta: object): WrongSetting[] {
	const names = NAMES.get(type) ?? [];
	const others = [...NAMES.values()].flat();
	return unknownSettings(type, meta).flatMap((key) => {
		const meant = nearTo(key, names, ({ name }) => name);
		const advice = `The settings of this type are: ${names.map(({ name }) => name).join(', ')}.`;
		if (meant) {
			const fault = 'is not a setting that Documenso knows';
			return [{ key, fault, advice: `Did you mean ${meant.name}? ${advice}` }];
		}
		if (!others.some(({ name }) => name === key)) return [];
		return [{ key, fault: `is not for fields of the type ${type}`, advice }];
	});
}

/** Settings that may be of a newer Documenso: this one drops them if it does not know them. */
export function tellUnknown({ client, context }: Item, type: string, meta: object) {
	for (const key of unknownSettings(type, meta)) {
		const message = `The setting ${escaped(key)} of a ${type.toLowerCase()} field is unknown to this node. If Documenso does not know it, it has no effect.`;
		void client.once(`setting ${type} ${key}`, () => addHint(context, message));
	}
}

function unknownSettings(type: string, meta: object): string[] {
	const names = NAMES.get(type);
	if (!names) return [];
	return Object.keys(meta).filter((key) => !names.some(({ name }) => name === key));
}

/** A rule for which the field has too few boxes: nobody could fill it in. */
export function unmetRule(type: string, meta: IDataObject): WrongSetting[] {
	const { validationRule: rule, validationLength: length, values } = meta;
	const count = Array.isArray(values) ? values.length : 0;
	if (type !== 'CHECKBOX' || rule === 'Select at most' || !rule) return [];
	if (typeof length !== 'number' || length <= count) return [];
	const fault = `is ${length}, but the field has ${count === 1 ? '1 choice' : `${count} choices`}`;
	return [{ key: 'Rule Number', fault, advice: 'Add choices, or lower the number of the rule.' }];
}

/** The service silently drops settings that the type does not have. */
function checkForType(type: string, given: object) {
	const own = SETTINGS[type];
	const foreign = Object.keys(given).find((name) => own && !Object.hasOwn(own, name));
	if (!foreign) return;
	const { [foreign]: setting }: Inputs = all;
	const label = setting?.property.displayName ?? foreign;
	throw new Refusal(
		`'Settings > ${label}' is not for fields of the type ${type}`,
		'Remove the setting, or choose another type.',
	);
}

/** All settings of a field, if they can be met. The service requires the type among them. */
export function checkedMeta(type: string, meta: IDataObject): { fieldMeta?: IDataObject } {
	refuse('Settings', unmetRule(type, meta));
	if (Object.keys(meta).length === 0) return {};
	return { fieldMeta: { ...meta, type: type.toLowerCase() } };
}

/** Choices as the service stores them for this type of field. */
export function choiceValues(type: string, chosen: string[]): object[] {
	return type === 'DROPDOWN'
		? chosen.map((value) => ({ value }))
		: chosen.map((value, index) => ({ id: index + 1, checked: false, value }));
}
