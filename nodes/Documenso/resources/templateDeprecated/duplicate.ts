import { post } from '../../api/client';
import { perItem } from '../../engine/operation';
import { simplifyLegacy } from '../../envelope/simplify';
import { ofTemplate } from './inputs';

export const duplicate = perItem({
	name: 'Duplicate',
	value: 'duplicate',
	action: 'Duplicate a template by its number',
	description: 'Create a copy of a template, by its number',
	endpoint: 'POST /template/duplicate',
	returns: 'the copy',
	effect: 'adds',
	inputs: ofTemplate,
	simplify: simplifyLegacy,
	request: ({ templateNumber }) => post('/template/duplicate', { templateId: templateNumber }),
});
