import { post } from '../../api/client';
import { perItem } from '../../engine/operation';
import { templateNumber } from '../../envelope/directLink';
import { templateId } from '../../inputs/locators';

export const remove = perItem({
	name: 'Delete',
	value: 'delete',
	action: 'Delete a direct link',
	description: 'Permanently delete the public link of a template',
	endpoint: 'GET /envelope/{envelopeId}, POST /template/direct/delete',
	returns: '`templateId`, `deleted`',
	effect: 'changes',
	inputs: { templateId },
	request: async ({ templateId: id }, { client }) =>
		post('/template/direct/delete', { templateId: await templateNumber(client, id) }),
	items: (_, { templateId: id }) => [{ templateId: id, deleted: true }],
});
