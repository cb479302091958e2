import { perItem } from '../../engine/operation';
import { switching } from '../../envelope/directLink';
import { templateId } from '../../inputs/locators';

export const disable = perItem({
	name: 'Disable',
	value: 'disable',
	action: 'Disable a direct link',
	description: 'Disable the public link of a template until it is enabled again',
	inputs: { templateId },
	...switching(false),
});
