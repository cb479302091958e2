import { perItem } from '../../engine/operation';
import { copyInputs, duplicationOf } from '../../envelope/change';
import { documentId } from '../../inputs/locators';

export const duplicate = perItem({
	name: 'Duplicate',
	value: 'duplicate',
	action: 'Duplicate a document',
	description: 'Create a draft that is a copy of a document in any state',
	inputs: { documentId, ...copyInputs },
	...duplicationOf('documentId'),
});
