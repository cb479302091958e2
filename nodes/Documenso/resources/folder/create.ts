import { post } from '../../api/client';
import { required } from '../../engine/input';
import { perItem } from '../../engine/operation';
import { compact } from '../../engine/values';
import { checkFolder } from '../../envelope/folders';
import { folderName, folderType } from '../../inputs/folder';
import { folderId, optional } from '../../inputs/locators';

export const create = perItem({
	name: 'Create',
	value: 'create',
	action: 'Create a folder',
	description: 'Create a folder for documents or for templates',
	endpoint: 'POST /folder/create',
	returns: 'the folder',
	effect: 'adds',
	inputs: {
		name: required(folderName),
		type: folderType,
		parentId: optional(folderId, {
			displayName: 'Parent Folder',
			description: 'The folder to create it in. Leave empty for the root.',
		}),
	},
	request: (folder) => post('/folder/create', compact(folder)),
	check: async ({ parentId, type }, { client }) => {
		await checkFolder(client, type, parentId || undefined, 'Parent Folder');
	},
});
