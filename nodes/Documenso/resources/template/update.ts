import { perItem } from '../../engine/operation';
import { updateOf } from '../../envelope/change';
import { templateId } from '../../inputs/locators';
import { updateTemplateFields } from '../../inputs/settings';

export const update = perItem({
	name: 'Update',
	value: 'update',
	action: 'Update a template',
	description: 'Update the title or settings of a template',
	returns: 'the template',
	inputs: { templateId, updateFields: updateTemplateFields },
	...updateOf('templateId'),
});
