import type { Envelope } from '../api/envelope';

/** How the wait for a document ended. */
export type Outcome = 'completed' | 'rejected' | 'cancelled' | 'deleted' | 'expired' | 'timeLimit';

const FINAL: ReadonlyMap<string, Outcome> = new Map([
	['COMPLETED', 'completed'],
	['REJECTED', 'rejected'],
	['CANCELLED', 'cancelled'],
]);

/** Undefined while somebody may still act. `now` is the service's time, in milliseconds since the epoch. */
export function outcomeOf(
	envelope: Envelope | undefined,
	{ endsOnExpiry, now }: { endsOnExpiry: boolean; now: number },
): Outcome | undefined {
	if (!envelope) return 'deleted';
	const hasExpired = openRecipients(envelope).some(
		({ expiresAt }) => expiresAt && expiresAt.getTime() <= now,
	);
	return FINAL.get(envelope.status) ?? (endsOnExpiry && hasExpired ? 'expired' : undefined);
}

/** Those who have not acted yet. */
export function openRecipients({ recipients }: Envelope) {
	return recipients.filter(
		({ role, signingStatus }) => role !== 'CC' && signingStatus === 'NOT_SIGNED',
	);
}
