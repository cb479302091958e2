import { updateOf } from '../../envelope/change';
import { templateId } from '../../fields/locators';
import { updateTemplateFields } from '../../fields/settings';
import { custom } from '../../operation';

export const update = custom({
	name: 'Update',
	value: 'update',
	action: 'Update a template',
	description: 'Change the title or settings of a template',
	returns: 'the template',
	properties: [templateId, updateTemplateFields],
	...updateOf('templateId'),
});
