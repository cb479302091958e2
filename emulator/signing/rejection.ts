import { storedInteger } from '../database';
import { AppError } from '../errors';
import type { Caller } from '../http/auth';
import type { Instance } from '../instance';
import type { RejectRecipient } from '../schemas/recipients';
import { assertEnvelopeId, assertVisible } from '../envelopes/access';
import { assertCanReject, type Signing } from './rules';
import { markRejected } from './sign';

/** A team member records that a recipient rejected the document. */
export function rejectOnBehalf(
	instance: Instance,
	caller: Caller,
	{ recipientId, envelopeId, reason, actAsEmail }: RejectRecipient,
): Signing {
	assertEnvelopeId(envelopeId);
	const id = storedInteger(recipientId, 'recipient.findFirst');
	const found = instance.store.findRecipient(id);
	const isThere = found?.envelope.id === envelopeId && found.envelope.type === 'DOCUMENT';
	const signing = assertVisible(
		isThere ? found : undefined,
		caller,
		'Document or recipient not found',
	);
	assertCanReject(instance, signing);
	if (signing.recipient.signingStatus !== 'NOT_SIGNED') {
		const message = `Recipient ${signing.recipient.id} has already actioned this document`;
		throw new AppError('INVALID_REQUEST', message);
	}
	// The local Documenso knows only two team members: the caller and the document's owner.
	const members = [caller.user, signing.envelope.user];
	const onBehalfOf = members.find(({ email }) => email === actAsEmail);
	if (actAsEmail !== undefined && !onBehalfOf) {
		const message = 'The user to act on behalf of must be a member of the team';
		throw new AppError('UNAUTHORIZED', message);
	}
	markRejected(instance, signing, reason, { by: onBehalfOf ?? caller.user, onBehalfOf });
	return signing;
}
