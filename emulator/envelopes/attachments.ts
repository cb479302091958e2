import type { Attachment, Envelope } from '../entities';
import { AppError } from '../errors';
import type { Instance } from '../instance';

type AttachmentInput = Pick<Attachment, 'label' | 'data'>;

export function newAttachment({ store }: Instance, { label, data }: AttachmentInput): Attachment {
	return { id: store.ids.cuid(), label, data };
}

export function createAttachment(
	instance: Instance,
	envelope: Envelope,
	input: AttachmentInput,
): Attachment {
	assertOpen(envelope);
	const attachment = newAttachment(instance, input);
	envelope.attachments.push(attachment);
	return attachment;
}

export function updateAttachment(
	envelope: Envelope,
	attachment: Attachment,
	{ label, data }: AttachmentInput,
): void {
	assertOpen(envelope);
	Object.assign(attachment, { label, data });
}

export function deleteAttachment(envelope: Envelope, attachment: Attachment): void {
	assertOpen(envelope);
	envelope.attachments = envelope.attachments.filter(({ id }) => id !== attachment.id);
}

/** Attachments of a cancelled document can still be changed. */
function assertOpen({ status }: Envelope): void {
	if (status !== 'COMPLETED' && status !== 'REJECTED') return;
	const message =
		'Attachments can not be modified after the document has been completed or rejected';
	throw new AppError('INVALID_REQUEST', message);
}
