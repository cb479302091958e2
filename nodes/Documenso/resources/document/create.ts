import { documentPlan, draftOf } from '../../envelope/draft';
import { carryOut } from '../../envelope/plan';
import { inputFiles } from '../../fields/files';
import { recipientsWithFields } from '../../fields/recipients';
import { createFields, requiredTitle } from '../../fields/settings';
import { prepared } from '../../operation';

export const create = prepared({
	name: 'Create',
	value: 'create',
	action: 'Create a document',
	description: 'Make a draft from one or several PDFs; it is not sent yet',
	endpoint: 'POST /envelope/create',
	returns: '`id`, `externalId`',
	properties: [requiredTitle, inputFiles, ...recipientsWithFields, createFields],
	prepare: async (params, client) =>
		await documentPlan(params, client, await draftOf(params, 'DOCUMENT'), 'no'),
	perform: carryOut,
});
