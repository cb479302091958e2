import { folderId } from '../../fields/locators';
import { perItem } from '../../operation';
import { json } from '../../api/body';

export const remove = perItem({
	name: 'Delete',
	value: 'delete',
	action: 'Delete a folder',
	description: 'Delete a folder and those inside it; what they hold moves to the root',
	endpoint: 'POST /folder/delete',
	returns: '`id`, `deleted`',
	properties: [folderId],
	request: (params) => ({
		method: 'POST',
		path: '/folder/delete',
		body: json({ folderId: params.required('folderId') }),
	}),
	output: (_, params) => ({ id: params.string('folderId'), deleted: true }),
});
