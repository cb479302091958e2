import type { IDataObject } from 'n8n-workflow';

import { mayLeaveTraces, withDocument } from '../errors';
import type { Params } from '../params';
import type { Client } from '../transport/client';
import { readList } from './envelope';

/**
 * The external id for what an item creates: the user's, or else one that no other item has. By it the
 * document is found again when its answer was lost.
 */
export function externalIdFor(
	{ context, itemIndex }: Params,
	chosen: string | null | undefined,
): string {
	if (chosen) return chosen;
	const run = String(context.getWorkflowDataProxy(itemIndex).$runIndex);
	return ['n8n', context.getExecutionId(), context.getNode().id.slice(0, 8), run, itemIndex].join(
		':',
	);
}

export interface Creation {
	externalId: string;
	folderId?: string;
}

/**
 * Creates a document. When it fails in a way that may leave one behind, the error says which: after
 * an unknown outcome, and after DOCUMENT_SEND_FAILED, whose answer lacks the id of the draft.
 */
export async function creating(
	client: Client,
	creation: Creation,
	create: () => Promise<IDataObject>,
): Promise<IDataObject> {
	return await create().catch(async (error: unknown) => {
		throw mayLeaveTraces(error) ? await explained(client, creation, error) : error;
	});
}

async function explained(client: Client, creation: Creation, error: unknown) {
	const { externalId } = creation;
	const found = await findByExternalId(client, creation).catch(() => undefined);
	if (!found) {
		const advice = `Before you run it again, look in Documenso for a document with the external ID ${externalId}.`;
		return withDocument(error, advice, { externalId });
	}
	if (found.length === 0) {
		const advice = `Documenso has no document with the external ID ${externalId}, so it was most likely not created.`;
		return withDocument(error, advice, { externalId });
	}
	const list = found.map(({ id, status }) => `${id} (${status})`).join(', ');
	const advice = `Documenso has the document: ${list}. Go on with it instead of creating another.`;
	return withDocument(error, advice, { externalId, documentIds: found.map(({ id }) => id) });
}

/** The service has no exact filter: it searches, in one folder at a time (contract §9.3). */
async function findByExternalId(client: Client, { externalId, folderId }: Creation) {
	const body = await client.send({
		method: 'GET',
		path: '/envelope',
		query: {
			type: 'DOCUMENT',
			query: externalId,
			perPage: 100,
			...(folderId ? { folderId } : {}),
		},
	});
	return readList(body).data.filter((document) => document.externalId === externalId);
}
