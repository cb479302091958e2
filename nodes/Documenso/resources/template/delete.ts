import { custom } from '../../engine/operation';
import { deletionOf } from '../../envelope/change';
import { templateId } from '../../inputs/locators';

export const remove = custom({
	name: 'Delete',
	value: 'delete',
	action: 'Delete a template',
	description: 'Delete a template for good; documents made from it stay',
	inputs: { templateId },
	...deletionOf('templateId'),
});
