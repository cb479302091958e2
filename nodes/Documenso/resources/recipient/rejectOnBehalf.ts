import { z } from 'zod';

import { envelopeId as idOf } from '../../envelope/read';
import { simplifyRecipient } from '../../envelope/simplify';
import { documentId, recipientId } from '../../fields/locators';
import { perItem } from '../../operation';
import { compact } from '../../params';
import { email, numericId } from '../../engine/values';
import { json } from '../../api/body';
import { path } from '../../api/path';

const actAsSchema = z.object({ actAsEmail: email.optional() });

export const rejectOnBehalf = perItem({
	name: 'Reject on Behalf',
	value: 'rejectOnBehalf',
	action: 'Reject on behalf of a recipient',
	description: 'Reject a sent document for a recipient; this ends it for everyone',
	endpoint: 'POST /envelope/recipient/{recipientId}/reject',
	returns: 'the recipient',
	properties: [
		documentId,
		recipientId,
		{ displayName: 'Reason', name: 'reason', type: 'string', required: true, default: '' },
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			options: [
				{
					displayName: 'Act As',
					name: 'actAsEmail',
					type: 'string',
					placeholder: 'name@email.com',
					default: '',
					description: 'The email of the member of the team who is said to have rejected',
				},
			],
		},
	],
	simplify: simplifyRecipient,
	request: (params) => ({
		method: 'POST',
		path: path`/envelope/recipient/${params.value('recipientId', numericId)}/reject`,
		body: json(
			compact({
				envelopeId: idOf(params, 'documentId'),
				reason: params.required('reason'),
				...params.collection('additionalFields', actAsSchema),
			}),
		),
	}),
});
