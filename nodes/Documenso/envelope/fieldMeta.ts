import type { IDataObject } from 'n8n-workflow';

import type { Params } from '../params';
import { choiceValues, fieldMetaSchema, fieldSettingsSchema } from '../schemas/fieldSettings';

/** The settings that the user gave for a field of this type, in the service's form. */
export function givenMeta(params: Params, type: string): IDataObject {
	if (params.string('specifySettings') === 'json') {
		return params.json('settingsJson', fieldMetaSchema) as IDataObject;
	}
	const { choices, ...settings } = params.collection('settings', fieldSettingsSchema);
	return { ...settings, ...(choices ? { values: choiceValues(type, choices) } : {}) };
}

/** The service demands the type in it, and none at all for a free signature (contract §1.8). */
export function metaFor(type: string, settings: IDataObject): { fieldMeta?: IDataObject } {
	if (type === 'FREE_SIGNATURE' || Object.keys(settings).length === 0) return {};
	return { fieldMeta: { ...settings, type: type.toLowerCase() } };
}
