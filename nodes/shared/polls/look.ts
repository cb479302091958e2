import type { IPollFunctions } from 'n8n-workflow';

import { clock, idle } from '../api/clock';
import { HttpClient, type Client } from '../api/client';
import { mapConcurrently } from '../api/concurrency';
import { CREDENTIAL, type Credential } from '../api/exchange';
import { PerNode, type NodeOfWorkflow } from '../n8n/perNode';
import { thisProcess } from '../n8n/process';
import { listen } from '../waiting/listeners';
import type { Marked } from '../waiting/unmark';
import type { DocumensoEvent } from '../events/event';
import { nudge } from '../events/nudge';
import { publicAddress } from '../events/resumeAddress';
import { Allowance } from './allowance';
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

/** What a look at Documenso has found. */
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

interface UnderWay {
	look: Promise<Omit<Look, 'isLate'>>;
	/** Resolves also if it fails. */
	isOver: Promise<boolean>;
	allowance: Allowance;
	account: string;
	/** When the state was left that it has begun with. */
	since: number;
	isFirst: boolean;
}

/** If a look takes longer than n8n gives a poll, the next poll continues it. */
const looks = new PerNode<{ underWay?: UnderWay }>(() => ({}));

/**
 * Finds what has happened since `before`, which the last look has left, and wakes the executions that wait for it.
 * Undefined if the look goes on in the next poll, or if another poll has had its result. With `limits`, n8n may be
 * publishing the workflow: a first look begins with few requests, and one that begins while it `isBrief` has little time.
 */
export async function look(
	context: IPollFunctions,
	before: Stored,
	limits?: { isBrief: boolean },
): Promise<Look | undefined> {
	const credential = await context.getCredentials<Credential>(CREDENTIAL);
	const client = await HttpClient.of(context, { credential });
	listen(context, client);
	const own = looks.of(context);
	const known = isStillWanted(own.underWay, client, before) ? own.underWay : undefined;
	const current = known ?? begun(context, { client, credential }, before);
	own.underWay = current;
	const isLimited = limits !== undefined && !known && current.isFirst;
	current.allowance.grant(isLimited ? FIRST_REQUESTS : Infinity);
	const isShort = isLimited || (limits?.isBrief && !known);
	const ms = isShort ? Math.min(FIRST_MS, budgetOf(context)) : budgetOf(context);
	const isOver = await Promise.race([current.isOver, current.allowance.usedUp(), idle(ms)]);
	if (!isOver || own.underWay !== current) return undefined;
	own.underWay = undefined;
	return { ...(await current.look), isLate: known !== undefined };
}

/** The credential may have been replaced, or another process may have looked meanwhile. */
function isStillWanted(underWay: UnderWay | undefined, { account }: Client, { at = 0 }: Stored) {
	return underWay?.account === account && at <= underWay.since;
}

/** What a look under way has seen is not wanted any more. */
export function stopLooking(node: NodeOfWorkflow) {
	looks.of(node).underWay = undefined;
}

/** Whose documents they are. */
interface Account {
	client: Client;
	credential: Credential;
}

function begun(context: IPollFunctions, account: Account, before: Stored): UnderWay {
	const allowance = new Allowance();
	const known = readState(before.state, account.client.account);
	const asked = lookSince(context, account, { ...before, known, allowance });
	// It may end between two polls, and the next one tells how.
	const isOver = asked.then(
		() => true,
		() => true,
	);
	const isFirst = known === undefined;
	const { at: since = 0 } = before;
	return { look: asked, isOver, allowance, account: account.client.account, since, isFirst };
}

interface From extends Stored {
	/** The state, if it is of the same account. */
	known?: State;
	allowance: Allowance;
}

async function lookSince(
	context: IPollFunctions,
	{ client, credential }: Account,
	{ state: before, known, publishedAt, allowance }: From,
): Promise<Omit<Look, 'isLate'>> {
	// Between polls, n8n evaluates no expressions.
	const address = publicAddress(context);
	const reading = new Reading(client, allowance);
	// What is read after half of the time of a poll is left to the next look, so that something is reported.
	const halfTime = clock.now() + budgetOf(context) / 2;
	// Of another account, nothing was asked for.
	const since = before === undefined ? publishedAt : undefined;
	const { events, ended, state } = known
		? await poll(reading, known, () => clock.now() > halfTime)
		: await begin(reading, since);
	// They may have been deleted before any look has seen them.
	const waitedFor = thisProcess.waits.documentsOf(client.account);
	const unseen = waitedFor.filter((id) => !state.open.has(id));
	// Of one that stands here twice, the first is the newest.
	const possible = [...ended, ...state.unreached, ...unseen.map((id) => ({ id }))];
	const way = { credential, addresses: () => [address], ...LIMITS };
	state.unreached = await wake(context, way, possible);
	return { client, events, after: writeState(state), isFirst: known === undefined };
}

/** How long the poll may take, in milliseconds. */
function budgetOf(context: Partial<Pick<IPollFunctions, 'getPollBudgetMs'>>): number {
	return context.getPollBudgetMs?.() ?? DEFAULT_BUDGET_MS;
}

/** Wakes the executions that wait for these documents. Returns those for which the next poll has to try again. */
async function wake(
	context: IPollFunctions,
	way: Parameters<typeof nudge>[2],
	documents: Marked[],
): Promise<Marked[]> {
	const byId = new Map<string, Marked>();
	for (const { id, externalId } of documents) if (!byId.has(id)) byId.set(id, { id, externalId });
	const begunAt = clock.uptime();
	const untried: Marked[] = [];
	const unreached = await mapConcurrently(
		byId.values(),
		() => NUDGES,
		async (document) => {
			// Executions that never answer must delay neither the events nor the other executions.
			if (clock.uptime() - begunAt >= LIMITS.timeout) {
				untried.push(document);
				return [];
			}
			const isReached = await nudge(context, document, way);
			return isReached ? [] : [document];
		},
	);
	return [...untried, ...unreached.flat()];
}
