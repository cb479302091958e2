import { collection, input } from '../../engine/input';
import { list } from '../../engine/operation';
import { anyText } from '../../engine/values';
import { simplifyLegacy } from '../../envelope/simplify';
import { deprecated } from './inputs';

export const getAll = list({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many templates by their numbers',
	description: 'Get many templates with their numbers',
	endpoint: 'GET /template',
	returns: 'a template',
	inputs: {
		...deprecated,
		filters: collection(
			'Filters',
			{
				folderId: input({ displayName: 'Folder ID', type: 'string', default: '' }, anyText),
				type: input(
					{
						displayName: 'Template Type',
						type: 'options',
						options: [
							{ name: 'Private', value: 'PRIVATE' },
							{ name: 'Public', value: 'PUBLIC' },
						],
						default: 'PRIVATE',
					},
					anyText,
				),
			},
			{ placeholder: 'Add Filter' },
		),
	},
	simplify: simplifyLegacy,
	records: async ({ filters }, { client }, wanted) =>
		await client.list('/template', filters, wanted),
});
