import { notice } from '../../engine/input';
import { planned } from '../../engine/operation';
import { createDraft, draftInputs, draftOf } from '../../envelope/draft';
import { createTemplateFields } from '../../inputs/settings';

const { title, binaryPropertyName, ...recipients } = draftInputs;

export const create = planned({
	name: 'Create',
	value: 'create',
	action: 'Create a template',
	description: 'Create a template from one or several PDFs or Word files',
	endpoint: 'POST /envelope/create',
	returns: '`id`',
	effect: 'adds',
	inputs: {
		title,
		binaryPropertyName,
		// Documenso would email such an address, so the node refuses to create a document with one.
		placeholderRecipientsNotice: notice(
			"If you don't know a recipient yet, enter <code>recipient.1@documenso.com</code> as the email, for the next one <code>recipient.2@documenso.com</code>, and so on. <i>Create Document</i> then asks for the real address.",
		),
		...recipients,
		additionalFields: createTemplateFields,
	},
	plan: async (given, item) => await draftOf(given, item, 'TEMPLATE'),
	perform: async (draft, { client }) => [{ json: await createDraft(client, draft) }],
});
