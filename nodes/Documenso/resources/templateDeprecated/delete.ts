import { perItem } from '../../operation';
import { json } from '../../api/body';
import { ofTemplate, templateNumberOf } from './fields';

export const remove = perItem({
	name: 'Delete',
	value: 'delete',
	action: 'Delete a template by its number',
	description: 'Delete a template for good, by its number',
	endpoint: 'POST /template/delete',
	returns: '`id`, `deleted`',
	properties: ofTemplate,
	request: (params) => ({
		method: 'POST',
		path: '/template/delete',
		body: json({ templateId: templateNumberOf(params) }),
	}),
	output: (_, params) => ({ id: templateNumberOf(params), deleted: true }),
});
