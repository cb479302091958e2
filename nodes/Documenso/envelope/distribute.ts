import type { IDataObject } from 'n8n-workflow';

import { hasCode, isOutcomeUnknown, withDocument } from '../errors';
import { json } from '../transport/body';
import type { Client } from '../transport/client';
import { path } from '../transport/path';
import { readEnvelope, signersWithoutSignature, type Envelope } from './envelope';

/**
 * Sends a document. Returns it with the signing links, also when the answer was lost but the document
 * turns out to be sent; so no one sends it again.
 */
export async function distribute(
	client: Client,
	id: string,
	meta: IDataObject,
): Promise<IDataObject> {
	const body = json({ envelopeId: id, ...(Object.keys(meta).length > 0 ? { meta } : {}) });
	return await client
		.send({ method: 'POST', path: '/envelope/distribute', body })
		.catch(async (error: unknown) => await settle(client, id, error));
}

async function settle(client: Client, id: string, error: unknown): Promise<IDataObject> {
	if (hasCode(error, 'MISSING_SIGNATURE_FIELD')) {
		const signers = signersWithoutSignature(await envelopeOf(client, id)).join(', ');
		throw withDocument(error, `Without a signature field: ${signers}.`, { id });
	}
	if (isOutcomeUnknown(error)) {
		const envelope = await envelopeOf(client, id).catch(() => undefined);
		if (envelope?.status === 'PENDING') return sent(client, envelope);
	}
	throw error;
}

/** Read anew: what an earlier step of the execution read is out of date by now. */
async function envelopeOf(client: Client, id: string): Promise<Envelope> {
	return readEnvelope(await client.send({ method: 'GET', path: path`/envelope/${id}` }));
}

/** As the service answers a send. */
function sent(client: Client, { id, recipients }: Envelope): IDataObject {
	return {
		success: true,
		id,
		recipients: recipients.map(({ token, ...recipient }) => ({
			id: recipient.id,
			name: recipient.name,
			email: recipient.email,
			token,
			role: recipient.role,
			signingOrder: recipient.signingOrder,
			signingUrl: client.signingUrl(token),
		})),
	};
}
