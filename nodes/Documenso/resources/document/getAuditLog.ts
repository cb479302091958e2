import { path } from '../../api/path';
import { withCause } from '../../engine/cause';
import { list } from '../../engine/operation';
import { readNamed } from '../../envelope/named';
import { orderByDirection } from '../../inputs/filters';
import { documentId } from '../../inputs/locators';

export const getAuditLog = list({
	name: 'Get Audit Log',
	value: 'getAuditLog',
	action: 'Get the audit log of a document',
	description: 'Get everything that happened to a document: who did what, when and from where',
	endpoint: 'GET /envelope/{envelopeId}/audit-log',
	returns: 'an entry of the log',
	inputs: { documentId, orderByDirection },
	records: async ({ documentId: id, orderByDirection: direction }, { client }, wanted) => {
		const query = { orderByColumn: 'createdAt', orderByDirection: direction };
		const check = async () => await readNamed(client, 'documentId', id);
		const log = async () => await client.list(path`/envelope/${id}/audit-log`, query, wanted);
		const found = await withCause(log, check);
		if (found.length === 0) await check();
		return found;
	},
});
