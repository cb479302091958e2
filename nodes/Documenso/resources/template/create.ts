import type { INodeProperties } from 'n8n-workflow';

import { createDraft, draftOf } from '../../envelope/draft';
import { inputFiles } from '../../fields/files';
import { recipientsWithFields } from '../../fields/recipients';
import { createTemplateFields, requiredTitle } from '../../fields/settings';
import { prepared } from '../../operation';

/** Left alone when a document is made, Documenso would mail such an address; the node refuses that. */
const placeholderRecipients: INodeProperties = {
	displayName:
		"Recipients. For somebody who isn't known yet, enter <code>recipient.1@documenso.com</code>, for the next <code>recipient.2@documenso.com</code>, and so on. <i>Create Document</i> then asks for the real address.",
	name: 'placeholderRecipientsNotice',
	type: 'notice',
	default: '',
};

export const create = prepared({
	name: 'Create',
	value: 'create',
	action: 'Create a template',
	description: 'Make a template from one or several PDFs',
	endpoint: 'POST /envelope/create',
	addsEachTime: true,
	returns: '`id`',
	properties: [
		requiredTitle,
		inputFiles,
		placeholderRecipients,
		...recipientsWithFields,
		createTemplateFields,
	],
	prepare: async (params) => await draftOf(params, 'TEMPLATE'),
	perform: async (draft, _params, client) => [{ json: await createDraft(client, draft) }],
});
