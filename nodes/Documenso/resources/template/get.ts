import { readById } from '../../envelope/read';
import { templateId } from '../../fields/locators';
import { batched } from '../../operation';

export const get = batched({
	name: 'Get',
	value: 'get',
	action: 'Get a template',
	description: 'Read a template with its recipients, fields and files',
	returns: 'the template',
	properties: [templateId],
	...readById('templateId'),
});
