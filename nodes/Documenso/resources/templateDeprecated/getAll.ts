import { openChoice, textOf } from '../../engine/input';
import { list } from '../../engine/operation';
import { anyText } from '../../engine/values';
import { simplifyLegacy } from '../../envelope/simplify';
import { filtersOf } from '../../inputs/filters';
import { deprecated } from './inputs';

export const getAll = list({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many templates by number',
	description: 'Get many templates with their numbers',
	endpoint: 'GET /template',
	returns: 'a template',
	inputs: {
		...deprecated,
		filters: filtersOf({
			folderId: textOf('Folder ID', anyText),
			type: openChoice(
				'Template Type',
				[
					{ name: 'Private', value: 'PRIVATE' },
					{ name: 'Public', value: 'PUBLIC' },
				],
				{ default: 'PRIVATE' },
			),
		}),
	},
	simplify: simplifyLegacy,
	records: async ({ filters }, { client }, wanted) =>
		await client.list('/template', filters, wanted),
});
