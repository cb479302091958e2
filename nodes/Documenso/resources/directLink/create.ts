import { post } from '../../api/client';
import { perItem } from '../../engine/operation';
import { templateNumber, withUrl } from '../../envelope/directLink';
import { optional, recipientId, templateId } from '../../inputs/locators';

export const create = perItem({
	name: 'Create',
	value: 'create',
	action: 'Create a direct link',
	description:
		'Create a public link; everyone who opens it gets their own document from the template',
	endpoint: 'GET /envelope/{envelopeId}, POST /template/direct/create',
	returns: 'the link with its `url`',
	effect: 'changes',
	inputs: {
		templateId,
		recipientId: optional(recipientId, {
			description: 'The recipient that visitors sign as. Leave empty for a new recipient.',
		}),
	},
	request: async ({ templateId: id, recipientId: directRecipientId }, { client }) => {
		const templateId = await templateNumber(client, id);
		const recipient = directRecipientId ? { directRecipientId } : {};
		return post('/template/direct/create', { templateId, ...recipient });
	},
	items: withUrl,
});
