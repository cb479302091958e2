import { envelopeOfPart, recipientId } from '../../fields/locators';
import { perItem } from '../../operation';
import { numericId } from '../../engine/values';
import { json } from '../../api/body';

export const remove = perItem({
	name: 'Delete',
	value: 'delete',
	action: 'Delete a recipient',
	description: 'Take out a recipient who has not acted yet, with their fields',
	endpoint: 'POST /envelope/recipient/delete',
	returns: '`id`, `deleted`',
	properties: [envelopeOfPart, recipientId],
	request: (params) => ({
		method: 'POST',
		path: '/envelope/recipient/delete',
		body: json({ recipientId: params.value('recipientId', numericId) }),
	}),
	output: (_, params) => ({ id: params.value('recipientId', numericId), deleted: true }),
});
