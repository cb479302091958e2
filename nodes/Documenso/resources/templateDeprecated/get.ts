import { getFrom } from '../../api/client';
import { path } from '../../api/path';
import { perItem } from '../../engine/operation';
import { simplifyLegacy } from '../../envelope/simplify';
import { ofTemplate } from './inputs';

export const get = perItem({
	name: 'Get',
	value: 'get',
	action: 'Get a template by its number',
	description: 'Get a template with its recipients and fields, by its number',
	endpoint: 'GET /template/{templateId}',
	returns: 'the template',
	effect: 'reads',
	inputs: ofTemplate,
	simplify: simplifyLegacy,
	request: ({ templateNumber }) => getFrom(path`/template/${templateNumber}`),
});
