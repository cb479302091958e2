import { z } from 'zod';

import { envelopeSchema } from '../../shared/api/envelope';
import { parse } from '../../shared/api/records';
import { post } from '../../shared/api/request';
import { atLeastOne, changes } from '../../shared/n8n/collections';
import { flag, limiting, openChoice, required, textOf } from '../../shared/n8n/input';
import { list, perItem } from '../engine/kinds';
import { changesTo } from '../engine/oneAtATime';
import type { Resource } from '../engine/resource';
import { anyText, compact, filledText } from '../../shared/n8n/values';
import { checkFolder } from '../../shared/envelope/folders';
import { readNamed } from '../../shared/envelope/named';
import { simplifyEnvelope } from '../../shared/envelope/simplify';
import { filtersOf } from '../../shared/inputs/filters';
import { envelopeId, folderId, optional } from '../../shared/inputs/locators';
import { visibility } from '../inputs/settings';

const folderType = openChoice(
	'Folder For',
	[
		{ name: 'Documents', value: 'DOCUMENT' },
		{ name: 'Templates', value: 'TEMPLATE' },
	],
	{ default: 'DOCUMENT', description: 'What the folder holds: either documents or templates' },
);

/** The limits are Documenso's (documenso-api.md: Folders). */
const folderName = textOf(
	'Name',
	filledText().pipe(
		z
			.string()
			.min(2, 'is shorter than 2 characters')
			.max(100, 'is longer than 100 characters')
			.regex(/^(?!.*(https?:\/\/|www\.)).*$/i, 'looks like a web address'),
	),
	{ placeholder: 'e.g. Rentals 2027' },
);

const create = perItem({
	name: 'Create',
	value: 'create',
	action: 'Create a folder',
	description: 'Create a folder for documents or for templates',
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

const remove = perItem({
	name: 'Delete',
	value: 'delete',
	action: 'Delete a folder',
	description:
		'Delete a folder and its subfolders; the documents or templates in them move to the root',
	returns: '`id`, `deleted`',
	effect: 'changes',
	inputs: { folderId },
	request: ({ folderId: id }) => post('/folder/delete', { folderId: id }),
	items: (_, { folderId: id }) => [{ id, deleted: true }],
});

const getAll = list({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many folders',
	description: 'Get many folders on all levels, or those in one folder',
	returns: 'a folder',
	inputs: {
		filters: filtersOf({
			type: folderType,
			parentId: limiting(
				textOf('Parent Folder ID', anyText, {
					placeholder: 'e.g. cm2abc…',
					description: 'Only folders in this folder',
				}),
			),
		}),
	},
	records: async ({ filters }, { client }, wanted) => {
		const folders = await client.list('/folder', filters, wanted);
		// The service lists none for a folder that does not exist.
		if (folders.length === 0) {
			await checkFolder(client, filters.type, filters.parentId || undefined, 'Parent Folder ID');
		}
		return folders;
	},
});

const moveEnvelope = perItem({
	name: 'Move Document or Template',
	value: 'moveEnvelope',
	action: 'Move a document or template into a folder',
	description: 'Move a document or template into a folder, or back to the root',
	returns: 'the document or template',
	effect: 'changes',
	inputs: { envelopeId, folderId: optional(folderId, { description: 'Leave empty for the root' }) },
	simplify: simplifyEnvelope,
	line: ({ envelopeId: id }) => changesTo(id),
	// The service takes null for the root.
	request: ({ envelopeId: id, folderId: target }) =>
		post('/envelope/update', { envelopeId: id, data: { folderId: target || null } }),
	check: async ({ envelopeId: id, folderId: target }, { client }) => {
		const stored = await readNamed(client, 'envelopeId', id);
		const { type } = parse(envelopeSchema.pick({ type: true }), stored);
		await checkFolder(client, type, target || undefined, 'Folder');
	},
});

const update = perItem({
	name: 'Update',
	value: 'update',
	action: 'Update a folder',
	description: 'Rename, move or pin a folder, or change who can see it',
	returns: 'the folder',
	effect: 'changes',
	inputs: {
		folderId,
		updateFields: atLeastOne(
			changes('Update Fields', {
				name: folderName,
				parentId: limiting(
					textOf(
						'Parent Folder ID',
						// The service takes null for the root.
						anyText.transform((id) => id || null),
						{
							placeholder: 'e.g. cm2abc…',
							description: 'The folder to move this one into. Leave empty for the root.',
						},
					),
				),
				pinned: flag('Pinned', true, { description: 'Whether to list the folder before others' }),
				visibility: visibility('Who in the team can see the folder'),
			}),
		),
	},
	line: ({ folderId: id }) => changesTo(`folder ${id}`),
	request: ({ folderId: id, updateFields: data }) => post('/folder/update', { folderId: id, data }),
});

export const folder: Resource = {
	name: 'Folder',
	value: 'folder',
	description: 'A folder of documents or of templates',
	operations: [create, moveEnvelope, getAll, update, remove],
	default: 'create',
	defaultOfTool: getAll.value,
};
