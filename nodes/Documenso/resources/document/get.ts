import { batched } from '../../engine/operation';
import { readById } from '../../envelope/read';
import { documentId } from '../../inputs/locators';

export const get = batched({
	name: 'Get',
	value: 'get',
	action: 'Get a document',
	description: 'Get a document with its recipients, fields and files',
	returns: 'the document',
	inputs: { documentId },
	...readById('documentId'),
});
