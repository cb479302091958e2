import { post } from '../../api/client';
import { perItem } from '../../engine/operation';
import { envelopeOfPart, fieldId } from '../../inputs/locators';

export const remove = perItem({
	name: 'Delete',
	value: 'delete',
	action: 'Delete a field',
	description: 'Delete a field from its page',
	endpoint: 'POST /envelope/field/delete',
	returns: '`id`, `deleted`',
	effect: 'changes',
	inputs: { envelopeId: envelopeOfPart, fieldId },
	request: ({ fieldId: id }) => post('/envelope/field/delete', { fieldId: id }),
	items: (_, { fieldId: id }) => [{ id, deleted: true }],
});
