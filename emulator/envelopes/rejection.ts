import { AppError } from '../errors';
import type { Caller } from '../http/auth';
import type { Instance } from '../instance';
import type { RejectRecipient } from '../schemas/recipients';
import { assertVisible } from './access';
import { isExpired } from './find';
import { markRejected, type Signing } from './sign';

/** Somebody of the team writes down that a recipient said no. */
export function rejectOnBehalf(
	instance: Instance,
	caller: Caller,
	{ recipientId, envelopeId, reason, actAsEmail }: RejectRecipient,
): Signing {
	const found = instance.store.findRecipient(recipientId);
	const inEnvelope = found?.envelope.id === envelopeId ? found : undefined;
	const signing = assertVisible(inEnvelope, caller, 'Document or recipient not found');
	assertRejectable(instance, signing);
	// All the emulator knows of a team's members: who calls, and who owns the document.
	const members = [caller.user.email, signing.envelope.user.email];
	if (actAsEmail !== undefined && !members.includes(actAsEmail)) {
		throw new AppError('UNAUTHORIZED', 'The given e-mail is not one of a team member');
	}
	markRejected(instance, signing, reason);
	return signing;
}

function assertRejectable(instance: Instance, { envelope, recipient }: Signing): void {
	if (envelope.status !== 'PENDING') {
		const message = `Document ${envelope.id} must be pending to reject`;
		throw new AppError('INVALID_REQUEST', message);
	}
	if (recipient.signingStatus !== 'NOT_SIGNED') {
		const message = `Recipient ${recipient.id} has already actioned this document`;
		throw new AppError('INVALID_REQUEST', message);
	}
	if (isExpired(recipient, instance.now())) {
		throw new AppError('RECIPIENT_EXPIRED', "The recipient's time to sign has run out");
	}
}
