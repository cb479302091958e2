import { simplifyLegacy } from '../../envelope/simplify';
import { perItem } from '../../operation';
import { path } from '../../api/path';
import { ofTemplate, templateNumberOf } from './fields';

export const get = perItem({
	name: 'Get',
	value: 'get',
	action: 'Get a template by its number',
	description: 'Read a template by its number',
	endpoint: 'GET /template/{templateId}',
	returns: 'the template',
	properties: ofTemplate,
	simplify: simplifyLegacy,
	request: (params) => ({ method: 'GET', path: path`/template/${templateNumberOf(params)}` }),
});
