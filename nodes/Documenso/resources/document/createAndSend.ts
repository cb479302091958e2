import { documentPlan, draftOf } from '../../envelope/draft';
import { carryOut } from '../../envelope/plan';
import { checkSendable } from '../../envelope/recipients';
import { inputFiles } from '../../fields/files';
import { recipientsWithFields } from '../../fields/recipients';
import { createAndSendFields, requiredTitle } from '../../fields/settings';
import { prepared } from '../../operation';

export const createAndSend = prepared({
	name: 'Create and Send',
	value: 'createAndSend',
	action: 'Create and send a document',
	description: 'Make a document from one or several PDFs and send it for signing',
	endpoint: 'POST /envelope/create, POST /envelope/distribute',
	returns: '`id`, `externalId`, `recipients` with signing links',
	properties: [requiredTitle, inputFiles, ...recipientsWithFields, createAndSendFields],
	prepare: async (params, client) => {
		const draft = await draftOf(params, 'DOCUMENT');
		checkSendable(params, draft.recipients);
		return await documentPlan(params, client, draft, 'afterwards');
	},
	perform: carryOut,
});
