import { readById } from '../../envelope/read';
import { documentId } from '../../fields/locators';
import { batched } from '../../operation';

export const get = batched({
	name: 'Get',
	value: 'get',
	action: 'Get a document',
	description: 'Read a document with its recipients, fields and files',
	returns: 'the document',
	properties: [documentId],
	...readById('documentId'),
});
