import { post } from '../../api/client';
import { perItem } from '../../engine/operation';
import { changedSettings } from '../../envelope/change';
import { templateByNumber } from '../../envelope/read';
import { metaOf } from '../../envelope/settings';
import { simplifyLegacy } from '../../envelope/simplify';
import { updateTemplateByNumberFields } from '../../inputs/settings';
import { ofTemplate } from './inputs';

export const update = perItem({
	name: 'Update',
	value: 'update',
	action: 'Update a template by its number',
	description: 'Update the title or settings of a template, by its number',
	endpoint: 'POST /envelope/get-many, POST /template/update',
	returns: 'the template',
	effect: 'changes',
	inputs: { ...ofTemplate, updateFields: updateTemplateByNumberFields },
	simplify: simplifyLegacy,
	request: async ({ templateNumber: templateId, updateFields }, { client }) => {
		const settings = changedSettings(updateFields);
		const { templateType, ...rest } = settings.data;
		const data = { ...rest, ...(templateType ? { type: templateType } : {}) };
		const meta = metaOf(settings, await templateByNumber(client, templateId));
		return post('/template/update', { templateId, data, meta });
	},
});
