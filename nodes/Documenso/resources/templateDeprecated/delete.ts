import { post } from '../../api/client';
import { perItem } from '../../engine/operation';
import { ofTemplate } from './inputs';

export const remove = perItem({
	name: 'Delete',
	value: 'delete',
	action: 'Delete a template by its number',
	description: 'Permanently delete a template by its number',
	endpoint: 'POST /template/delete',
	returns: '`id`, `deleted`',
	effect: 'changes',
	inputs: ofTemplate,
	request: ({ templateNumber }) => post('/template/delete', { templateId: templateNumber }),
	items: (_, { templateNumber }) => [{ id: templateNumber, deleted: true }],
});
