import type { IPollFunctions } from 'n8n-workflow';

import { mapConcurrently } from '../Documenso/api/concurrency';
import { CREDENTIAL, type Credential } from '../Documenso/api/exchange';
import { nudge } from '../events/nudge';
import { publicAddress } from '../events/resumeAddress';

/** Nudges under way at a time. */
const CONCURRENCY = 4;

/** In milliseconds. The next poll tries again. */
const LIMITS = { timeout: 30_000, patience: 0 };

/**
 * Wakes the executions that wait for documents with these external IDs. Returns the IDs of those that could not be
 * reached, for the next poll.
 */
export async function wake(context: IPollFunctions, externalIds: string[]): Promise<string[]> {
	const credential = await context.getCredentials<Credential>(CREDENTIAL);
	const addresses = () => [publicAddress(context)];
	const unreached = await mapConcurrently(
		[...new Set(externalIds)],
		() => CONCURRENCY,
		async (externalId) => {
			const isReached = await nudge(context, externalId, { credential, addresses, ...LIMITS });
			return isReached ? [] : [externalId];
		},
	);
	return unreached.flat();
}
