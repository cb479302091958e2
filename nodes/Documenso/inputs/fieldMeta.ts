import type { IDataObject } from 'n8n-workflow';

import type { Added, Inputs } from '../../shared/n8n/input';
import type { Item } from '../../shared/n8n/item';
import { nearTo } from '../../shared/n8n/nearNames';
import { escaped } from '../../shared/n8n/nodeError';
import { Refusal } from '../../shared/n8n/refusal';
import { all, choiceValues, common, SETTINGS } from './fieldSettings';

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
export function tellUnknown({ client, execution }: Item, type: string, meta: object) {
	for (const key of unknownSettings(type, meta)) {
		const message = `The setting ${escaped(key)} of a ${type.toLowerCase()} field is unknown to this node. If Documenso does not know it, it has no effect.`;
		void client.once(`setting ${type} ${key}`, () => {
			execution.hints.say(message);
		});
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
