import { perItem } from '../../engine/operation';
import { copyInputs, duplicationOf } from '../../envelope/change';
import { documentId } from '../../inputs/locators';

export const duplicate = perItem({
	name: 'Duplicate',
	value: 'duplicate',
	action: 'Duplicate a document',
	description: 'Copy a document in any state to a new draft',
	inputs: { documentId, ...copyInputs },
	...duplicationOf('documentId'),
});
