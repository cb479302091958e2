import { creating } from '../../envelope/creating';
import { documentOf, draftInputs } from '../../envelope/draft';
import { createFields } from '../../inputs/settings';

export const create = creating({
	name: 'Create',
	value: 'create',
	action: 'Create a document',
	description: 'Create a draft from one or several PDFs or Word files; it is not sent yet',
	endpoint: 'POST /envelope/create, GET /envelope/{envelopeId}',
	returns: '`id`, `title`, `status`, `url`, `externalId`',
	inputs: { ...draftInputs, additionalFields: createFields },
	document: async (given, item) => await documentOf(given, item, 'no'),
});
