import { duplicationOf } from '../../envelope/change';
import { templateId } from '../../fields/locators';
import { perItem } from '../../operation';

export const duplicate = perItem({
	name: 'Duplicate',
	value: 'duplicate',
	action: 'Duplicate a template',
	description: 'Make a copy of a template',
	...duplicationOf('templateId', templateId),
});
