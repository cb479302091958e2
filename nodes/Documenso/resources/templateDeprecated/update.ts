import { simplifyLegacy } from '../../envelope/simplify';
import { metaOf } from '../../envelope/settings';
import { updateTemplateFields } from '../../fields/settings';
import { perItem } from '../../operation';
import { settingsSchema } from '../../schemas/settings';
import { json } from '../../api/body';
import { ofTemplate, templateNumberOf } from './fields';

export const update = perItem({
	name: 'Update',
	value: 'update',
	action: 'Update a template by its number',
	description: 'Change the title or settings of a template, by its number',
	endpoint: 'POST /template/update',
	returns: 'the template',
	properties: [...ofTemplate, updateTemplateFields],
	simplify: simplifyLegacy,
	request: (params) => {
		const settings = params.changes('updateFields', settingsSchema);
		const { templateType, ...data } = settings.data;
		const changes = { ...data, ...(templateType ? { type: templateType } : {}) };
		const meta = metaOf(settings);
		if (Object.keys({ ...changes, ...meta }).length === 0) {
			throw params.refuse('updateFields', 'is empty: there is nothing to change');
		}
		const body = json({ templateId: templateNumberOf(params), data: changes, meta });
		return { method: 'POST', path: '/template/update', body };
	},
});
