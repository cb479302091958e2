import { z } from 'zod';

import { dataOf, envelopeId as idOf } from '../../envelope/read';
import { simplifyRecipient } from '../../envelope/simplify';
import { envelopeId, recipientId } from '../../fields/locators';
import { recipientChanges } from '../../fields/recipientSettings';
import { custom } from '../../operation';
import { recipientChangesSchema } from '../../schemas/recipients';
import { numericId } from '../../engine/values';
import { json } from '../../api/body';
import { path } from '../../api/path';

const auth = z.array(z.string()).default([]);
const recipientSchema = z.object({
	authOptions: z.object({ accessAuth: auth, actionAuth: auth }).nullish(),
});

export const update = custom({
	name: 'Update',
	value: 'update',
	action: 'Update a recipient',
	description:
		'Change a recipient who has not acted yet; in a sent document, use Resend afterwards to invite them again',
	endpoint: 'GET /envelope/recipient/{recipientId}, POST /envelope/recipient/update-many',
	returns: 'the recipient',
	properties: [envelopeId, recipientId, recipientChanges],
	simplify: simplifyRecipient,
	run: async (params, client) => {
		const changes = params.collection('updateFields', recipientChangesSchema);
		if (Object.keys(changes).length === 0) {
			throw params.refuse('updateFields', 'is empty: there is nothing to change');
		}
		const id = params.value('recipientId', numericId);
		const { authOptions } = recipientSchema.parse(
			await client.send({ method: 'GET', path: path`/envelope/recipient/${id}` }),
		);
		// Left out, the service would reset them.
		const recipient = { id, ...authOptions, ...changes };
		const answer = await client.send({
			method: 'POST',
			path: '/envelope/recipient/update-many',
			body: json({ envelopeId: idOf(params, 'envelopeId'), data: [recipient] }),
		});
		return dataOf(answer).map((updated) => ({ json: updated }));
	},
});
