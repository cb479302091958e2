import { dataOf, envelopeId as idOf } from '../../envelope/read';
import { envelopeId } from '../../fields/locators';
import { paged } from '../../operation';

export const getAll = paged({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many attachments',
	description: 'List many links of a document or template',
	endpoint: 'GET /envelope/attachment',
	returns: 'an attachment',
	properties: [envelopeId],
	requests: (params) => [
		{
			method: 'GET',
			path: '/envelope/attachment',
			query: { envelopeId: idOf(params, 'envelopeId') },
		},
	],
	items: dataOf,
	// The service lists them all at once.
	extent: () => ({ pages: 1 }),
});
