import { storedField } from '../../envelope/field';
import { givenMeta, metaFor } from '../../envelope/fieldMeta';
import { freeSignatureError, isFreeSignature } from '../../envelope/freeSignature';
import { dataOf } from '../../envelope/read';
import { simplifyField } from '../../envelope/simplify';
import { fieldSettings } from '../../fields/fieldSettings';
import { envelopeOfPart, fieldId } from '../../fields/locators';
import { fieldType } from '../../fields/placement';
import { custom } from '../../operation';
import { numericId } from '../../schemas/values';
import { json } from '../../transport/body';

export const update = custom({
	name: 'Update',
	value: 'update',
	action: 'Update a field',
	description: 'Change the type or settings of a field; the settings that you leave out stay',
	endpoint: 'GET /envelope/field/{fieldId}, POST /envelope/field/update-many',
	returns: 'the field',
	properties: [
		envelopeOfPart,
		fieldId,
		{ ...fieldType, description: 'The type that it has, or another that it is to get' },
		...fieldSettings,
	],
	simplify: simplifyField,
	run: async (params, client) => {
		const type = params.required('type').toUpperCase();
		const settings = givenMeta(params, type);
		const stored = await storedField(client, params.value('fieldId', numericId));
		// Settings of another type would be refused.
		const kept = stored.type === type ? stored.fieldMeta : {};
		const field = { id: stored.id, type, ...metaFor(type, { ...kept, ...settings }) };
		const body = json({ envelopeId: stored.envelopeId, data: [field] });
		const answer = await client
			.send({ method: 'POST', path: '/envelope/field/update-many', body })
			.catch((error: unknown) => {
				throw freeSignatureError(error, isFreeSignature(field) ? [`field ${field.id}`] : []);
			});
		return dataOf(answer).map((updated) => ({ json: updated }));
	},
});
