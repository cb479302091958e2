import { envelopeId as idOf } from '../../envelope/read';
import { envelopeId, fileId } from '../../fields/locators';
import { perItem } from '../../operation';
import { json } from '../../api/body';

export const remove = perItem({
	name: 'Delete',
	value: 'delete',
	action: 'Delete a file',
	description: 'Take a file out of a draft or template, with the fields on it',
	endpoint: 'POST /envelope/item/delete',
	returns: '`id`, `deleted`',
	properties: [envelopeId, fileId],
	request: (params) => ({
		method: 'POST',
		path: '/envelope/item/delete',
		body: json({
			envelopeId: idOf(params, 'envelopeId'),
			envelopeItemId: params.required('envelopeItemId'),
		}),
	}),
	output: (_, params) => ({ id: params.string('envelopeItemId'), deleted: true }),
});
