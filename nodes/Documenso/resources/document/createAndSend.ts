import { creating } from '../../creation/creating';
import { draftInputs } from '../../envelope/draft';
import { createAndSendFields } from '../../inputs/settings';
import { documentOf } from './documentOf';

export const createAndSend = creating({
	name: 'Create and Send',
	value: 'createAndSend',
	action: 'Create and send a document',
	description: 'Create a document from one or several PDFs or Word files and send it for signing',
	returns: '`id`, `title`, `status`, `url`, `externalId`, `recipients` with signing links',
	inputs: { ...draftInputs, additionalFields: createAndSendFields },
	document: async (given, item) => await documentOf(given, item, 'afterwards'),
});
