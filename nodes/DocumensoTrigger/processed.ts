import type { IExecuteFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

/** How many names n8n keeps for a node, two to four for each event; the oldest are forgotten first. */
const MOST_NAMES = 10_000;

/** n8n's history of what a node has processed: in its database, and the same for all of its processes. */
const HISTORY = { mode: 'entries', maxEntries: MOST_NAMES } as const;

/** How often to try what may collide with another process. */
const TRIES = 5;
const TRY_AGAIN_MS = 50;

interface Change {
	kind: 'record' | 'forget';
	names: string[];
	/** Gets the names that were not on record. */
	resolve: (added: string[]) => void;
	reject: (error: unknown) => void;
}

/**
 * The changes that wait, by workflow and node. n8n reads a history whole and writes it back, so changes at the same moment
 * undo each other. All that wait are made at once: otherwise, executions pile up behind a slow database.
 */
const waiting = new Map<string, Change[]>();

/** Returns which of the names were not on record. Throws what n8n's database threw, if it keeps doing so. */
export async function record(context: IExecuteFunctions, names: string[]): Promise<string[]> {
	return await inTurn(context, 'record', names);
}

export async function forget(context: IExecuteFunctions, names: string[]): Promise<void> {
	await inTurn(context, 'forget', names);
}

async function inTurn(
	context: IExecuteFunctions,
	kind: Change['kind'],
	names: string[],
): Promise<string[]> {
	if (names.length === 0) return [];
	return await new Promise((resolve, reject) => {
		const key = `${context.getWorkflow().id}/${context.getNode().id}`;
		const others = waiting.get(key);
		const change = { kind, names, resolve, reject };
		if (others) {
			others.push(change);
			return;
		}
		const changes = [change];
		waiting.set(key, changes);
		void makeAll(context, key, changes);
	});
}

/** Until none waits. It never throws. */
async function makeAll(context: IExecuteFunctions, key: string, changes: Change[]) {
	while (changes[0]) {
		const { kind } = changes[0];
		const other = changes.findIndex((change) => change.kind !== kind);
		const made = changes.splice(0, other < 0 ? changes.length : other);
		const names = [...new Set(made.flatMap((change) => change.names))];
		await make(context, kind, names).then(
			(added) => {
				const left = new Set(added);
				// The first one that waited has recorded it.
				for (const one of made) one.resolve(one.names.filter((name) => left.delete(name)));
			},
			(error: unknown) => {
				for (const one of made) one.reject(error);
			},
		);
	}
	waiting.delete(key);
}

async function make(
	context: IExecuteFunctions,
	kind: Change['kind'],
	names: string[],
): Promise<string[]> {
	if (kind === 'record') return await write(context, names);
	await context.helpers.removeProcessed(names, 'node', HISTORY);
	return [];
}

async function write(context: IExecuteFunctions, names: string[]): Promise<string[]> {
	const added = await ask(context, names);
	// An execution in another process may have written its own history over this one.
	for (let tries = 1; added.length > 0 && tries < TRIES; tries++) {
		// That it was recorded is all that is known if the database is gone now.
		if ((await ask(context, names).catch(() => [])).length === 0) break;
	}
	return added;
}

async function ask(context: IExecuteFunctions, names: string[], tries = 1): Promise<string[]> {
	const asked = context.helpers.checkProcessedAndRecord(names, 'node', HISTORY);
	const answer = await asked.catch(async (error: unknown) => {
		// The first executions of two processes both make the history, and one of them fails.
		if (tries === TRIES) throw error;
		await sleep(TRY_AGAIN_MS * tries);
		return undefined;
	});
	return answer ? answer.new.map(String) : await ask(context, names, tries + 1);
}
