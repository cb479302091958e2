import { post } from '../../api/client';
import { perItem } from '../../engine/operation';
import { envelopeOfPart, recipientId } from '../../inputs/locators';

export const remove = perItem({
	name: 'Delete',
	value: 'delete',
	action: 'Delete a recipient',
	description: 'Delete a recipient who has not acted yet, with their fields',
	endpoint: 'POST /envelope/recipient/delete',
	returns: '`id`, `deleted`',
	effect: 'changes',
	inputs: { envelopeId: envelopeOfPart, recipientId },
	request: ({ recipientId: id }) => post('/envelope/recipient/delete', { recipientId: id }),
	items: (_, { recipientId: id }) => [{ id, deleted: true }],
});
