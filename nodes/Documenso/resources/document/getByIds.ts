import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { dataOf, getMany } from '../../envelope/read';
import { simplifyEnvelope } from '../../envelope/simplify';
import { ENVELOPE_ID } from '../../fields/locators';
import { batched } from '../../operation';
import { numericId } from '../../engine/values';

const envelopeIdSchema = z
	.string()
	.trim()
	.regex(new RegExp(`^${ENVELOPE_ID}$`), 'does not start with envelope_');

/** `envelopeId:envelope_…` or `documentId:7`: one request takes ids of one kind. */
function kindAndId(key: string): [kind: string, id: string] {
	const [kind = '', id = ''] = key.split(':');
	return [kind, id];
}

/** The kinds of id that a record goes by; `secondaryId` is `document_7` or `template_7`. */
function keysOf({ id, secondaryId }: IDataObject): string[] {
	const [type, number] = (secondaryId as string).split('_');
	return [`envelopeId:${id as string}`, `${type}Id:${number}`];
}

export const getByIds = batched({
	name: 'Get Many by IDs',
	value: 'getByIds',
	action: 'Get many documents by their IDs',
	description: 'Read one document or template for each item, many in one request',
	endpoint: 'POST /envelope/get-many',
	returns: 'the document or template',
	properties: [
		{
			displayName: 'Kind of ID',
			name: 'idType',
			type: 'options',
			options: [
				{ name: 'Document Number', value: 'documentId', description: 'As older documents have it' },
				{ name: 'Envelope ID', value: 'envelopeId', description: 'Starts with envelope_' },
				{ name: 'Template Number', value: 'templateId', description: 'As older templates have it' },
			],
			default: 'envelopeId',
		},
		{ displayName: 'ID', name: 'id', type: 'string', required: true, default: '' },
	],
	simplify: simplifyEnvelope,
	size: 20,
	key: (params) => {
		const kind = params.string('idType');
		return kind === 'envelopeId'
			? `${kind}:${params.value('id', envelopeIdSchema)}`
			: `${kind}:${params.value('id', numericId)}`;
	},
	group: (key) => kindAndId(key)[0],
	single: async (key, params, client) => {
		const [kind, id] = kindAndId(key);
		const body = await client.send(getMany(kind, [kind === 'envelopeId' ? id : Number(id)]));
		const [record] = dataOf(body);
		if (record) return record;
		throw params.refuse(
			'id',
			`is ${id}, which Documenso does not have`,
			"Check the ID, and that the credential's token belongs to the team that owns it.",
		);
	},
	many: (keys) => {
		const [kind] = kindAndId(keys[0] ?? '');
		const ids = keys.map((key) => kindAndId(key)[1]);
		return getMany(kind, kind === 'envelopeId' ? ids : ids.map(Number));
	},
	items: dataOf,
	keysOf,
});
