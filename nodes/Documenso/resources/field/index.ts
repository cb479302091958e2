import { path } from '../../../shared/api/path';
import { recordsSchema } from '../../../shared/api/records';
import { getFrom } from '../../../shared/api/request';
import { custom, perItem } from '../../engine/kinds';
import { changesTo } from '../../engine/oneAtATime';
import { Refusal } from '../../../shared/n8n/refusal';
import type { Resource } from '../../engine/resource';
import { storedField } from '../../envelope/field';
import { withField, withoutField } from '../../envelope/afterChange';
import { changeDocument, judgeFields } from '../../envelope/sentDocument';
import { freeSignatureFailure, isFreeSignature } from '../../envelope/freeSignature';
import { simplifyField } from '../../../shared/envelope/simplify';
import { fieldSettings } from '../../inputs/fieldSettings';
import { checkedMeta, givenMeta } from '../../inputs/fieldMeta';
import { checkOwner } from '../../../shared/envelope/named';
import { envelopeOfPart, fieldId } from '../../../shared/inputs/locators';
import { newFieldType } from '../../inputs/placement';
import { add } from './add';
import { move } from './move';

const remove = custom({
	name: 'Delete',
	value: 'delete',
	action: 'Delete a field',
	description: 'Delete a field from its page',
	returns: '`id`, `deleted`',
	effect: 'changes',
	inputs: { envelopeId: envelopeOfPart, fieldId },
	run: async ({ envelopeId: named, fieldId: id }, item) => {
		const { client } = item;
		const { envelopeId } = await storedField(client, named, id);
		return await changeDocument(item, envelopeId, withoutField(id), judgeFields, async () => {
			await client.post('/envelope/field/delete', { fieldId: id });
			return [{ json: { id, deleted: true } }];
		});
	},
});

const get = perItem({
	name: 'Get',
	value: 'get',
	action: 'Get a field',
	description: 'Get a field with what was filled in',
	returns: 'the field',
	effect: 'reads',
	inputs: { envelopeId: envelopeOfPart, fieldId },
	simplify: simplifyField,
	request: ({ fieldId: id }) => getFrom(path`/envelope/field/${id}`),
	items: (field, { envelopeId: named }) => {
		checkOwner(named, field.envelopeId, 'field');
		return [field];
	},
});

const update = custom({
	name: 'Update',
	value: 'update',
	action: 'Update a field',
	description: 'Update the type or settings of a field; settings that you leave out stay',
	returns: 'the field',
	effect: 'changes',
	inputs: {
		envelopeId: envelopeOfPart,
		fieldId,
		type: newFieldType,
		...fieldSettings,
	},
	simplify: simplifyField,
	line: ({ fieldId: id }) => changesTo(`field ${id}`),
	run: async (
		{ envelopeId: named, fieldId: chosen, type: newType, settings, settingsJson },
		item,
	) => {
		const { client } = item;
		if (newType === '' && Object.keys(settingsJson ?? settings ?? {}).length === 0) {
			throw new Refusal("'Settings' is empty", 'Add a setting, or choose another type.');
		}
		const { id, envelopeId, fieldMeta, ...stored } = await storedField(client, named, chosen);
		// The service takes no update without a type (documenso-api.md: Updating a field).
		const type = newType || stored.type;
		const given = givenMeta(type, { settings, settingsJson }, item);
		// The service refuses settings of another type.
		const kept = stored.type === type ? fieldMeta : {};
		const field = { id, type, ...checkedMeta(type, { ...kept, ...given }) };
		const change = withField({ ...stored, ...field });
		const { data } = await changeDocument(item, envelopeId, change, judgeFields, async () => {
			const body = { envelopeId, data: [field] };
			return await client
				.post('/envelope/field/update-many', body, recordsSchema)
				.catch((error: unknown) => {
					throw freeSignatureFailure(error, isFreeSignature(field) ? [`field ${id}`] : []);
				});
		});
		return data.map((updated) => ({ json: updated }));
	},
});

export const field: Resource = {
	name: 'Field',
	value: 'field',
	description: 'A place in a PDF where a recipient signs or enters something',
	operations: [add, get, update, move, remove],
	default: 'add',
	defaultOfTool: 'get',
};
