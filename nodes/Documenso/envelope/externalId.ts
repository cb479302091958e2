import { mayLeaveTraces, withDocument } from '../errors';
import type { Params } from '../params';
import type { Client } from '../transport/client';
import { readList } from './envelope';

/** By what a document is found again when the answer to its creation was lost. */
export interface Trace {
	externalId: string;
	/** Whether the id was made for this item, so that no other document has it. */
	isOwn: boolean;
	folderId?: string;
}

/** The external id for what an item creates: the user's or the template's, or else one of its own. */
export function traceFor(
	{ context, itemIndex }: Params,
	chosen: string | null | undefined,
	folderId?: string,
): Trace {
	if (chosen) return { externalId: chosen, isOwn: false, folderId };
	const run = String(context.getWorkflowDataProxy(itemIndex).$runIndex);
	const node = context.getNode().id.slice(0, 8);
	const externalId = ['n8n', context.getExecutionId(), node, run, itemIndex].join(':');
	return { externalId, isOwn: true, folderId };
}

/**
 * Creates a document. When it fails in a way that may leave one behind, the error says which: after
 * an unknown outcome, and after DOCUMENT_SEND_FAILED, whose answer lacks the id of the draft.
 */
export async function creating<Created>(
	client: Client,
	trace: Trace,
	create: () => Promise<Created>,
): Promise<Created> {
	return await create().catch(async (error: unknown) => {
		throw mayLeaveTraces(error) ? await explained(client, trace, error) : error;
	});
}

async function explained(client: Client, trace: Trace, error: unknown) {
	const { externalId, isOwn } = trace;
	const found = await findByExternalId(client, trace).catch(() => undefined);
	const list = (found ?? []).map(({ id, status }) => `${id} (${status})`).join(', ');
	const documentIds = (found ?? []).map(({ id }) => id);
	if (list === '') {
		const advice = `Documenso may have created it all the same, or still be at work on it: look for a document with the external ID ${externalId} before you run this item again.`;
		return withDocument(error, advice, { externalId });
	}
	const advice = isOwn
		? `Documenso has the document: ${list}. Go on with it instead of creating another.`
		: `Documenso has with the external ID ${externalId}: ${list}. See whether one of them is this item's before you create another.`;
	return withDocument(error, advice, { externalId, documentIds });
}

/** The service has no exact filter: it searches, in one folder at a time (contract §9.3). */
async function findByExternalId(client: Client, { externalId, folderId }: Trace) {
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
