import { custom } from '../../engine/operation';
import { changeLink } from '../../envelope/directLink';
import { optionalRecipientId, templateId } from '../../inputs/locators';

export const create = custom({
	name: 'Create',
	value: 'create',
	action: 'Create a direct link',
	description:
		'Create a public link: whoever opens it gets a document of their own from the template',
	endpoint: 'GET /envelope/{envelopeId}, POST /template/direct/create',
	returns: 'the link with its `url`',
	effect: 'changes',
	inputs: {
		templateId,
		recipientId: optionalRecipientId(
			'Whose place the visitor takes. Leave empty for a new recipient.',
		),
	},
	run: async ({ templateId: id, recipientId: directRecipientId }, { client }) =>
		await changeLink(client, id, 'create', directRecipientId ? { directRecipientId } : {}),
});
