import { dataOf } from '../../shared/api/records';
import { post } from '../../shared/api/request';
import { checkAttachment } from '../../shared/envelope/named';
import { required } from '../../shared/n8n/input';
import { list, perItem } from '../engine/kinds';
import { changesTo } from '../engine/oneAtATime';
import type { Resource } from '../engine/resource';
import { link } from '../inputs/creation';
import { attachmentId, envelopeId, envelopeOfPart } from '../../shared/inputs/locators';

const requiredLink = { label: required(link.label), data: required(link.data) };

const create = perItem({
	name: 'Create',
	value: 'create',
	action: 'Create an attachment',
	description: 'Attach a link for recipients to a document or template',
	returns: '`id`, `label`, `data`',
	effect: 'adds',
	inputs: { envelopeId, ...requiredLink },
	request: ({ envelopeId: id, label, data }) =>
		post('/envelope/attachment/create', { envelopeId: id, data: { label, data } }),
	items: (answer, { label, data }) => [{ ...answer, label, data }],
});

const remove = perItem({
	name: 'Delete',
	value: 'delete',
	action: 'Delete an attachment',
	description: 'Remove a link from a document or template',
	returns: '`id`, `deleted`',
	effect: 'changes',
	inputs: { envelopeId: envelopeOfPart, attachmentId },
	request: async ({ envelopeId: named, attachmentId: id }, { client }) => {
		await checkAttachment(client, named, id);
		return post('/envelope/attachment/delete', { id });
	},
	items: (_, { attachmentId: id }) => [{ id, deleted: true }],
});

const getAll = list({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many attachments',
	description: 'Get many attachments of a document or template',
	returns: 'an attachment',
	inputs: { envelopeId },
	// The service lists them all at once.
	records: async ({ envelopeId: id }, { client }) =>
		dataOf(await client.get('/envelope/attachment', undefined, { envelopeId: id })),
});

const update = perItem({
	name: 'Update',
	value: 'update',
	action: 'Update an attachment',
	description: 'Change the label and the URL of a link',
	returns: '`id`, `label`, `data`',
	effect: 'changes',
	inputs: { envelopeId: envelopeOfPart, attachmentId, ...requiredLink },
	line: ({ attachmentId: id }) => changesTo(`attachment ${id}`),
	request: async ({ envelopeId: named, attachmentId: id, label, data }, { client }) => {
		await checkAttachment(client, named, id);
		return post('/envelope/attachment/update', { id, data: { label, data } });
	},
	items: (_, { attachmentId: id, label, data }) => [{ id, label, data }],
});

export const attachment: Resource = {
	name: 'Attachment',
	value: 'attachment',
	description: 'A link that recipients see next to a document',
	operations: [create, getAll, update, remove],
	default: 'create',
	defaultOfTool: getAll.value,
};
