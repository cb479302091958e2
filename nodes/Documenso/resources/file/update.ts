import { z } from 'zod';

import { fileOf } from '../../envelope/files';
import { dataOf, envelopeId as idOf } from '../../envelope/read';
import { withCause } from '../../errors';
import { envelopeId, fileId } from '../../fields/locators';
import { custom } from '../../operation';
import { filledText, integerFrom } from '../../schemas/values';
import { json } from '../../transport/body';

const changesSchema = z
	.object({
		title: filledText(255),
		order: integerFrom(1),
	})
	.partial();

export const update = custom({
	name: 'Update',
	value: 'update',
	action: 'Update a file',
	description: 'Rename a file of a document or template, or give it another place',
	endpoint: 'POST /envelope/item/update-many',
	returns: 'the file',
	properties: [
		envelopeId,
		fileId,
		{
			displayName: 'Update Fields',
			name: 'updateFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			options: [
				{
					displayName: 'Order',
					name: 'order',
					type: 'number',
					typeOptions: { minValue: 1 },
					default: 1,
					description: 'Its place among the files',
				},
				{ displayName: 'Title', name: 'title', type: 'string', default: '' },
			],
		},
	],
	run: async (params, client) => {
		const changes = params.collection('updateFields', changesSchema);
		if (Object.keys(changes).length === 0) {
			throw params.refuse('updateFields', 'is empty: there is nothing to change');
		}
		const file = { envelopeItemId: params.required('envelopeItemId'), ...changes };
		const body = json({ envelopeId: idOf(params, 'envelopeId'), data: [file] });
		const answer = await withCause(
			async () => await client.send({ method: 'POST', path: '/envelope/item/update-many', body }),
			async () => await fileOf(params, client),
		);
		return dataOf(answer).map((updated) => ({ json: updated }));
	},
});
