import { folderType } from '../../fields/folder';
import { folderId } from '../../fields/locators';
import { perItem } from '../../operation';
import { compact } from '../../params';
import { folderName } from '../../schemas/folder';
import { json } from '../../api/body';

export const create = perItem({
	name: 'Create',
	value: 'create',
	action: 'Create a folder',
	description: 'Make a folder for documents or for templates',
	endpoint: 'POST /folder/create',
	addsEachTime: true,
	returns: 'the folder',
	properties: [
		{ displayName: 'Name', name: 'name', type: 'string', required: true, default: '' },
		folderType,
		{
			...folderId,
			displayName: 'Parent Folder',
			name: 'parentId',
			required: false,
			description: 'The folder to make it in. Leave empty for the root.',
		},
	],
	request: (params) => ({
		method: 'POST',
		path: '/folder/create',
		body: json(
			compact({
				name: params.value('name', folderName),
				type: params.string('type'),
				parentId: params.string('parentId'),
			}),
		),
	}),
});
