import { perItem } from '../../engine/operation';
import { updateOf } from '../../envelope/change';
import { documentId } from '../../inputs/locators';
import { updateDocumentFields } from '../../inputs/settings';

export const update = perItem({
	name: 'Update',
	value: 'update',
	action: 'Update a document',
	description: 'Update the title or settings of a document',
	returns: 'the document',
	inputs: { documentId, updateFields: updateDocumentFields },
	...updateOf('documentId'),
});
