import { custom } from '../../engine/operation';
import { fileOf } from '../../envelope/files';
import { withCause } from '../../envelope/named';
import { envelopeId, fileId } from '../../inputs/locators';

export const remove = custom({
	name: 'Delete',
	value: 'delete',
	action: 'Delete a file',
	description: 'Delete a file of a draft or template, with the fields on it',
	endpoint: 'POST /envelope/item/delete',
	returns: '`id`, `deleted`',
	effect: 'changes',
	inputs: { envelopeId, envelopeItemId: fileId },
	run: async ({ envelopeId: id, envelopeItemId }, { client }) => {
		await withCause(
			async () => await client.post('/envelope/item/delete', { envelopeId: id, envelopeItemId }),
			async () => await fileOf(client, id, envelopeItemId),
		);
		return [{ json: { id: envelopeItemId, deleted: true } }];
	},
});
