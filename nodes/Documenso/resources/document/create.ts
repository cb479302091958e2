import { creating } from '../../creation/creating';
import { draftInputs } from '../../envelope/draft';
import { createFields } from '../../inputs/settings';
import { documentOf } from './documentOf';

export const create = creating({
	name: 'Create',
	value: 'create',
	action: 'Create a document',
	description: 'Create a draft from one or several PDFs or Word files; it is not sent yet',
	returns: '`id`, `title`, `status`, `url`, `externalId`',
	inputs: { ...draftInputs, additionalFields: createFields },
	document: async (given, item) => await documentOf(given, item, 'no'),
});
