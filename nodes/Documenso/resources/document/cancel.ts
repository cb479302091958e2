import { text } from '../../engine/input';
import { custom } from '../../engine/operation';
import { compact } from '../../engine/values';
import { readNamed, withCause } from '../../envelope/named';
import { documentId } from '../../inputs/locators';

export const cancel = custom({
	name: 'Cancel',
	value: 'cancel',
	action: 'Cancel a document',
	description: 'Cancel a document that was sent; nobody can sign it any more',
	endpoint: 'POST /envelope/cancel',
	returns: '`id`, `success`',
	effect: 'changes',
	inputs: { documentId, reason: text('Reason', { description: 'Told to the recipients' }) },
	run: async ({ documentId: id, reason }, { client }) => {
		const answer = await withCause(
			async () => await client.post('/envelope/cancel', compact({ envelopeId: id, reason })),
			async () => await readNamed(client, 'documentId', id),
		);
		return [{ json: { id, ...answer } }];
	},
});
