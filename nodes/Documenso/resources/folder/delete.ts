import { post } from '../../api/client';
import { perItem } from '../../engine/operation';
import { folderId } from '../../inputs/locators';

export const remove = perItem({
	name: 'Delete',
	value: 'delete',
	action: 'Delete a folder',
	description:
		'Delete a folder and its subfolders; the documents or templates in them move to the root',
	endpoint: 'POST /folder/delete',
	returns: '`id`, `deleted`',
	effect: 'changes',
	inputs: { folderId },
	request: ({ folderId: id }) => post('/folder/delete', { folderId: id }),
	items: (_, { folderId: id }) => [{ id, deleted: true }],
});
