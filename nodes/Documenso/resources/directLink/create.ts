import { changeLink } from '../../envelope/directLink';
import { recipientId, templateId } from '../../fields/locators';
import { custom } from '../../operation';
import { numericId } from '../../engine/values';

export const create = custom({
	name: 'Create',
	value: 'create',
	action: 'Create a direct link',
	description:
		'Make a public link: whoever opens it gets a document of their own from the template',
	endpoint: 'GET /envelope/{envelopeId}, POST /template/direct/create',
	returns: 'the link with its `url`',
	properties: [
		templateId,
		{
			...recipientId,
			required: false,
			description: 'Whose place the visitor takes. Leave empty for a new recipient.',
		},
	],
	run: async (params, client) => {
		const directRecipientId = params.string('recipientId')
			? params.value('recipientId', numericId)
			: undefined;
		return await changeLink(params, client, 'create', {
			...(directRecipientId ? { directRecipientId } : {}),
		});
	},
});
