import { z } from 'zod';

import { dataOf, extentOf } from '../../envelope/read';
import { folderType } from '../../fields/folder';
import { paged } from '../../operation';

const filtersSchema = z.object({ type: z.string(), parentId: z.string().trim() }).partial();

export const getAll = paged({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many folders',
	description: 'List many folders, of all levels or of one',
	endpoint: 'GET /folder',
	returns: 'a folder',
	properties: [
		{
			displayName: 'Filters',
			name: 'filters',
			type: 'collection',
			placeholder: 'Add Filter',
			default: {},
			options: [
				folderType,
				{
					displayName: 'Parent Folder ID',
					name: 'parentId',
					type: 'string',
					default: '',
					description: 'List only the folders in this one',
				},
			],
		},
	],
	requests: (params) => [
		{ method: 'GET', path: '/folder', query: params.collection('filters', filtersSchema) },
	],
	items: dataOf,
	extent: extentOf,
});
