import type { IDataObject } from 'n8n-workflow';

import { dataOf } from '../../../shared/api/records';
import { choice, text } from '../../../shared/n8n/input';
import { adviceIn, faultIn } from '../../../shared/n8n/inputFaults';
import { batched } from '../../engine/kinds';
import { Refusal } from '../../../shared/n8n/refusal';
import { numericId, type Schema } from '../../../shared/n8n/values';
import { getMany } from '../../../shared/envelope/read';
import { simplifyEnvelope } from '../../../shared/envelope/simplify';
import { envelopeIdSchema } from '../../../shared/inputs/locators';

/** A key is `envelopeId:envelope_…` or `documentId:7`: one request takes IDs of one kind. */
function kindAndId(key: string): [kind: string, id: string] {
	const [kind = '', id = ''] = key.split(':');
	return [kind, id];
}

/** Every key of a record; `secondaryId` is `document_7` or `template_7`. */
function keysOf({ id, secondaryId }: IDataObject): string[] {
	const keys = typeof id === 'string' ? [`envelopeId:${id}`] : [];
	if (typeof secondaryId !== 'string') return keys;
	const [type, number] = secondaryId.split('_');
	return [...keys, `${type}Id:${number}`];
}

function idsOf(keys: string[]) {
	const [kind] = kindAndId(keys[0] ?? '');
	const ids = keys.map((key) => kindAndId(key)[1]);
	return getMany(kind, kind === 'envelopeId' ? ids : ids.map(Number));
}

const COPY_ID =
	'Open the document or template in Documenso, and copy the part of its URL that starts with envelope_.';

export const getByIds = batched({
	name: 'Get Many by IDs',
	value: 'getByIds',
	action: 'Get many documents by their IDs',
	description: 'Get one document or template for each item, with many in one request',
	returns: 'the document or template',
	inputs: {
		idType: choice(
			'Kind of ID',
			[
				{
					name: 'Document Number',
					value: 'documentId',
					description: 'Used by older versions of the API',
				},
				{ name: 'Envelope ID', value: 'envelopeId', description: 'Starts with envelope_' },
				{
					name: 'Template Number',
					value: 'templateId',
					description: 'Used by older versions of the API',
				},
			],
			{ default: 'envelopeId' },
		),
		id: text('ID', { placeholder: 'e.g. envelope_abcdefghijklmnop', required: true }),
	},
	simplify: simplifyEnvelope,
	key: ({ idType, id }) => {
		const secondaryId = /^(document|template)_([1-9]\d*)$/.exec(id.trim());
		if (secondaryId) return `${secondaryId[1]}Id:${secondaryId[2]}`;
		const schema: Schema<string | number> = idType === 'envelopeId' ? envelopeIdSchema : numericId;
		const { data, error } = schema.safeParse(id);
		if (error) {
			const advice = idType === 'envelopeId' ? COPY_ID : adviceIn(error);
			throw new Refusal(
				`'ID' ${faultIn(error)}`,
				`${advice} If it is an ID of another kind, choose that under 'Kind of ID'.`,
			);
		}
		return `${idType}:${data}`;
	},
	group: (key) => kindAndId(key)[0],
	single: async (key, _, { client }) => {
		const [record] = dataOf(await client.send(idsOf([key])));
		if (record) return record;
		throw new Refusal(
			`'ID' is ${kindAndId(key)[1]}, but Documenso has nothing with this ID`,
			"Check the ID: perhaps what it names was deleted, or belongs to another team than the credential's token.",
		);
	},
	many: idsOf,
	keysOf,
});
