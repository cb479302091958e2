import { z } from 'zod';

import { getFrom } from '../../api/client';
import { path } from '../../api/path';
import { parse } from '../../api/records';
import { perItem } from '../../engine/operation';
import { Refusal } from '../../engine/refusal';
import { envelopeOfPart, recipientId } from '../../inputs/locators';

const withToken = z.object({
	id: z.number(),
	envelopeId: z.string(),
	email: z.string(),
	name: z.string(),
	role: z.string(),
	signingStatus: z.string(),
	token: z.string(),
});

export const getSigningLink = perItem({
	name: 'Get Signing Link',
	value: 'getSigningLink',
	action: 'Get the signing link of a recipient',
	description: 'Get the link to pass on yourself; anyone who has it can sign for the recipient',
	endpoint: 'GET /envelope/recipient/{recipientId}',
	returns: '`signingUrl`, and the recipient',
	effect: 'reads',
	inputs: { envelopeId: envelopeOfPart, recipientId },
	request: ({ recipientId: id }) => getFrom(path`/envelope/recipient/${id}`),
	// The service gives no link here (documenso-api.md: Signing links).
	items: (answer, _, { client }) => {
		const { token, ...recipient } = parse(withToken, answer);
		if (token === '') {
			throw new Refusal(
				`Documenso shows no signing link for ${recipient.email}`,
				"It hides the links in documents of other users: use an API token of the document's owner.",
			);
		}
		return [{ ...recipient, signingUrl: client.signingUrl(token) }];
	},
});
