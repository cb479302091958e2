import { dataOf, envelopeId, extentOf, readNamed } from '../../envelope/read';
import { documentId } from '../../fields/locators';
import { sorting } from '../../fields/filters';
import { paged } from '../../operation';
import { path } from '../../transport/path';

export const getAuditLog = paged({
	name: 'Get Audit Log',
	value: 'getAuditLog',
	action: 'Get the audit log of a document',
	description: 'List all that happened to a document: who did what, when and from where',
	endpoint: 'GET /envelope/{envelopeId}/audit-log',
	returns: 'an entry of the log',
	properties: [documentId, sorting],
	requests: (params) => [
		{
			method: 'GET',
			path: path`/envelope/${envelopeId(params, 'documentId')}/audit-log`,
			query: { orderByColumn: 'createdAt', orderByDirection: params.string('orderByDirection') },
		},
	],
	items: dataOf,
	extent: extentOf,
	check: async (params, client) => await readNamed(params, client, 'documentId'),
});
