import { custom } from '../../engine/operation';
import { templateNumber } from '../../envelope/directLink';
import { templateId } from '../../inputs/locators';

export const remove = custom({
	name: 'Delete',
	value: 'delete',
	action: 'Delete a direct link',
	description: 'Delete the public link of a template for good',
	endpoint: 'GET /envelope/{envelopeId}, POST /template/direct/delete',
	returns: '`templateId`, `deleted`',
	effect: 'changes',
	inputs: { templateId },
	run: async ({ templateId: id }, { client }) => {
		const number = await templateNumber(client, id);
		await client.post('/template/direct/delete', { templateId: number });
		return [{ json: { templateId: id, deleted: true } }];
	},
});
