import { randomUUID } from 'node:crypto';

import type { IExecuteFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import { messageOf } from '../Documenso/api/failure';

/** How many names n8n keeps for a node, six to eight for each event; the oldest are forgotten first. */
const MOST_NAMES = 10_000;

/** n8n's history of what a node has processed: in its database, and the same for all of its processes. */
const HISTORY = { mode: 'entries', maxEntries: MOST_NAMES } as const;

/** How often to record what another process may write over. */
const TRIES = 5;

/** How long to wait for n8n's database, in milliseconds. Without it, n8n could not store that an execution has failed. */
const PATIENCE_MS = 60_000;

/** After another process was faster, and after the database has failed. */
const PAUSES_MS = { collision: 50, failure: 1_000 };

/** What became of names that were to be recorded. */
export interface Recorded {
	/** Those that were not on record, and that nobody else has recorded at the same moment. */
	added: string[];
	/** Those that another process has recorded at the same moment, or may have. */
	contested: string[];
	/** Those that were on record, if an earlier try, whose answer was lost, may have put them there. */
	doubtful: string[];
}

/**
 * Records names, and looks again: an execution in another process, which had read the history before, may have written its own
 * over this one since. What is known then, the other process has recorded, and goes on with. If it has recorded all of these
 * names, only a mark that nobody else can have tells that.
 *
 * While this or one of the functions below runs, nothing else in this process may change the history.
 */
export async function record(context: IExecuteFunctions, names: string[]): Promise<Recorded> {
	const mark = randomUUID();
	const begun = performance.now();
	const answer = await ask(context, [...names, mark]);
	// The other process may take as long, but not while the database is gone.
	const settling = Math.min(performance.now() - begun, PAUSES_MS.failure);
	let { added } = answer;
	for (let tries = 1; added.length > 0 && tries < TRIES; tries++) {
		await sleep(settling);
		const again = await ask(context, added).catch(() => undefined);
		// That it was recorded is all that is known if the database is gone now.
		if (!again) break;
		if (again.added.includes(mark)) {
			added = again.added;
			continue;
		}
		// A try whose answer was lost has put the mark back if it was gone.
		if (again.hasFailed) added = [];
		if (again.added.length === 0) break;
	}
	return {
		added: added.filter((name) => name !== mark),
		contested: answer.added.filter((name) => name !== mark && !added.includes(name)),
		doubtful: answer.hasFailed && !answer.added.includes(mark) ? answer.known : [],
	};
}

/** Records names that this process has recorded before. */
export async function repeat(context: IExecuteFunctions, names: string[]): Promise<void> {
	await ask(context, names);
}

export async function forget(context: IExecuteFunctions, names: string[]): Promise<void> {
	await inTime(context.helpers.removeProcessed(names, 'node', HISTORY));
	// An execution in another process may have written back what it had read before.
	await sleep(PAUSES_MS.collision);
	await inTime(context.helpers.removeProcessed(names, 'node', HISTORY));
}

interface Answer {
	added: string[];
	known: string[];
	/** Whether an earlier try has failed, which may have recorded the names nevertheless. */
	hasFailed: boolean;
}

async function ask(
	context: IExecuteFunctions,
	names: string[],
	until = performance.now() + PATIENCE_MS,
	hasFailed = false,
): Promise<Answer> {
	const asked = inTime(context.helpers.checkProcessedAndRecord(names, 'node', HISTORY));
	// The first executions of two processes both make the history, and one of them fails.
	const collides = (error: unknown) => /unique constraint/i.test(messageOf(error));
	const answer = await asked.catch(async (error: unknown) => {
		if (performance.now() >= until) throw error;
		const failure = collides(error) ? 'collision' : 'failure';
		await sleep(PAUSES_MS[failure]);
		return failure;
	});
	if (answer === 'collision') return await ask(context, names, until, hasFailed);
	if (answer === 'failure') return await ask(context, names, until, true);
	return { added: answer.new.map(String), known: answer.processed.map(String), hasFailed };
}

/** A connection can break without a word, and the other executions of this process wait for the answer, too. */
async function inTime<Value>(answer: Promise<Value>): Promise<Value> {
	const limit = AbortSignal.timeout(PATIENCE_MS);
	const overdue = new Promise<never>((_resolve, reject) => {
		limit.addEventListener(
			'abort',
			() => {
				reject(new Error(`n8n's database has not answered for ${PATIENCE_MS / 1_000} seconds.`));
			},
			{ once: true },
		);
	});
	return await Promise.race([answer, overdue]);
}
