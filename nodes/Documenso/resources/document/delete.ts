import { deletionOf } from '../../envelope/change';
import { documentId } from '../../fields/locators';
import { custom } from '../../operation';

export const remove = custom({
	name: 'Delete',
	value: 'delete',
	action: 'Delete a document',
	description: 'Delete a draft or a sent document for good, or hide a finished one',
	properties: [documentId],
	...deletionOf('documentId'),
});
