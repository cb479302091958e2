import { path } from '../../../shared/api/path';
import { getFrom, post } from '../../../shared/api/request';
import { limiting, openChoice, textOf } from '../../../shared/n8n/input';
import { list, perItem } from '../../engine/kinds';
import type { Resource } from '../../engine/resource';
import { anyText } from '../../../shared/n8n/values';
import { changedSettings } from '../../envelope/change';
import { templateByNumber } from '../../../shared/envelope/read';
import { metaOf } from '../../envelope/settings';
import { simplifyLegacy } from '../../../shared/envelope/simplify';
import { filtersOf } from '../../../shared/inputs/filters';
import { updateTemplateByNumberFields } from '../../inputs/settings';
import { createDocument, deprecated, ofTemplate } from './createDocument';

const remove = perItem({
	name: 'Delete',
	value: 'delete',
	action: 'Delete a template by its number',
	description: 'Permanently delete a template by its number',
	returns: '`id`, `deleted`',
	effect: 'changes',
	inputs: ofTemplate,
	request: ({ templateNumber }) => post('/template/delete', { templateId: templateNumber }),
	items: (_, { templateNumber }) => [{ id: templateNumber, deleted: true }],
});

const duplicate = perItem({
	name: 'Duplicate',
	value: 'duplicate',
	action: 'Duplicate a template by its number',
	description: 'Create a copy of a template, by its number',
	returns: 'the copy',
	effect: 'adds',
	inputs: ofTemplate,
	simplify: simplifyLegacy,
	request: ({ templateNumber }) => post('/template/duplicate', { templateId: templateNumber }),
});

const get = perItem({
	name: 'Get',
	value: 'get',
	action: 'Get a template by its number',
	description: 'Get a template with its recipients and fields, by its number',
	returns: 'the template',
	effect: 'reads',
	inputs: ofTemplate,
	simplify: simplifyLegacy,
	request: ({ templateNumber }) => getFrom(path`/template/${templateNumber}`),
});

const getAll = list({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many templates by number',
	description: 'Get many templates with their numbers',
	returns: 'a template',
	inputs: {
		...deprecated,
		filters: filtersOf({
			folderId: limiting(textOf('Folder ID', anyText, { placeholder: 'e.g. cm2abc…' })),
			type: openChoice(
				'Template Type',
				[
					{ name: 'Private', value: 'PRIVATE' },
					{ name: 'Public', value: 'PUBLIC' },
				],
				{ default: 'PRIVATE' },
			),
		}),
	},
	simplify: simplifyLegacy,
	records: async ({ filters }, { client }, wanted) =>
		await client.list('/template', filters, wanted),
});

const update = perItem({
	name: 'Update',
	value: 'update',
	action: 'Update a template by its number',
	description: 'Update the title or settings of a template, by its number',
	returns: 'the template',
	effect: 'changes',
	inputs: { ...ofTemplate, ...updateTemplateByNumberFields },
	simplify: simplifyLegacy,
	request: async ({ templateNumber: templateId, updateFields }, { client }) => {
		const settings = changedSettings(updateFields);
		const { templateType, ...rest } = settings.data;
		const data = { ...rest, ...(templateType ? { type: templateType } : {}) };
		const meta = metaOf(settings, await templateByNumber(client, templateId));
		return post('/template/update', { templateId, data, meta });
	},
});

/** Documenso removes these endpoints on 1 March 2027. Delete this folder and its entry in the registry then. */
export const templateDeprecated: Resource = {
	name: 'Template (Deprecated)',
	value: 'templateDeprecated',
	description: 'A template by its number, in an older version of the API',
	operations: [createDocument, get, getAll, update, duplicate, remove],
	default: 'get',
};
