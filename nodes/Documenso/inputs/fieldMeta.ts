import type { IDataObject } from 'n8n-workflow';

import { readMeta, type FieldMeta } from '../../shared/api/envelope';
import { unfillable } from '../../shared/envelope/unfillable';
import type { Added, Inputs } from '../../shared/n8n/input';
import type { Item } from '../../shared/n8n/item';
import { nearTo } from '../../shared/n8n/nearNames';
import { escaped } from '../../shared/n8n/nodeError';
import { Refusal } from '../../shared/n8n/refusal';
import { all, choiceValues, common, SETTINGS } from './fieldSettings';
import { readNumber } from './numberValue';

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
		const [meant] = nearTo(key, names, ({ name }) => name);
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
export function tellUnknown({ execution }: Item, type: string, meta: object) {
	for (const key of unknownSettings(type, meta)) {
		const message = `The setting ${escaped(key)} of a ${type.toLowerCase()} field is unknown to this node. If Documenso does not know it, it has no effect.`;
		execution.hints.say(message);
	}
}

function unknownSettings(type: string, meta: object): string[] {
	const names = NAMES.get(type);
	if (!names) return [];
	return Object.keys(meta).filter((key) => !names.some(({ name }) => name === key));
}

/** Settings with which nobody could fill the field in, or with which it cannot hold its content. Documenso takes all. */
export function impossibleSetting(type: string, meta: object): WrongSetting | undefined {
	const fieldMeta = readMeta.parse(meta);
	// What has another form, the service refuses.
	return fieldMeta ? (unfillable(type, fieldMeta) ?? wrongContent(type, fieldMeta)) : undefined;
}

function wrongContent(type: string, fieldMeta: FieldMeta): WrongSetting | undefined {
	if (type === 'TEXT') return longText(fieldMeta);
	if (type !== 'NUMBER' || !fieldMeta.value) return undefined;
	const read = readNumber({ type, fieldMeta }, fieldMeta.value);
	if (!('fault' in read)) return undefined;
	return { key: 'value', fault: read.fault, advice: 'Correct the value.' };
}

function longText({ text, characterLimit }: FieldMeta): WrongSetting | undefined {
	if (!text || !characterLimit || text.length <= characterLimit) return undefined;
	const fault = `has ${text.length} characters, but the field takes ${characterLimit}`;
	return { key: 'text', fault, advice: 'Shorten the text, or raise the limit.' };
}

/** The service silently drops settings that the type does not have. */
function checkForType(type: string, given: object) {
	const own = SETTINGS[type];
	const foreign = Object.keys(given).find((name) => own && !Object.hasOwn(own, name));
	if (!foreign) return;
	throw new Refusal(
		`'Settings > ${labelOf(foreign)}' is not for fields of the type ${type}`,
		'Remove the setting, or choose another type.',
	);
}

/** What the editor calls a setting of the service. */
function labelOf(key: string): string {
	const { [key === 'values' ? 'choices' : key]: setting }: Inputs = all;
	return setting?.property.displayName ?? key;
}

/** All settings of a field, if they can be met. The service requires the type among them. */
export function checkedMeta(type: string, meta: IDataObject): { fieldMeta?: IDataObject } {
	// Without any settings the service gives the field a default choice (documenso-api.md: Field settings).
	if (Object.keys(meta).length === 0) return {};
	const wrong = impossibleSetting(type, meta);
	if (wrong) refuse('Settings', [{ ...wrong, key: labelOf(wrong.key) }]);
	return { fieldMeta: { ...meta, type: type.toLowerCase() } };
}
