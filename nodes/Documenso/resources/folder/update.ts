import { post } from '../../api/client';
import { atLeastOne, changes, flag, textOf } from '../../engine/input';
import { perItem } from '../../engine/operation';
import { anyText } from '../../engine/values';
import { folderName } from '../../inputs/folder';
import { folderId } from '../../inputs/locators';
import { visibility } from '../../inputs/settings';

export const update = perItem({
	name: 'Update',
	value: 'update',
	action: 'Update a folder',
	description: 'Rename, move or pin a folder, or change who can see it',
	endpoint: 'POST /folder/update',
	returns: 'the folder',
	effect: 'changes',
	inputs: {
		folderId,
		updateFields: atLeastOne(
			changes('Update Fields', {
				name: folderName,
				parentId: textOf(
					'Parent Folder ID',
					// The service takes null for the root.
					anyText.transform((id) => id || null),
					{ description: 'The folder to move this one into. Leave empty for the root.' },
				),
				pinned: flag('Pinned', true, { description: 'Whether to list the folder before others' }),
				visibility: visibility('Who in the team can see the folder'),
			}),
		),
	},
	request: ({ folderId: id, updateFields: data }) => post('/folder/update', { folderId: id, data }),
});
