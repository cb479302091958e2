import { duplicationOf } from '../../envelope/change';
import { templateId } from '../../fields/locators';
import { custom } from '../../operation';

export const duplicate = custom({
	name: 'Duplicate',
	value: 'duplicate',
	action: 'Duplicate a template',
	description: 'Make a copy of a template',
	...duplicationOf('templateId', templateId),
});
