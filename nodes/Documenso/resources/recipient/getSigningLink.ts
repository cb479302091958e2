import { z } from 'zod';

import { envelopeOfPart, recipientId } from '../../fields/locators';
import { perItem } from '../../operation';
import { numericId } from '../../engine/values';
import { path } from '../../api/path';

const recipientSchema = z.object({
	id: z.number(),
	envelopeId: z.string(),
	email: z.string(),
	name: z.string(),
	role: z.string(),
	signingStatus: z.string(),
	token: z.string().min(1),
});

export const getSigningLink = perItem({
	name: 'Get Signing Link',
	value: 'getSigningLink',
	action: 'Get the signing link of a recipient',
	description: 'Get the link to pass on yourself; whoever has it can sign for the recipient',
	endpoint: 'GET /envelope/recipient/{recipientId}',
	returns: '`signingUrl`, and whose it is',
	properties: [envelopeOfPart, recipientId],
	request: (params) => ({
		method: 'GET',
		path: path`/envelope/recipient/${params.value('recipientId', numericId)}`,
	}),
	// The service gives no link here (contract §1.1).
	output: (body, _, client) => {
		const { token, ...recipient } = recipientSchema.parse(body);
		return { ...recipient, signingUrl: client.signingUrl(token) };
	},
});
