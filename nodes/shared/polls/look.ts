import type { IPollFunctions } from 'n8n-workflow';

import { clock, idle } from '../api/clock';
import { HttpClient, type Client } from '../api/client';
import { mapConcurrently } from '../api/concurrency';
import { CREDENTIAL, type Credential } from '../api/exchange';
import { PerNode, type NodeOfWorkflow } from '../n8n/remembered';
import { thisProcess } from '../n8n/process';
import { groupedBy } from '../n8n/values';
import { listen } from '../waiting/listeners';
import { publicAddress } from '../waiting/reach';
import type { Marked } from '../waiting/unmark';
import type { DocumensoEvent } from '../events/event';
import { nudge } from '../events/nudge';
import { begin, poll } from './poll';
import { Reading } from './reading';
import { readState, writeState, type State } from './state';
import type { Stored } from './stored';

/** For n8n versions that do not say how long a poll may take. */
const DEFAULT_BUDGET_MS = 5 * 60_000;

/** What a look may begin with while n8n publishes, in requests and in milliseconds: n8n gives that little time. */
const [FIRST_REQUESTS, FIRST_MS] = [15, 20_000];

/** Nudges under way at a time. */
const NUDGES = 4;

/** The limits of a nudge, in milliseconds. The next poll tries again. */
const LIMITS = { timeout: 30_000, patience: 0 };

export interface Look {
	client: Client;
	events: DocumensoEvent[];
	/** The state to look with the next time. */
	after: string;
	/** Whether there was no state, or one of another account: then hardly anything is reported. */
	isFirst: boolean;
	/** Whether it took more than one poll. */
	isLate: boolean;
}

/** If a look takes longer than n8n gives a poll, the next poll continues it. */
interface UnderWay {
	found: Promise<Omit<Look, 'isLate'>>;
	reading: Reading;
	/** When the state was left that it has begun with. */
	since: number;
}

/** What this process knows of a node's polls. */
interface Polls {
	underWay?: UnderWay;
	/** The context of the last poll, and since when (by `uptime`) each poll has come with another one. */
	context?: IPollFunctions;
	alteringSince?: number;
}

const polls = new PerNode<Polls>(() => ({}));

/** How long n8n may take to publish a workflow, in milliseconds. */
const PUBLISHING_MS = 2 * 60_000;

/**
 * Whether n8n is publishing the workflow, or starts: it polls once then, before or after it has set up a webhook, and the
 * workflow is only published when that has ended. All later polls come with the same context, but with n8n's durable poll
 * jobs, each comes with its own. To be asked once in each poll.
 */
export function mayBePublishing(context: IPollFunctions): boolean {
	const own = polls.of(context);
	// By a clock that nobody sets.
	const now = clock.uptime();
	const isAnother = own.context !== context;
	own.context = context;
	own.alteringSince = isAnother ? (own.alteringSince ?? now) : undefined;
	return isAnother && now - (own.alteringSince ?? now) < PUBLISHING_MS;
}

/** The next poll is that of another publishing, and what a look under way has seen is not wanted any more. */
export function forgetPolls(node: NodeOfWorkflow) {
	polls.of(node).underWay = undefined;
	polls.end(node);
}

/**
 * Finds what has happened since `before`, which the last look has left, and wakes the executions that wait for it.
 * Undefined if the look goes on in the next poll, or if another poll has had its result. While n8n may be publishing the
 * workflow, a first look begins with few requests (`isFirstLimited`), and the poll has little time (`isBrief`).
 */
export async function look(
	context: IPollFunctions,
	before: Stored,
	{ isFirstLimited = false, isBrief = false } = {},
): Promise<Look | undefined> {
	const credential = await context.getCredentials<Credential>(CREDENTIAL);
	const client = await HttpClient.of(context, { credential });
	listen(context, client);
	const own = polls.of(context);
	const { underWay } = own;
	const since = before.at ?? 0;
	const isOfAccount = underWay?.reading.client.account === client.account;
	// Or another process may have looked meanwhile.
	const known = isOfAccount && since <= underWay.since ? underWay : undefined;
	known?.reading.goOn();
	const startNew = () => {
		const state = readState(before.state, client.account);
		const reading = new Reading(client, isFirstLimited && !state ? FIRST_REQUESTS : Infinity);
		// Of another account, nothing was asked for.
		const publishedAt = before.state === undefined ? before.publishedAt : undefined;
		return { found: find(context, credential, reading, state ?? publishedAt), reading, since };
	};
	const current = (own.underWay = known ?? startNew());
	const { found, reading } = current;
	// It may end between two polls, and the next one tells how.
	const isOver = found.catch(() => undefined).then(() => true);
	const isShort = reading.isLimited || (isBrief && !known);
	const ms = isShort ? Math.min(FIRST_MS, budgetOf(context)) : budgetOf(context);
	const hasEnded = await Promise.race([isOver, reading.usedUp(), idle(ms)]);
	if (!hasEnded || own.underWay !== current) return undefined;
	own.underWay = undefined;
	return { ...(await found), isLate: known !== undefined };
}

/** Looks since a state, or since the workflow was published. */
async function find(
	context: IPollFunctions,
	credential: Credential,
	reading: Reading,
	since: State | number | undefined,
): Promise<Omit<Look, 'isLate'>> {
	const { client } = reading;
	// Between polls, n8n evaluates no expressions.
	const address = publicAddress(context);
	// What is read after half of the time of a poll is left to the next look, so that something is reported.
	const halfTime = clock.now() + budgetOf(context) / 2;
	const isFirst = typeof since !== 'object';
	const { events, ended, state } = isFirst
		? await begin(reading, since)
		: await poll(reading, since, () => clock.now() > halfTime);
	// They may have been deleted before any look has seen them.
	const waitedFor = thisProcess.waits.documentsOf(client.account);
	const unseen = waitedFor.filter((id) => !state.open.has(id));
	// Of one that stands here twice, the first is the newest.
	const possible = [...ended, ...state.unreached, ...unseen.map((id) => ({ id }))];
	const way = { credential, addresses: () => [address], ...LIMITS };
	state.unreached = await nudgeAll(context, way, possible);
	return { client, events, after: writeState(state), isFirst };
}

/** How long the poll may take, in milliseconds. */
function budgetOf(context: Partial<Pick<IPollFunctions, 'getPollBudgetMs'>>): number {
	return context.getPollBudgetMs?.() ?? DEFAULT_BUDGET_MS;
}

/** Wakes the executions that wait for these documents. Returns those for which the next poll has to try again. */
async function nudgeAll(
	context: IPollFunctions,
	way: Parameters<typeof nudge>[2],
	documents: Marked[],
): Promise<Marked[]> {
	const begunAt = clock.uptime();
	const untried: Marked[] = [];
	const unreached = await mapConcurrently(
		groupedBy(documents, ({ id }) => id).values(),
		() => NUDGES,
		async ([{ id, externalId }]) => {
			const document = { id, externalId };
			// Executions that never answer must delay neither the events nor the other executions.
			if (clock.uptime() - begunAt >= LIMITS.timeout) {
				untried.push(document);
				return [];
			}
			return (await nudge(context, document, way)) ? [] : [document];
		},
	);
	return [...untried, ...unreached.flat()];
}
