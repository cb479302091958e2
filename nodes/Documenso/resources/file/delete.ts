import { fileOf } from '../../envelope/files';
import { envelopeId as idOf } from '../../envelope/read';
import { withCause } from '../../errors';
import { envelopeId, fileId } from '../../fields/locators';
import { custom } from '../../operation';
import { json } from '../../transport/body';

export const remove = custom({
	name: 'Delete',
	value: 'delete',
	action: 'Delete a file',
	description: 'Take a file out of a draft or template, with the fields on it',
	endpoint: 'POST /envelope/item/delete',
	returns: '`id`, `deleted`',
	properties: [envelopeId, fileId],
	run: async (params, client) => {
		const envelopeItemId = params.required('envelopeItemId');
		const body = json({ envelopeId: idOf(params, 'envelopeId'), envelopeItemId });
		await withCause(
			async () => await client.send({ method: 'POST', path: '/envelope/item/delete', body }),
			async () => await fileOf(params, client),
		);
		return [{ json: { id: envelopeItemId, deleted: true } }];
	},
});
