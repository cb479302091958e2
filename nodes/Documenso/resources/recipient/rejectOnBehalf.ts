import { post } from '../../api/client';
import { path } from '../../api/path';
import { collection, text, textOf } from '../../engine/input';
import { perItem } from '../../engine/operation';
import { email } from '../../engine/values';
import { simplifyRecipient } from '../../envelope/simplify';
import { documentId, recipientId } from '../../inputs/locators';

export const rejectOnBehalf = perItem({
	name: 'Reject on Behalf',
	value: 'rejectOnBehalf',
	action: 'Reject on behalf of a recipient',
	description: 'Reject a sent document for a recipient; this ends it for everyone',
	endpoint: 'POST /envelope/recipient/{recipientId}/reject',
	returns: 'the recipient',
	effect: 'changes',
	inputs: {
		documentId,
		recipientId,
		reason: text('Reason', { required: true }),
		additionalFields: collection('Additional Fields', {
			actAsEmail: textOf('Act As', email, {
				placeholder: 'name@email.com',
				description: 'Email of the team member to record as rejecting',
			}),
		}),
	},
	simplify: simplifyRecipient,
	request: ({ documentId: envelopeId, recipientId: id, reason, additionalFields }) =>
		post(path`/envelope/recipient/${id}/reject`, { envelopeId, reason, ...additionalFields }),
});
