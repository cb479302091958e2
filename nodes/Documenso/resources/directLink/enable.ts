import { perItem } from '../../engine/operation';
import { switching } from '../../envelope/directLink';
import { templateId } from '../../inputs/locators';

export const enable = perItem({
	name: 'Enable',
	value: 'enable',
	action: 'Enable a direct link',
	description: 'Enable the public link of a template again',
	inputs: { templateId },
	...switching(true),
});
