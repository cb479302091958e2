import { randomUUID } from 'node:crypto';

import type { IExecuteFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import { messageOf } from '../Documenso/api/failure';

/** How many names n8n keeps for a node, three to five for each event; the oldest are forgotten first. */
const MOST_NAMES = 10_000;

/** n8n's history of what a node has processed: in its database, and the same for all of its processes. */
const HISTORY = { mode: 'entries', maxEntries: MOST_NAMES } as const;

/** How often to record what another process may write over. */
const TRIES = 5;

/** How long to wait for n8n's database, in milliseconds. Without it, n8n could not store that an execution has failed. */
const PATIENCE_MS = 60_000;

/** After another process was faster, and after the database has failed. */
const PAUSES_MS = { collision: 50, failure: 1_000 };

/** What the database has said of names that were to be recorded. */
export interface Answer {
	added: string[];
	/** Those that another process has recorded at the same moment. */
	contested: string[];
	/** Those that were on record. */
	known: string[];
	/** Whether an earlier try, whose answer was lost, may have put the latter there. */
	isDoubtful: boolean;
}

/**
 * Records names, and looks again: an execution in another process, which had read the history before, may have written its own
 * over this one since. What is known then, the other process has recorded, and goes on with. If it has recorded all of these
 * names, only a mark that nobody else can have tells that.
 *
 * Nothing else in this process may change the history at the same moment. This is so for all three functions.
 */
export async function record(context: IExecuteFunctions, names: string[]): Promise<Answer> {
	const mark = randomUUID();
	const begun = performance.now();
	const answer = await ask(context, [...names, mark]);
	// The other process may take as long, but not while the database is gone.
	const settling = Math.min(performance.now() - begun, PAUSES_MS.failure);
	let { added } = answer;
	for (let tries = 1; added.length > 0 && tries < TRIES; tries++) {
		await sleep(settling);
		// That it was recorded is all that is known if the database is gone now.
		const lost = await ask(context, added).then(
			(again) => again.added,
			() => [],
		);
		if (lost.length === 0) break;
		added = lost;
	}
	const contested = answer.added.filter((name) => name !== mark && !added.includes(name));
	return { ...answer, added: added.filter((name) => name !== mark), contested };
}

/** Records names that this process has recorded before. */
export async function repeat(context: IExecuteFunctions, names: string[]): Promise<void> {
	await ask(context, names);
}

export async function forget(context: IExecuteFunctions, names: string[]): Promise<void> {
	await context.helpers.removeProcessed(names, 'node', HISTORY);
	// An execution in another process may have written back what it had read before.
	await sleep(PAUSES_MS.collision);
	await context.helpers.removeProcessed(names, 'node', HISTORY);
}

async function ask(
	context: IExecuteFunctions,
	names: string[],
	until = Date.now() + PATIENCE_MS,
	hasFailed = false,
): Promise<Answer> {
	const asked = context.helpers.checkProcessedAndRecord(names, 'node', HISTORY);
	// The first executions of two processes both make the history, and one of them fails.
	const collides = (error: unknown) => /unique constraint/i.test(messageOf(error));
	const answer = await asked.catch(async (error: unknown) => {
		if (Date.now() > until) throw error;
		const failure = collides(error) ? 'collision' : 'failure';
		await sleep(PAUSES_MS[failure]);
		return failure;
	});
	if (answer === 'collision') return await ask(context, names, until, hasFailed);
	if (answer === 'failure') return await ask(context, names, until, true);
	const [added, known] = [answer.new.map(String), answer.processed.map(String)];
	// n8n writes all names or none: if one was not there, the failed try has left nothing.
	return { added, contested: [], known, isDoubtful: hasFailed && added.length === 0 };
}
