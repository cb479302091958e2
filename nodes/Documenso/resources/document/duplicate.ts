import { duplicationOf } from '../../envelope/change';
import { documentId } from '../../fields/locators';
import { custom } from '../../operation';

export const duplicate = custom({
	name: 'Duplicate',
	value: 'duplicate',
	action: 'Duplicate a document',
	description: 'Make a draft that is a copy of a document in any state',
	...duplicationOf('documentId', documentId),
});
