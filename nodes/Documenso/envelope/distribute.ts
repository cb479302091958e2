import type { IDataObject } from 'n8n-workflow';

import { z } from 'zod';

import { hasCode, isElsewhere, isOutcomeUnknown, isWorthALook, noting } from '../api/failure';
import type { Client } from '../api/client';
import { path } from '../api/path';
import { signersWithoutSignature, type Envelope } from '../api/envelope';
import { freeSignatureFailure, freeSignaturesOf } from './freeSignature';

/** What of a recipient tells when it is their turn. */
export const turnSchema = z.object({ id: z.number(), signingOrder: z.number().nullish() });

type Turn = z.infer<typeof turnSchema>;

const auditLogSchema = z.object({
	data: z.array(z.object({ type: z.string(), createdAt: z.coerce.date() })),
});

const sentSchema = z
	.object({ id: z.string(), recipients: z.array(turnSchema.passthrough()) })
	.passthrough();

/** After an unknown outcome the service may still be at work; milliseconds before each look. */
export const LOOKS = [0, 1000, 2000];

/** The service tells its time in whole seconds. */
export const CLOCK_TOLERANCE_MS = 2000;

/**
 * Sends a document. When the answer is lost, a new document that turns out to be PENDING was sent, so that no
 * one sends it again; an older one (`isNew` is false) may have been sent before, so its audit log has to say.
 */
export async function distribute(
	client: Client,
	id: string,
	meta: IDataObject,
	isNew: boolean,
): Promise<IDataObject> {
	const body = { envelopeId: id, ...(Object.keys(meta).length > 0 ? { meta } : {}) };
	const send = async () => {
		const answer = await client.post('/envelope/distribute', body, sentSchema);
		return { ...answer, recipients: inTurn(answer.recipients) };
	};
	const begunAt = Date.now();
	return await send().catch(
		async (error: unknown) => await afterFailure(client, id, isNew ? undefined : begunAt, error),
	);
}

async function afterFailure(
	client: Client,
	id: string,
	begunAt: number | undefined,
	error: unknown,
): Promise<IDataObject> {
	if (hasCode(error, 'MISSING_SIGNATURE_FIELD')) {
		const envelope = await client.envelope(id).catch(() => undefined);
		const signers = envelope ? signersWithoutSignature(envelope).join(', ') : 'a signer';
		throw noting(error, `Without a signature field: ${signers}.`, { id });
	}
	if (hasCode(error, 'INVALID_REQUEST')) {
		const envelope = await client.envelope(id).catch(() => undefined);
		throw envelope ? freeSignatureFailure(error, freeSignaturesOf(envelope)) : error;
	}
	if (!isWorthALook(error)) throw error;
	const envelope = await lookAt(client, id, isOutcomeUnknown(error) ? LOOKS : [0]);
	if (envelope?.status === 'PENDING') {
		const isOurs = begunAt === undefined || (await wasSentSince(client, id, begunAt));
		if (isOurs) return sent(client, envelope);
	}
	if (!envelope && isElsewhere(error)) throw error;
	const state = envelope
		? `The document ${id} is ${envelope.status} now: look at it before sending it again.`
		: `Look at the document ${id} before sending it again.`;
	throw noting(error, state, {
		id,
		...(envelope ? { documentStatus: envelope.status } : {}),
	});
}

/** The document, as soon as it is no draft any more; undefined when the service could not be asked. */
async function lookAt(client: Client, id: string, pauses: number[]): Promise<Envelope | undefined> {
	let envelope: Envelope | undefined;
	for (const pause of pauses) {
		await client.wait(pause);
		envelope = await client.envelope(id).catch(() => envelope);
		if (envelope && envelope.status !== 'DRAFT') break;
	}
	return envelope;
}

/** Whether the document was sent since then (milliseconds since the epoch), as far as its audit log can be read. */
async function wasSentSince(client: Client, id: string, begunAt: number): Promise<boolean> {
	const query = { orderByColumn: 'createdAt', orderByDirection: 'desc', perPage: 100 };
	try {
		const { data } = await client.get(path`/envelope/${id}/audit-log`, auditLogSchema, query);
		const since = begunAt + client.clockSkew - CLOCK_TOLERANCE_MS;
		return data.some(
			({ type, createdAt }) => type === 'DOCUMENT_SENT' && createdAt.getTime() >= since,
		);
	} catch {
		return false;
	}
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

/** Those who sign first come first: the service tells them in no useful order (documenso-api.md: Sending). */
export function inTurn<Recipient extends Turn>(recipients: Recipient[]): Recipient[] {
	const turn = ({ signingOrder }: Turn) => signingOrder ?? Infinity;
	return [...recipients].sort((a, b) => (turn(a) === turn(b) ? a.id - b.id : turn(a) - turn(b)));
}
