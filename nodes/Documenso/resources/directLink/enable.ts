import { switching } from '../../envelope/directLink';
import { templateId } from '../../fields/locators';
import { custom } from '../../operation';

export const enable = custom({
	name: 'Enable',
	value: 'enable',
	action: 'Enable a direct link',
	description: 'Let the public link of a template work again',
	properties: [templateId],
	...switching(true),
});
