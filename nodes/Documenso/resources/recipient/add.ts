import { post } from '../../api/client';
import { dataOf } from '../../api/records';
import { collection, required } from '../../engine/input';
import { perItem } from '../../engine/operation';
import { simplifyRecipient } from '../../envelope/simplify';
import { envelopeId } from '../../inputs/locators';
import { recipientDetails, recipientSettings } from '../../inputs/recipientSettings';

export const add = perItem({
	name: 'Add',
	value: 'add',
	action: 'Add a recipient',
	description:
		'Add a recipient to a document or template; in a sent document, use Document: Resend afterwards to invite them',
	endpoint: 'POST /envelope/recipient/create-many',
	returns: 'the recipient',
	effect: 'adds',
	inputs: {
		envelopeId,
		...recipientDetails,
		email: required(recipientDetails.email),
		additionalFields: collection('Additional Fields', recipientSettings),
	},
	simplify: simplifyRecipient,
	request: ({ envelopeId: id, additionalFields, ...recipient }) =>
		post('/envelope/recipient/create-many', {
			envelopeId: id,
			data: [{ ...recipient, ...additionalFields }],
		}),
	items: dataOf,
});
