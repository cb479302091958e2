import { deletionOf } from '../../envelope/change';
import { templateId } from '../../fields/locators';
import { custom } from '../../operation';

export const remove = custom({
	name: 'Delete',
	value: 'delete',
	action: 'Delete a template',
	description: 'Delete a template for good; documents made from it stay',
	properties: [templateId],
	...deletionOf('templateId'),
});
