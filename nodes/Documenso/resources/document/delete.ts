import { custom } from '../../engine/operation';
import { deletionOf } from '../../envelope/change';
import { documentId } from '../../inputs/locators';

export const remove = custom({
	name: 'Delete',
	value: 'delete',
	action: 'Delete a document',
	description: 'Permanently delete a draft or a sent document, or hide a finished one',
	inputs: { documentId },
	...deletionOf('documentId'),
});
