import { post } from '../../api/client';
import { perItem } from '../../engine/operation';
import { changedSettings } from '../../envelope/change';
import { metaOf } from '../../envelope/settings';
import { simplifyLegacy } from '../../envelope/simplify';
import { updateTemplateByNumberFields } from '../../inputs/settings';
import { ofTemplate } from './inputs';

export const update = perItem({
	name: 'Update',
	value: 'update',
	action: 'Update a template by its number',
	description: 'Update the title or settings of a template, by its number',
	endpoint: 'POST /template/update',
	returns: 'the template',
	effect: 'changes',
	inputs: { ...ofTemplate, updateFields: updateTemplateByNumberFields },
	simplify: simplifyLegacy,
	request: ({ templateNumber: templateId, updateFields }) => {
		const settings = changedSettings(updateFields);
		const { templateType, ...rest } = settings.data;
		const data = { ...rest, ...(templateType ? { type: templateType } : {}) };
		return post('/template/update', { templateId, data, meta: metaOf(settings) });
	},
});
