import { simplifyLegacy } from '../../envelope/simplify';
import { perItem } from '../../operation';
import { json } from '../../api/body';
import { ofTemplate, templateNumberOf } from './fields';

export const duplicate = perItem({
	name: 'Duplicate',
	value: 'duplicate',
	action: 'Duplicate a template by its number',
	description: 'Make a copy of a template, by its number',
	endpoint: 'POST /template/duplicate',
	addsEachTime: true,
	returns: 'the copy',
	properties: ofTemplate,
	simplify: simplifyLegacy,
	request: (params) => ({
		method: 'POST',
		path: '/template/duplicate',
		body: json({ templateId: templateNumberOf(params) }),
	}),
});
