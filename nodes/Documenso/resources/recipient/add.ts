import { dataOf, envelopeId as idOf } from '../../envelope/read';
import { simplifyRecipient } from '../../envelope/simplify';
import { envelopeId } from '../../fields/locators';
import { newRecipient } from '../../fields/recipientSettings';
import { custom } from '../../operation';
import { recipientChangesSchema } from '../../schemas/recipients';
import { constant, email, textUpTo } from '../../engine/values';
import { json } from '../../api/body';

export const add = custom({
	name: 'Add',
	value: 'add',
	action: 'Add a recipient',
	description: 'Add a recipient to a document or template; use Resend to invite them to a sent one',
	endpoint: 'POST /envelope/recipient/create-many',
	addsEachTime: true,
	returns: 'the recipient',
	properties: [envelopeId, ...newRecipient],
	simplify: simplifyRecipient,
	run: async (params, client) => {
		const recipient = {
			email: params.value('email', email),
			name: params.value('name', textUpTo(255)),
			role: params.value('role', constant),
			...params.collection('additionalFields', recipientChangesSchema),
		};
		const answer = await client.send({
			method: 'POST',
			path: '/envelope/recipient/create-many',
			body: json({ envelopeId: idOf(params, 'envelopeId'), data: [recipient] }),
		});
		return dataOf(answer).map((created) => ({ json: created }));
	},
});
