import { updateOf } from '../../envelope/change';
import { documentId } from '../../fields/locators';
import { updateFields } from '../../fields/settings';
import { custom } from '../../operation';

export const update = custom({
	name: 'Update',
	value: 'update',
	action: 'Update a document',
	description: 'Change the title or settings of a document',
	returns: 'the document',
	properties: [documentId, updateFields],
	...updateOf('documentId'),
});
