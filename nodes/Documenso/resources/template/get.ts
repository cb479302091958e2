import { batched } from '../../engine/operation';
import { readById } from '../../envelope/read';
import { templateId } from '../../inputs/locators';

export const get = batched({
	name: 'Get',
	value: 'get',
	action: 'Get a template',
	description: 'Get a template with its recipients, fields and files',
	returns: 'the template',
	inputs: { templateId },
	...readById('templateId'),
});
