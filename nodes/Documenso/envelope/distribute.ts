import type { IDataObject } from 'n8n-workflow';

import { z } from 'zod';

import { hasCode, mayLeaveTraces, withDocument } from '../errors';
import { json } from '../transport/body';
import type { Client } from '../transport/client';
import { path } from '../transport/path';
import { readEnvelope, signersWithoutSignature, type Envelope } from './envelope';

/** What of a recipient tells when it is their turn. */
export const turnSchema = z.object({ id: z.number(), signingOrder: z.number().nullish() });

export type Turn = z.infer<typeof turnSchema>;

const sentSchema = z.object({ id: z.string(), recipients: z.array(turnSchema) });

/**
 * Sends a document. When the answer is lost, a new document that turns out to be PENDING was sent, so that no
 * one sends it again; of an older one (`isNew` is false) it may have been sent before.
 */
export async function distribute(
	client: Client,
	id: string,
	meta: IDataObject,
	isNew: boolean,
): Promise<IDataObject> {
	const body = json({ envelopeId: id, ...(Object.keys(meta).length > 0 ? { meta } : {}) });
	const send = async () => {
		const answer = await client.send({ method: 'POST', path: '/envelope/distribute', body });
		client.parse(sentSchema, answer);
		return { ...answer, recipients: inTurn(answer.recipients as Turn[]) };
	};
	return await send().catch(async (error: unknown) => await settle(client, id, isNew, error));
}

async function settle(
	client: Client,
	id: string,
	isNew: boolean,
	error: unknown,
): Promise<IDataObject> {
	if (hasCode(error, 'MISSING_SIGNATURE_FIELD')) {
		const envelope = await envelopeOf(client, id).catch(() => undefined);
		const signers = envelope ? signersWithoutSignature(envelope).join(', ') : 'a signer';
		throw withDocument(error, `Without a signature field: ${signers}.`, { id });
	}
	if (!mayLeaveTraces(error)) throw error;
	const envelope = await envelopeOf(client, id).catch(() => undefined);
	if (isNew && envelope?.status === 'PENDING') return sent(client, envelope);
	const state = envelope
		? `The document ${id} is ${envelope.status} now.`
		: `Look at the document ${id} before sending it again.`;
	throw withDocument(error, state, {
		id,
		...(envelope ? { documentStatus: envelope.status } : {}),
	});
}

/** Read anew: what an earlier step of the execution read is out of date by now. */
export async function envelopeOf(client: Client, id: string): Promise<Envelope> {
	return readEnvelope(await client.send({ method: 'GET', path: path`/envelope/${id}` }));
}

/** As the service answers a send. */
function sent(client: Client, envelope: Envelope): IDataObject {
	return { success: true, id: envelope.id, recipients: recipientsWithLinks(client, envelope) };
}

/** As the service tells them when a document is made or sent. */
export function recipientsWithLinks(client: Client, { recipients }: Envelope): IDataObject[] {
	const withLinks = recipients.map(({ id, name, email, token, role, signingOrder }) => ({
		id,
		name,
		email,
		token,
		role,
		signingOrder,
		signingUrl: client.signingUrl(token),
	}));
	return inTurn(withLinks);
}

/** Those who sign first come first: the service tells them in no useful order (observed §4). */
export function inTurn(recipients: Turn[]): Turn[] {
	const turn = ({ signingOrder }: Turn) => signingOrder ?? Infinity;
	return [...recipients].sort((a, b) => (turn(a) === turn(b) ? a.id - b.id : turn(a) - turn(b)));
}
