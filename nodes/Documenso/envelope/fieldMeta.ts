import type { IDataObject } from 'n8n-workflow';

import { settingsOf } from '../fields/fieldSettings';
import type { Params } from '../params';
import { choiceValues, fieldMetaSchema, fieldSettingsSchema } from '../schemas/fieldSettings';

/** The settings that the user gave for a field of this type, in the service's form. */
export function givenMeta(params: Params, type: string): IDataObject {
	if (params.string('specifySettings') === 'json') {
		return params.json('settingsJson', fieldMetaSchema) as IDataObject;
	}
	const { choices, ...settings } = params.collection('settings', schemaFor(type));
	return { ...settings, ...(choices ? { values: choiceValues(type, choices) } : {}) };
}

/** The service drops what is not for the type, and says nothing. */
function schemaFor(type: string) {
	const known = settingsOf(type);
	return fieldSettingsSchema.superRefine((given, context) => {
		for (const name of Object.keys(given)) {
			if (!known || known.includes(name)) continue;
			context.addIssue({
				code: 'custom',
				path: [name],
				message: `is not for the type ${type}; leave it empty`,
			});
		}
	});
}

/** The service demands the type in it. */
export function metaFor(type: string, settings: IDataObject): { fieldMeta?: IDataObject } {
	if (Object.keys(settings).length === 0) return {};
	return { fieldMeta: { ...settings, type: type.toLowerCase() } };
}
