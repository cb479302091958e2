import { dataOf } from '../../api/records';
import { list } from '../../engine/operation';
import { envelopeId } from '../../inputs/locators';

export const getAll = list({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many attachments',
	description: 'Get many attachments of a document or template',
	endpoint: 'GET /envelope/attachment',
	returns: 'an attachment',
	inputs: { envelopeId },
	// The service lists them all at once.
	records: async ({ envelopeId: id }, { client }) =>
		dataOf(await client.get('/envelope/attachment', undefined, { envelopeId: id })),
});
