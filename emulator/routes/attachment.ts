import type { Envelope } from '../entities';
import { assertVisible, getVisible } from '../envelopes/access';
import { createAttachment, deleteAttachment, updateAttachment } from '../envelopes/attachments';
import { AppError, notFound } from '../errors';
import type { Caller } from '../http/auth';
import { procedure, publicProcedure } from '../http/route';
import type { Instance } from '../instance';
import * as schemas from '../schemas/attachments';

const MISSING_ENVELOPE = 'Envelope not found';
const MISSING = 'Attachment not found';

export const attachmentRoutes = [
	publicProcedure({
		method: 'GET',
		path: '/envelope/attachment',
		operation: 'envelope.attachment.find',
		input: schemas.findAttachments,
		token: 'optional',
		answer: (instance, caller, { envelopeId, token }) => {
			const envelope =
				token === ''
					? visibleEnvelope(instance, caller, envelopeId)
					: recipientsEnvelope(instance, token, envelopeId);
			return { data: envelope.attachments.map((each) => ({ ...each, type: 'link' })) };
		},
	}),
	procedure({
		method: 'POST',
		path: '/envelope/attachment/create',
		operation: 'envelope.attachment.create',
		input: schemas.createAttachment,
		answer: (instance, caller, { envelopeId, data }) => {
			const envelope = getVisible(instance, caller, envelopeId, MISSING_ENVELOPE);
			const { id } = createAttachment(instance, envelope, data);
			return { id };
		},
	}),
	procedure({
		method: 'POST',
		path: '/envelope/attachment/update',
		operation: 'envelope.attachment.update',
		input: schemas.updateAttachment,
		answer: ({ store }, caller, { id, data }) => {
			const { envelope, attachment } = assertVisible(store.findAttachment(id), caller, MISSING);
			updateAttachment(envelope, attachment, data);
			return { success: true };
		},
	}),
	procedure({
		method: 'POST',
		path: '/envelope/attachment/delete',
		operation: 'envelope.attachment.delete',
		input: schemas.attachmentIdOnly,
		answer: ({ store }, caller, { id }) => {
			const { envelope, attachment } = assertVisible(store.findAttachment(id), caller, MISSING);
			deleteAttachment(envelope, attachment);
			return { success: true };
		},
	}),
];

function visibleEnvelope(
	instance: Instance,
	caller: Caller | undefined,
	envelopeId: string,
): Envelope {
	if (!caller) {
		throw new AppError('UNAUTHORIZED', 'You must be authenticated to access this resource');
	}
	return getVisible(instance, caller, envelopeId, MISSING_ENVELOPE);
}

function recipientsEnvelope({ store }: Instance, token: string, envelopeId: string): Envelope {
	const envelope = store.findByToken(token)?.envelope;
	if (envelope?.id !== envelopeId) throw notFound(MISSING_ENVELOPE);
	return envelope;
}
