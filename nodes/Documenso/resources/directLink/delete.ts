import { legacyTemplateId } from '../../envelope/legacy';
import { templateId } from '../../fields/locators';
import { custom } from '../../operation';
import { json } from '../../api/body';

export const remove = custom({
	name: 'Delete',
	value: 'delete',
	action: 'Delete a direct link',
	description: 'Take the public link of a template away for good',
	endpoint: 'GET /envelope/{envelopeId}, POST /template/direct/delete',
	returns: '`templateId`, `deleted`',
	properties: [templateId],
	run: async (params, client) => {
		const body = json({ templateId: await legacyTemplateId(params, client) });
		await client.send({ method: 'POST', path: '/template/direct/delete', body });
		return [{ json: { templateId: params.string('templateId'), deleted: true } }];
	},
});
