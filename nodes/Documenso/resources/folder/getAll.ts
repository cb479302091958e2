import { textOf } from '../../engine/input';
import { list } from '../../engine/operation';
import { anyText } from '../../engine/values';
import { filtersOf } from '../../inputs/filters';
import { folderType } from '../../inputs/folder';

export const getAll = list({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many folders',
	description: 'Get many folders on all levels, or those in one folder',
	endpoint: 'GET /folder',
	returns: 'a folder',
	inputs: {
		filters: filtersOf({
			type: folderType,
			parentId: textOf('Parent Folder ID', anyText, {
				description: 'Only folders in this folder',
			}),
		}),
	},
	records: async ({ filters }, { client }, wanted) => await client.list('/folder', filters, wanted),
});
