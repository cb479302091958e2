import { deletionOf } from '../../envelope/change';
import { templateId } from '../../fields/locators';
import { perItem } from '../../operation';

export const remove = perItem({
	name: 'Delete',
	value: 'delete',
	action: 'Delete a template',
	description: 'Delete a template for good; documents made from it stay',
	properties: [templateId],
	...deletionOf('templateId'),
});
