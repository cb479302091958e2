import { z } from 'zod';

import { visibility } from '../../fields/envelopeInputs';
import { folderId } from '../../fields/locators';
import { perItem } from '../../operation';
import { folderName } from '../../schemas/folder';
import { trueOrFalse } from '../../engine/values';
import { json } from '../../api/body';

const changesSchema = z
	.object({
		name: folderName,
		// The service takes null for the root.
		parentId: z
			.string()
			.trim()
			.transform((id) => (id === '' ? null : id)),
		pinned: trueOrFalse,
		visibility: z.string(),
	})
	.partial();

export const update = perItem({
	name: 'Update',
	value: 'update',
	action: 'Update a folder',
	description: 'Rename a folder, move it, pin it or change who sees it',
	endpoint: 'POST /folder/update',
	returns: 'the folder',
	properties: [
		folderId,
		{
			displayName: 'Update Fields',
			name: 'updateFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			options: [
				{ displayName: 'Name', name: 'name', type: 'string', default: '' },
				{
					displayName: 'Parent Folder ID',
					name: 'parentId',
					type: 'string',
					default: '',
					description: 'The folder to move it into. Leave empty for the root.',
				},
				{
					displayName: 'Pinned',
					name: 'pinned',
					type: 'boolean',
					default: true,
					description: 'Whether it stands before the others',
				},
				{ ...visibility, description: 'Who in the team sees the folder' },
			],
		},
	],
	request: (params) => {
		const data = params.changes('updateFields', changesSchema);
		if (Object.keys(data).length === 0) {
			throw params.refuse('updateFields', 'is empty: there is nothing to change');
		}
		const body = json({ folderId: params.required('folderId'), data });
		return { method: 'POST', path: '/folder/update', body };
	},
});
