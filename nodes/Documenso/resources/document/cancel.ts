import { envelopeId, readNamed } from '../../envelope/read';
import { withCause } from '../../errors';
import { documentId } from '../../fields/locators';
import { custom } from '../../operation';
import { compact } from '../../params';
import { json } from '../../transport/body';

export const cancel = custom({
	name: 'Cancel',
	value: 'cancel',
	action: 'Cancel a document',
	description: 'Call back a document that was sent; nobody can sign it any more',
	endpoint: 'POST /envelope/cancel',
	returns: '`id`, `success`',
	properties: [
		documentId,
		{
			displayName: 'Reason',
			name: 'reason',
			type: 'string',
			default: '',
			description: 'Told to the recipients',
		},
	],
	run: async (params, client) => {
		const id = envelopeId(params, 'documentId');
		const body = json(compact({ envelopeId: id, reason: params.string('reason') }));
		const answer = await withCause(
			async () => await client.send({ method: 'POST', path: '/envelope/cancel', body }),
			async () => await readNamed(params, client, 'documentId'),
		);
		return [{ json: { id, ...answer } }];
	},
});
