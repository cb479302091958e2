import type { Field, Recipient } from '../entities';
import { AppError, notFound } from '../errors';
import type { Instance } from '../instance';
import type { Signing } from './rules';

/** The empty fields of others that an assistant is shown. */
export function assistedFields(signing: Signing): Field[] {
	const { envelope, recipient } = signing;
	if (recipient.role !== 'ASSISTANT') return [];
	return envelope.fields.filter((field) => {
		const owner = ownerOf(signing, field);
		const isOfOther = owner !== undefined && owner !== recipient && isReachable(recipient, owner);
		return isOfOther && !field.inserted && !field.fieldMeta?.readOnly && isNoSignature(field);
	});
}

/** An assistant fills in their own fields and those of later signers, but no signatures (documenso-api.md: Sealing). */
export function assertMayFill(instance: Instance, signing: Signing, field: Field): void {
	const { recipient } = signing;
	if (recipient.role !== 'ASSISTANT') return;
	const owner = ownerOf(signing, field);
	if (!owner || !isReachable(recipient, owner)) throw notFound(`Field ${field.id} not found`);
	if (owner !== recipient && !isNoSignature(field)) {
		throw new AppError('INVALID_REQUEST', 'Assistant recipients cannot sign signature fields');
	}
	if (owner.expiresAt && owner.expiresAt <= instance.now()) {
		throw new AppError('RECIPIENT_EXPIRED', 'Recipient signing window has expired');
	}
}

/** Whoever has no signing order is out of reach, even assistants themselves. */
function isReachable(assistant: Recipient, { signingOrder, signingStatus }: Recipient): boolean {
	return (
		signingStatus !== 'SIGNED' &&
		signingOrder !== null &&
		signingOrder >= (assistant.signingOrder ?? 0)
	);
}

function isNoSignature({ type }: Field): boolean {
	return type !== 'SIGNATURE';
}

function ownerOf({ envelope }: Signing, { recipientId }: Field): Recipient | undefined {
	return envelope.recipients.find(({ id }) => id === recipientId);
}
