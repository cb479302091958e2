import { creating } from '../../envelope/creating';
import { documentOf, draftInputs } from '../../envelope/draft';
import { createAndSendFields } from '../../inputs/settings';

export const createAndSend = creating({
	name: 'Create and Send',
	value: 'createAndSend',
	action: 'Create and send a document',
	description: 'Create a document from one or several PDFs or Word files and send it for signing',
	endpoint: 'POST /envelope/create, POST /envelope/distribute, GET /envelope/{envelopeId}',
	returns: '`id`, `title`, `status`, `url`, `externalId`, `recipients` with signing links',
	inputs: { ...draftInputs, additionalFields: createAndSendFields },
	document: async (given, item) => await documentOf(given, item, 'afterwards'),
});
