import { switching } from '../../envelope/directLink';
import { templateId } from '../../fields/locators';
import { custom } from '../../operation';

export const disable = custom({
	name: 'Disable',
	value: 'disable',
	action: 'Disable a direct link',
	description: 'Stop the public link of a template for the time being',
	properties: [templateId],
	...switching(false),
});
