import { perItem } from '../../engine/operation';
import { copyInputs, duplicationOf } from '../../envelope/change';
import { templateId } from '../../inputs/locators';

export const duplicate = perItem({
	name: 'Duplicate',
	value: 'duplicate',
	action: 'Duplicate a template',
	description: 'Create a copy of a template',
	inputs: { templateId, ...copyInputs },
	...duplicationOf('templateId'),
});
