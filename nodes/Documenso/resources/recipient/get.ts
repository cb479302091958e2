import { getFrom } from '../../api/client';
import { path } from '../../api/path';
import { perItem } from '../../engine/operation';
import { simplifyRecipient } from '../../envelope/simplify';
import { envelopeOfPart, recipientId } from '../../inputs/locators';

export const get = perItem({
	name: 'Get',
	value: 'get',
	action: 'Get a recipient',
	description: 'Get a recipient and what they have done so far',
	endpoint: 'GET /envelope/recipient/{recipientId}',
	returns: 'the recipient',
	effect: 'reads',
	inputs: { envelopeId: envelopeOfPart, recipientId },
	simplify: simplifyRecipient,
	request: ({ recipientId: id }) => getFrom(path`/envelope/recipient/${id}`),
});
