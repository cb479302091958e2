import { creating } from '../../creation/creating';
import { send } from '../../inputs/fillTemplate';
import { documentFrom, ofTemplate, withFields } from '../../template/use';

export const createDocument = creating({
	name: 'Create Document',
	value: 'createDocument',
	action: 'Create a document from a template',
	description: 'Fill in a template for your recipients, and optionally send the document',
	returns: '`id`, `title`, `status`, `url`, `externalId`, `recipients` with signing links',
	inputs: { ...ofTemplate, send, ...withFields },
	document: async (given, item) => await documentFrom(given, item),
});
