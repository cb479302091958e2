import { z } from 'zod';

import { post } from '../../api/client';
import { path } from '../../api/path';
import { dataOf } from '../../api/records';
import { atLeastOne, collection } from '../../engine/input';
import { perItem } from '../../engine/operation';
import { simplifyRecipient } from '../../envelope/simplify';
import { envelopeId, recipientId } from '../../inputs/locators';
import { recipientDetails, recipientSettings } from '../../inputs/recipientSettings';

const auth = z.array(z.string()).default([]);
const withAuth = z.object({
	authOptions: z.object({ accessAuth: auth, actionAuth: auth }).nullish(),
});

export const update = perItem({
	name: 'Update',
	value: 'update',
	action: 'Update a recipient',
	description:
		'Update a recipient who has not acted yet; in a sent document, use Document: Resend afterwards to invite them again',
	endpoint: 'GET /envelope/recipient/{recipientId}, POST /envelope/recipient/update-many',
	returns: 'the recipient',
	effect: 'changes',
	inputs: {
		envelopeId,
		recipientId,
		updateFields: atLeastOne(
			collection('Update Fields', { ...recipientDetails, ...recipientSettings }),
		),
	},
	simplify: simplifyRecipient,
	request: async ({ envelopeId: ofEnvelope, recipientId: id, updateFields }, { client }) => {
		const stored = await client.get(path`/envelope/recipient/${id}`, withAuth);
		// The service would reset what is left out.
		const recipient = { id, ...stored.authOptions, ...updateFields };
		return post('/envelope/recipient/update-many', {
			envelopeId: ofEnvelope,
			data: [recipient],
		});
	},
	items: dataOf,
});
