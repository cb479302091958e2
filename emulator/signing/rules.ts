import type { Envelope, Field, Recipient } from '../entities';
import type { Actor } from '../envelopes/auditLog';
import { AppError } from '../errors';
import type { Instance } from '../instance';

export interface Signing {
	envelope: Envelope;
	recipient: Recipient;
	/** Whom the audit log names, if not the recipient. */
	by?: Actor;
	/** Whoever comes by a direct link signs first, whatever their order and authentication. */
	isVisitor?: boolean;
}

/** Who receives a copy has nothing to do. */
function isUnfinished({ role, signingStatus }: Recipient): boolean {
	return role !== 'CC' && signingStatus === 'NOT_SIGNED';
}

function hasSigned({ role, signingStatus }: Recipient): boolean {
	return role === 'CC' || signingStatus === 'SIGNED';
}

export function unfinishedRecipients({ recipients }: Envelope): Recipient[] {
	return recipients.filter(isUnfinished);
}

export function isExpired(recipient: Recipient, now: Date): boolean {
	const { expiresAt } = recipient;
	return isUnfinished(recipient) && expiresAt !== null && expiresAt <= now;
}

/** SEQUENTIAL asks one recipient at a time: by signing order (none is last), then by ID. */
export function recipientsInTurn(envelope: Envelope): Recipient[] {
	const waiting = unfinishedRecipients(envelope);
	if (envelope.documentMeta.signingOrder === 'PARALLEL') return waiting;
	return inSigningOrder(waiting).slice(0, 1);
}

export function inSigningOrder(recipients: readonly Recipient[]): Recipient[] {
	const order = ({ signingOrder }: Recipient): number => signingOrder ?? Infinity;
	return [...recipients].sort((a, b) =>
		order(a) === order(b) ? a.id - b.id : order(a) - order(b),
	);
}

/** When a recipient was last changed; what has no number was not changed since it was created. */
const changes = new WeakMap<Recipient, number>();
let lastChange = 0;

export function noteChange(recipient: Recipient): void {
	lastChange += 1;
	changes.set(recipient, lastChange);
}

/**
 * Whether everybody before the recipient has signed; a rejection counts as not signed. Among equal signing
 * orders, the service takes the rows as PostgreSQL finds them: the last changed is last. So who is asked
 * by email has to wait for the others.
 */
function isTurnOf({ envelope, recipient }: Signing): boolean {
	if (envelope.documentMeta.signingOrder === 'PARALLEL') return true;
	const found = [...envelope.recipients].sort(
		(a, b) => (changes.get(a) ?? 0) - (changes.get(b) ?? 0) || a.id - b.id,
	);
	const ordered = found.sort(({ signingOrder: a }, { signingOrder: b }) => {
		return a === b ? 0 : (a ?? Infinity) - (b ?? Infinity);
	});
	const before = ordered.slice(0, ordered.indexOf(recipient));
	return before.every(hasSigned);
}

export const INSTEAD_OF_SIGNING = ['waiting', 'rejected', 'complete', 'expired'] as const;

/** The page that the signing page leads to if it does not open. For a cancelled document it opens. */
export function pageInstead(
	instance: Instance,
	signing: Signing,
): (typeof INSTEAD_OF_SIGNING)[number] | undefined {
	const statuses: string[] = [signing.envelope.status, signing.recipient.signingStatus];
	if (!isTurnOf(signing)) return 'waiting';
	if (statuses.includes('REJECTED')) return 'rejected';
	if (statuses.includes('COMPLETED') || statuses.includes('SIGNED')) return 'complete';
	return isExpired(signing.recipient, instance.now()) ? 'expired' : undefined;
}

const ENDED: Partial<Record<Envelope['status'], string>> = {
	COMPLETED: 'This document is completed',
	REJECTED: 'This document has been rejected',
	CANCELLED: 'This document has been cancelled',
};

/** Why the recipient cannot act now; undefined if they can. */
export function blockedReason(instance: Instance, signing: Signing): AppError | undefined {
	const { envelope, recipient } = signing;
	if (envelope.status === 'DRAFT') {
		return new AppError('INVALID_REQUEST', `Document ${envelope.id} must be pending for signing`);
	}
	if (recipient.role === 'CC') {
		return new AppError('INVALID_REQUEST', 'You receive a copy; there is nothing to sign');
	}
	if (recipient.signingStatus === 'SIGNED') {
		return new AppError('RECIPIENT_ALREADY_SIGNED', 'You have already signed this document');
	}
	if (recipient.signingStatus === 'REJECTED') {
		return new AppError('INVALID_REQUEST', 'You have rejected this document');
	}
	const ended = ENDED[envelope.status];
	if (ended) return new AppError(`ENVELOPE_${envelope.status}`, ended);
	if (isExpired(recipient, instance.now())) {
		return new AppError('RECIPIENT_EXPIRED', 'This signing link has expired');
	}
	if (!isTurnOf(signing)) return outOfTurn();
	return undefined;
}

function outOfTurn(): AppError {
	return new AppError('RECIPIENT_OUT_OF_TURN', 'It is not your turn to sign yet');
}

/** Fields can be filled in before one's turn; only completing has to wait. */
export function assertTurn(signing: Signing): void {
	if (!isTurnOf(signing)) throw outOfTurn();
}

/** Who has signed, and who receives a copy, can still reject, even before their turn and without a reason. */
export function assertCanReject(instance: Instance, { envelope, recipient }: Signing): void {
	if (envelope.status !== 'PENDING') {
		const message = `Document ${envelope.id} must be pending to reject`;
		throw new AppError('INVALID_REQUEST', message);
	}
	if (isExpired(recipient, instance.now())) {
		throw new AppError('RECIPIENT_EXPIRED', 'Recipient signing window has expired');
	}
}

/** The recipient's own authentication counts; the document's only if they have none. */
export function accessAuthOf({ envelope, recipient }: Signing): string[] {
	const own = recipient.authOptions?.accessAuth ?? [];
	return own.length > 0 ? own : envelope.authOptions.globalAccessAuth;
}

/** What can be optional; everything else is required. */
const OPTIONAL_TYPES = ['CHECKBOX', 'DROPDOWN', 'NUMBER', 'RADIO', 'TEXT'];

/** A field that is read only can be required, too: then only a value from before sending helps. */
export function isRequired({ type, fieldMeta }: Pick<Field, 'type' | 'fieldMeta'>): boolean {
	return !OPTIONAL_TYPES.includes(type) || fieldMeta?.required === true;
}

export function isMissing(field: Field): boolean {
	return !field.inserted && isRequired(field);
}

/**
 * A document is sealed after a rejection, or when everyone has signed; without a rejection, no required field may be
 * empty. Who receives a copy only ends it: as recorded, it is COMPLETED then if the others had nothing to fill in.
 */
export function hasEnded({ recipients }: Envelope): boolean {
	return (
		recipients.some(({ signingStatus }) => signingStatus === 'REJECTED') ||
		recipients.every(hasSigned)
	);
}
