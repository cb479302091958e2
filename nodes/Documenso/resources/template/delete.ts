import { custom } from '../../engine/operation';
import { deletionOf } from '../../envelope/change';
import { templateId } from '../../inputs/locators';

export const remove = custom({
	name: 'Delete',
	value: 'delete',
	action: 'Delete a template',
	description: 'Permanently delete a template; documents created from it stay',
	inputs: { templateId },
	...deletionOf('templateId'),
});
