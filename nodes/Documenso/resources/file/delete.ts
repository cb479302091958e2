import { post } from '../../api/client';
import { perItem } from '../../engine/operation';
import { envelopeId, fileId } from '../../inputs/locators';
import { fileOf } from './fileOf';

export const remove = perItem({
	name: 'Delete',
	value: 'delete',
	action: 'Delete a file',
	description: 'Delete a file of a draft or template, with the fields on it',
	endpoint: 'POST /envelope/item/delete',
	returns: '`id`, `deleted`',
	effect: 'changes',
	inputs: { envelopeId, envelopeItemId: fileId },
	request: ({ envelopeId: id, envelopeItemId }) =>
		post('/envelope/item/delete', { envelopeId: id, envelopeItemId }),
	check: async ({ envelopeId: id, envelopeItemId }, { client }) =>
		await fileOf(client, id, envelopeItemId),
	items: (_, { envelopeItemId: id }) => [{ id, deleted: true }],
});
