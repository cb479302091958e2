import { simplifyRecipient } from '../../envelope/simplify';
import { envelopeOfPart, recipientId } from '../../fields/locators';
import { perItem } from '../../operation';
import { numericId } from '../../engine/values';
import { path } from '../../api/path';

export const get = perItem({
	name: 'Get',
	value: 'get',
	action: 'Get a recipient',
	description: 'Read a recipient with what they have done so far',
	endpoint: 'GET /envelope/recipient/{recipientId}',
	returns: 'the recipient',
	properties: [envelopeOfPart, recipientId],
	simplify: simplifyRecipient,
	request: (params) => ({
		method: 'GET',
		path: path`/envelope/recipient/${params.value('recipientId', numericId)}`,
	}),
});
