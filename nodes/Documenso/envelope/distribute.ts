import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { clock } from '../../shared/api/clock';
import type { Client } from '../../shared/api/client';
import { envelopeSchema, type Envelope } from '../../shared/api/envelope';
import {
	foreignAnswerFailure,
	hasCode,
	isElsewhere,
	isOutcomeUnknown,
	mayHaveEffect,
	withNote,
} from '../../shared/api/failure';
import { CLOCK_TOLERANCE_MS, inSigningOrder, isFinal } from '../../shared/api/lifecycle';
import { path } from '../../shared/api/path';
import { Refusal } from '../../shared/n8n/refusal';
import { freeSignatureFailure, freeSignaturesOf } from './freeSignature';
import { emailingOf, obstaclesTo, signingOf, throwIfAny } from '../../shared/envelope/whoCanSign';

const sentToSchema = z
	.object({ id: z.number(), email: z.string(), signingOrder: z.number().nullish() })
	.passthrough();

/** What a request that sends a document is answered with. */
export type Sent = IDataObject & { recipients: Array<{ email: string }> };

/** The answer to a request that sends a document, or makes one from a template. */
export const sentSchema = z
	.object({ id: z.string(), recipients: z.array(sentToSchema) })
	.passthrough()
	.transform((answer) => ({ ...answer, recipients: inSigningOrder(answer.recipients) }));

export const auditLogSchema = z.object({
	data: z.array(z.object({ type: z.string(), createdAt: z.coerce.date() })),
});

const sendable = envelopeSchema.pick({
	...{ id: true, status: true, recipients: true, fields: true, documentMeta: true },
	...{ internalVersion: true },
});

/** What is already known of a document that is about to be sent. */
interface Checked {
	/** Sent along with it. */
	meta?: IDataObject;
	/** Whether nobody needs an address, because its input has allowed that. */
	mayLackAddress?: boolean;
}

/** Refuses a document that could not be signed to its end. */
export function checkSendable(
	{ site }: Client,
	record: object,
	{ meta = {}, mayLackAddress = false }: Checked = {},
) {
	const { data: envelope } = sendable.safeParse(record);
	// What cannot be read, or cannot be sent any more, Documenso judges.
	if (!envelope || isFinal(envelope.status)) return;
	const { id, documentMeta, recipients } = envelope;
	if (recipients.length === 0) {
		const advice = "Add them with 'Recipient: Add', and a signature field for each signer.";
		throw new Refusal(`'Document' ${id} cannot be sent: it has no recipients`, advice);
	}
	const signing = { ...signingOf(envelope), ...emailingOf({ ...documentMeta, ...meta }) };
	const isEmailed = signing.isEmailed && !mayLackAddress;
	const obstacles = obstaclesTo(signing, { isEmailed, site });
	throwIfAny(obstacles, 'Document', `${id} cannot be sent:`);
}

const withFields = envelopeSchema.pick({ recipients: true, fields: true });
const afterSending = envelopeSchema.pick({ status: true, recipients: true });

/** The service may still be at work after an unknown outcome: milliseconds to wait before each look. */
export const LOOKS = [0, 1000, 2000];

/**
 * Sends a document. If the answer is lost and a new document is no draft afterwards, this request has sent it. An older one
 * may have been sent before, so its audit log decides.
 */
export async function distribute(
	client: Client,
	id: string,
	{ meta = {}, isNew }: { meta?: IDataObject; isNew: boolean },
): Promise<Sent> {
	const body = { envelopeId: id, ...(Object.keys(meta).length > 0 ? { meta } : {}) };
	const begunAt = clock.now();
	try {
		const sent = await client.post('/envelope/distribute', body, sentSchema);
		if (sent.id !== id) throw foreignAnswerFailure(`It names the document ${sent.id}.`);
		return { ...sent, status: 'PENDING' };
	} catch (error) {
		return await sentAfterAll(client, id, isNew ? undefined : begunAt, error);
	}
}

/** The answer that a failed request would have had, if it sent the document. Throws otherwise. */
async function sentAfterAll(
	client: Client,
	id: string,
	begunAt: number | undefined,
	error: unknown,
): Promise<Sent> {
	if (hasCode(error, 'INVALID_REQUEST')) {
		const envelope = await client.envelope(id, withFields).catch(() => undefined);
		throw envelope ? freeSignatureFailure(error, freeSignaturesOf(envelope)) : error;
	}
	if (!mayHaveEffect(error)) throw error;
	const envelope = await lookAt(client, id, isOutcomeUnknown(error) ? LOOKS : [0]);
	const isNew = begunAt === undefined;
	// What has ended cannot be sent once more, so the log of an older one could only show another sending.
	if (envelope?.status === 'PENDING' || (isNew && envelope && isFinal(envelope.status))) {
		const isOurs = isNew || (await wasSentSince(client, id, begunAt));
		if (isOurs) {
			const recipients = recipientsWithLinks(client, envelope);
			return { success: true, id, recipients, status: envelope.status };
		}
	}
	if (!envelope && isElsewhere(error)) throw error;
	if (envelope && isFinal(envelope.status)) {
		const { status: documentStatus } = envelope;
		throw new Refusal(
			`The document ${id} is ${documentStatus.toLowerCase()}, so it cannot be sent any more`,
			'Choose a draft, or create a new document.',
			{ id, documentStatus },
		);
	}
	const state = envelope
		? `The status of the document ${id} is ${envelope.status.toLowerCase()} now. Look at it in Documenso before you send it again.`
		: `Look at the document ${id} in Documenso before you send it again.`;
	throw withNote(error, state, {
		id,
		...(envelope ? { documentStatus: envelope.status } : {}),
	});
}

/** The document, as soon as it is no longer a draft. Undefined if Documenso could not be asked. */
async function lookAt(client: Client, id: string, pauses: number[]) {
	let envelope: z.infer<typeof afterSending> | undefined;
	for (const pause of pauses) {
		await client.wait(pause);
		envelope = await client.envelope(id, afterSending).catch(() => envelope);
		if (envelope && envelope.status !== 'DRAFT') break;
	}
	return envelope;
}

/** By the audit log; false if it cannot be read. `begunAt` is in milliseconds since the epoch. */
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

/** The recipients as an answer to creating or sending a document has them. */
export function recipientsWithLinks(
	client: Client,
	{ recipients }: Pick<Envelope, 'recipients'>,
): Array<IDataObject & { email: string }> {
	const withLinks = recipients.map(({ id, name, email, token, role, signingOrder }) => ({
		id,
		name,
		email,
		token,
		role,
		signingOrder,
		signingUrl: client.signingUrl(token),
	}));
	return inSigningOrder(withLinks);
}
