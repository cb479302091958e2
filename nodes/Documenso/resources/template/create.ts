import { createDraft, draftOf } from '../../envelope/draft';
import { inputFiles } from '../../fields/files';
import { recipientsWithFields } from '../../fields/recipients';
import { createFields, requiredTitle } from '../../fields/settings';
import { custom } from '../../operation';

export const create = custom({
	name: 'Create',
	value: 'create',
	action: 'Create a template',
	description: 'Make a template from one or several PDFs',
	endpoint: 'POST /envelope/create',
	returns: '`id`',
	properties: [requiredTitle, inputFiles, ...recipientsWithFields, createFields],
	run: async (params, client) => [
		{ json: await createDraft(client, await draftOf(params, 'TEMPLATE')) },
	],
});
