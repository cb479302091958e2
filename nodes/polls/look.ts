import type { IPollFunctions } from 'n8n-workflow';

import { HttpClient, type Client } from '../Documenso/api/client';
import { mapConcurrently } from '../Documenso/api/concurrency';
import { CREDENTIAL, type Credential } from '../Documenso/api/exchange';
import { thisProcess } from '../Documenso/engine/process';
import { listen } from '../Documenso/waiting/listeners';
import type { Marked } from '../Documenso/waiting/unmark';
import { nudge } from '../events/nudge';
import { publicAddress } from '../events/resumeAddress';
import type { Occurrence } from './comparison';
import { begin, poll } from './poll';
import { readState, writeState } from './state';

/** For n8n versions that do not say how long a poll may take. */
const DEFAULT_BUDGET_MS = 5 * 60_000;

/** Nudges under way at a time. */
const NUDGES = 4;

/** The limits of a nudge, in milliseconds. The next poll tries again. */
const LIMITS = { timeout: 30_000, patience: 0 };

/** What a look at Documenso has found. */
interface Look {
	client: Client;
	occurrences: Occurrence[];
	/** The state to look with the next time. */
	after: string;
	/** Whether there was no state, or one of another account: then nothing is reported. */
	isFirst: boolean;
}

/**
 * Finds what has happened since `before`, the state that the last look left, and wakes the executions that wait for it.
 */
export async function look(context: IPollFunctions, before: unknown): Promise<Look> {
	const budgetMs = budgetOf(context);
	const credential = await context.getCredentials<Credential>(CREDENTIAL);
	const deadline = AbortSignal.timeout(budgetMs);
	const client = await HttpClient.of(context, { credential, deadline });
	listen(context, client);
	const known = readState(before, client.account);
	// No new reads start after half of the time; the other half is for those under way.
	const halfTime = Date.now() + budgetMs / 2;
	const { occurrences, ended, state } = known
		? await poll(client, known, () => Date.now() > halfTime)
		: await begin(client);
	// They may have been deleted before any look has seen them.
	const waitedFor = thisProcess.waits.documentsOf(client.account);
	const unseen = waitedFor.filter((id) => !state.open.has(id));
	const possible = [...unseen.map((id) => ({ id })), ...state.unreached, ...ended];
	state.unreached = await wake(context, credential, possible);
	return { client, occurrences, after: writeState(state), isFirst: known === undefined };
}

/** How long the poll may take, in milliseconds. */
function budgetOf(context: Partial<Pick<IPollFunctions, 'getPollBudgetMs'>>): number {
	return context.getPollBudgetMs?.() ?? DEFAULT_BUDGET_MS;
}

/** Wakes the executions that wait for these documents. Returns those for which the next poll has to try again. */
async function wake(
	context: IPollFunctions,
	credential: Credential,
	documents: Marked[],
): Promise<Marked[]> {
	const addresses = () => [publicAddress(context)];
	const byId = new Map(documents.map(({ id, externalId }) => [id, { id, externalId }]));
	const unreached = await mapConcurrently(
		byId.values(),
		() => NUDGES,
		async (document) => {
			const isReached = await nudge(context, document, { credential, addresses, ...LIMITS });
			return isReached ? [] : [document];
		},
	);
	return unreached.flat();
}
