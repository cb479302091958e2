import { clock } from './clock';
import type { Envelope, EnvelopeRecipient } from './envelope';

/** Nothing happens any more to a document with this status. */
export function isFinal(status: string): boolean {
	return status === 'COMPLETED' || endedUnsigned(status);
}

export function endedUnsigned(status: string): boolean {
	return status === 'REJECTED' || status === 'CANCELLED';
}

type Acting = Pick<EnvelopeRecipient, 'role' | 'signingStatus'>;

/** A CC recipient never acts: they get a copy when everyone has (documenso-api.md: Recipients). */
export function acts({ role }: Pick<EnvelopeRecipient, 'role'>): boolean {
	return role !== 'CC';
}

export function hasToAct(recipient: Acting): boolean {
	return acts(recipient) && recipient.signingStatus === 'NOT_SIGNED';
}

/** Whether a recipient has signed, approved or viewed; a CC counts as signed from the start. */
export function hasSigned(recipient: Acting): boolean {
	return acts(recipient) && recipient.signingStatus === 'SIGNED';
}

export function hasRejected({ signingStatus }: Pick<Acting, 'signingStatus'>): boolean {
	return signingStatus === 'REJECTED';
}

/** Those who have not acted; nobody once somebody has rejected, which ends a document for everyone. */
export function openRecipients<Recipient extends Acting>({
	recipients,
}: {
	recipients: Recipient[];
}): Recipient[] {
	return recipients.some(hasRejected) ? [] : recipients.filter(hasToAct);
}

/** Otherwise all sign at once, and the recipients' signing orders mean nothing. */
export function isSequential({ documentMeta }: Partial<Pick<Envelope, 'documentMeta'>>): boolean {
	return documentMeta?.signingOrder === 'SEQUENTIAL';
}

interface SigningPlace {
	id: number;
	signingOrder?: number | null;
}

/** Those who sign first come first: Documenso lists them in no useful order (documenso-api.md: Recipients). */
export function inSigningOrder<Recipient extends SigningPlace>(
	recipients: Recipient[],
): Recipient[] {
	const place = ({ signingOrder }: SigningPlace) => signingOrder ?? Infinity;
	return [...recipients].sort((a, b) =>
		place(a) === place(b) ? a.id - b.id : place(a) - place(b),
	);
}

/** Whether all before this one have signed, so that the last of them could name who signs next. */
export function comesAfterSigner<Recipient extends Omit<SigningPlace, 'id'> & Acting>(
	{ signingOrder }: Recipient,
	recipients: Recipient[],
): boolean {
	const place = signingOrder ?? Infinity;
	const before = recipients.filter((one) => acts(one) && (one.signingOrder ?? Infinity) < place);
	return before.length > 0 && before.every(hasSigned);
}

/** Of those who have not acted yet, the ones who can act now. */
export function recipientsInTurn<Recipient extends SigningPlace & Acting>(
	envelope: { recipients: Recipient[] } & Pick<Envelope, 'documentMeta'>,
): Recipient[] {
	const open = openRecipients(envelope);
	return isSequential(envelope) ? inSigningOrder(open).slice(0, 1) : open;
}

/** Whether a recipient's time to act is over; `now` in milliseconds, by Documenso's clock. */
export function hasExpired(
	recipient: Acting & { expiresAt?: Date | string | null },
	now: number,
): boolean {
	const { expiresAt } = recipient;
	return hasToAct(recipient) && Boolean(expiresAt) && new Date(expiresAt ?? '').getTime() <= now;
}

/** Documenso's clock is known in whole seconds only. */
export const CLOCK_TOLERANCE_MS = 2000;

/** What time it is for Documenso at the latest, in milliseconds since the epoch. */
export function serviceTime({ clockSkew }: { clockSkew: number }): number {
	return clock.now() + clockSkew + CLOCK_TOLERANCE_MS;
}
