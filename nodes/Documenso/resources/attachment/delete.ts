import { attachmentId, envelopeOfPart } from '../../fields/locators';
import { perItem } from '../../operation';
import { json } from '../../api/body';

export const remove = perItem({
	name: 'Delete',
	value: 'delete',
	action: 'Delete an attachment',
	description: 'Take a link away from a document or template',
	endpoint: 'POST /envelope/attachment/delete',
	returns: '`id`, `deleted`',
	properties: [envelopeOfPart, attachmentId],
	request: (params) => ({
		method: 'POST',
		path: '/envelope/attachment/delete',
		body: json({ id: params.required('attachmentId') }),
	}),
	output: (_, params) => ({ id: params.string('attachmentId'), deleted: true }),
});
