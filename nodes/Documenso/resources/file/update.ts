import { post } from '../../api/client';
import { dataOf } from '../../api/records';
import { atLeastOne, collection, positiveInteger } from '../../engine/input';
import { perItem } from '../../engine/operation';
import { envelopeId, fileId } from '../../inputs/locators';
import { title } from '../../inputs/settings';
import { fileOf } from './fileOf';

export const update = perItem({
	name: 'Update',
	value: 'update',
	action: 'Update a file',
	description: 'Rename a file of a document or template, or change its position',
	endpoint: 'POST /envelope/item/update-many',
	returns: 'the file',
	effect: 'changes',
	inputs: {
		envelopeId,
		envelopeItemId: fileId,
		updateFields: atLeastOne(
			collection('Update Fields', {
				order: positiveInteger('Order', {
					description: 'Position among the files, counted from 1',
				}),
				title,
			}),
		),
	},
	request: ({ envelopeId: id, envelopeItemId, updateFields }) =>
		post('/envelope/item/update-many', {
			envelopeId: id,
			data: [{ envelopeItemId, ...updateFields }],
		}),
	check: async ({ envelopeId: id, envelopeItemId }, { client }) =>
		await fileOf(client, id, envelopeItemId),
	items: dataOf,
});
