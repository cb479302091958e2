import { z } from 'zod';

import { dataOf, extentOf } from '../../envelope/read';
import { simplifyLegacy } from '../../envelope/simplify';
import { paged } from '../../operation';
import { deprecated } from './fields';

const filtersSchema = z.object({ type: z.string(), folderId: z.string().trim() }).partial();

export const getAll = paged({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many templates by their numbers',
	description: 'List many templates with their numbers',
	endpoint: 'GET /template',
	returns: 'a template',
	properties: [
		...deprecated,
		{
			displayName: 'Filters',
			name: 'filters',
			type: 'collection',
			placeholder: 'Add Filter',
			default: {},
			options: [
				{ displayName: 'Folder ID', name: 'folderId', type: 'string', default: '' },
				{
					displayName: 'Template Type',
					name: 'type',
					type: 'options',
					options: [
						{ name: 'Private', value: 'PRIVATE' },
						{ name: 'Public', value: 'PUBLIC' },
					],
					default: 'PRIVATE',
				},
			],
		},
	],
	simplify: simplifyLegacy,
	requests: (params) => [
		{ method: 'GET', path: '/template', query: params.collection('filters', filtersSchema) },
	],
	items: dataOf,
	extent: extentOf,
});
