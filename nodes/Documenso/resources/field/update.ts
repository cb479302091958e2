import { dataOf } from '../../api/records';
import { custom } from '../../engine/operation';
import { storedField } from '../../envelope/field';
import { freeSignatureFailure, isFreeSignature } from '../../envelope/freeSignature';
import { simplifyField } from '../../envelope/simplify';
import { fieldSettings, givenMeta, metaFor } from '../../inputs/fieldSettings';
import { envelopeOfPart, fieldId } from '../../inputs/locators';
import { fieldType } from '../../inputs/placement';

export const update = custom({
	name: 'Update',
	value: 'update',
	action: 'Update a field',
	description: 'Update the type or settings of a field; settings that you leave out stay',
	endpoint: 'GET /envelope/field/{fieldId}, POST /envelope/field/update-many',
	returns: 'the field',
	effect: 'changes',
	inputs: {
		envelopeId: envelopeOfPart,
		fieldId,
		type: {
			...fieldType,
			property: {
				...fieldType.property,
				description: 'The current type of the field, or its new type',
			},
		},
		...fieldSettings,
	},
	simplify: simplifyField,
	run: async ({ fieldId: chosen, type, settings, settingsJson }, { client }) => {
		const given = givenMeta(type, { settings, settingsJson });
		const { id, envelopeId, fieldMeta, ...stored } = await storedField(client, chosen);
		// The service refuses settings of another type.
		const kept = stored.type === type ? fieldMeta : {};
		const field = { id, type, ...metaFor(type, { ...kept, ...given }) };
		const answer = await client
			.post('/envelope/field/update-many', { envelopeId, data: [field] })
			.catch((error: unknown) => {
				throw freeSignatureFailure(error, isFreeSignature(field) ? [`field ${id}`] : []);
			});
		return dataOf(answer).map((updated) => ({ json: updated }));
	},
});
