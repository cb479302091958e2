import { post } from '../../api/client';
import { text } from '../../engine/input';
import { perItem } from '../../engine/operation';
import { compact } from '../../engine/values';
import { readNamed } from '../../envelope/named';
import { documentId } from '../../inputs/locators';

export const cancel = perItem({
	name: 'Cancel',
	value: 'cancel',
	action: 'Cancel a document',
	description: 'Cancel a sent document so that nobody can sign it any more',
	endpoint: 'POST /envelope/cancel',
	returns: '`id`, `success`',
	effect: 'changes',
	inputs: {
		documentId,
		reason: text('Reason', { description: 'The reason that recipients are given' }),
	},
	request: ({ documentId: id, reason }) =>
		post('/envelope/cancel', compact({ envelopeId: id, reason })),
	check: async ({ documentId: id }, { client }) => await readNamed(client, 'documentId', id),
	items: (answer, { documentId: id }) => [{ id, ...answer }],
});
