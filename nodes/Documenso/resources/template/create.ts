import { createDraft, draftOf } from '../../envelope/draft';
import { inputFiles } from '../../fields/files';
import { recipientsWithFields } from '../../fields/recipients';
import { createTemplateFields, requiredTitle } from '../../fields/settings';
import { prepared } from '../../operation';

export const create = prepared({
	name: 'Create',
	value: 'create',
	action: 'Create a template',
	description: 'Make a template from one or several PDFs',
	endpoint: 'POST /envelope/create',
	addsEachTime: true,
	returns: '`id`',
	properties: [requiredTitle, inputFiles, ...recipientsWithFields, createTemplateFields],
	prepare: async (params) => await draftOf(params, 'TEMPLATE'),
	perform: async (draft, _params, client) => [{ json: await createDraft(client, draft) }],
});
