import { collection, input } from '../../engine/input';
import { list } from '../../engine/operation';
import { anyText } from '../../engine/values';
import { folderType } from '../../inputs/folder';

export const getAll = list({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many folders',
	description: 'Get many folders, of all levels or of one',
	endpoint: 'GET /folder',
	returns: 'a folder',
	inputs: {
		filters: collection(
			'Filters',
			{
				type: folderType,
				parentId: input(
					{
						displayName: 'Parent Folder ID',
						type: 'string',
						default: '',
						description: 'List only the folders in this one',
					},
					anyText,
				),
			},
			{ placeholder: 'Add Filter' },
		),
	},
	records: async ({ filters }, { client }, wanted) => await client.list('/folder', filters, wanted),
});
