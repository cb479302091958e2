import { post } from '../../api/client';
import { perItem } from '../../engine/operation';
import { metaOf } from '../../envelope/settings';
import { simplifyLegacy } from '../../envelope/simplify';
import { sortSettings, updateTemplateFields } from '../../inputs/settings';
import { ofTemplate } from './inputs';

export const update = perItem({
	name: 'Update',
	value: 'update',
	action: 'Update a template by its number',
	description: 'Update the title or settings of a template, by its number',
	endpoint: 'POST /template/update',
	returns: 'the template',
	effect: 'changes',
	inputs: { ...ofTemplate, updateFields: updateTemplateFields },
	simplify: simplifyLegacy,
	request: ({ templateNumber: templateId, updateFields }, item) => {
		const settings = sortSettings(updateFields);
		const { templateType, ...rest } = settings.data;
		const data = { ...rest, ...(templateType ? { type: templateType } : {}) };
		const meta = metaOf(settings);
		if (Object.keys({ ...data, ...meta }).length === 0) {
			throw item.refuse('updateFields', 'is empty: there is nothing to change');
		}
		return post('/template/update', { templateId, data, meta });
	},
});
