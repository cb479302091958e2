import { dataOf } from '../../api/records';
import { atLeastOne, collection, input } from '../../engine/input';
import { custom } from '../../engine/operation';
import { wholeNumber } from '../../engine/values';
import { fileOf } from '../../envelope/files';
import { withCause } from '../../envelope/named';
import { envelopeId, fileId } from '../../inputs/locators';
import { title } from '../../inputs/settings';

export const update = custom({
	name: 'Update',
	value: 'update',
	action: 'Update a file',
	description: 'Rename a file of a document or template, or move it among the files',
	endpoint: 'POST /envelope/item/update-many',
	returns: 'the file',
	effect: 'changes',
	inputs: {
		envelopeId,
		envelopeItemId: fileId,
		updateFields: atLeastOne(
			collection('Update Fields', {
				order: input(
					{
						displayName: 'Order',
						type: 'number',
						typeOptions: { minValue: 1 },
						default: 1,
						description: 'Its place among the files',
					},
					wholeNumber(1),
				),
				title,
			}),
		),
	},
	run: async ({ envelopeId: id, envelopeItemId, updateFields }, { client }) => {
		const body = { envelopeId: id, data: [{ envelopeItemId, ...updateFields }] };
		const answer = await withCause(
			async () => await client.post('/envelope/item/update-many', body),
			async () => await fileOf(client, id, envelopeItemId),
		);
		return dataOf(answer).map((updated) => ({ json: updated }));
	},
});
