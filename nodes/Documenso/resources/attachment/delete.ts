import { post } from '../../api/client';
import { perItem } from '../../engine/operation';
import { attachmentId, envelopeOfPart } from '../../inputs/locators';

export const remove = perItem({
	name: 'Delete',
	value: 'delete',
	action: 'Delete an attachment',
	description: 'Remove a link from a document or template',
	endpoint: 'POST /envelope/attachment/delete',
	returns: '`id`, `deleted`',
	effect: 'changes',
	inputs: { envelopeId: envelopeOfPart, attachmentId },
	request: ({ attachmentId: id }) => post('/envelope/attachment/delete', { id }),
	items: (_, { attachmentId: id }) => [{ id, deleted: true }],
});
