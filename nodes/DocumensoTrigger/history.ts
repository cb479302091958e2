import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { z } from 'zod';

import type { Settings } from './inputs';

/** How many names n8n keeps for a node, two to four for each event; the oldest are forgotten first. */
const MOST_NAMES = 10_000;

/** n8n's history of a node: kept in its database, shared by all of its processes. */
const HISTORY = { mode: 'entries', maxEntries: MOST_NAMES } as const;

/** How often to try what may collide with another process. */
const TRIES = 5;
const TRY_AGAIN_MS = 50;

/** Executions in which n8n runs the node for an event that has just come. Of others, nothing is left out. */
const FRESH_MODES = ['webhook', 'trigger'];

/** How an event is known; see `emit`. */
const originSchema = z.object({
	event: z.string(),
	eventId: z.string(),
	deliveryId: z.string().optional(),
	foundBy: z.enum(['webhook', 'check']),
});

type Origin = z.infer<typeof originSchema>;

/** By workflow and node. n8n reads a history and writes it back, so those who do that at the same moment undo each other. */
const turns = new Map<string, Promise<unknown>>();

/**
 * The items whose events no earlier execution has had. Tests in the editor are not recorded, and a retry of an execution
 * gives back everything.
 */
export async function withoutRepeats(
	context: IExecuteFunctions,
	items: INodeExecutionData[],
	{ deduplicationMs }: Settings,
): Promise<INodeExecutionData[]> {
	if (context.getMode() === 'manual') return items;
	return await inTurn(context, async () => {
		const recorded: string[] = [];
		try {
			const kept: INodeExecutionData[] = [];
			for (const item of items) {
				const origin = originSchema.safeParse(item.json).data;
				const name = origin ? await take(context, origin, deduplicationMs, recorded) : undefined;
				if (!origin) kept.push(item);
				else if (name) kept.push({ ...item, json: { ...item.json, eventId: name } });
			}
			interrupted.delete(context.getExecutionId());
			return kept;
		} catch (error) {
			// n8n may try again, and so may Documenso.
			interrupted.add(context.getExecutionId());
			await forget(context, recorded).catch(() => undefined);
			throw error;
		}
	});
}

/** Executions in which recording failed: what is on record may be their own. */
const interrupted = new Set<string>();

/** Records an event. Returns how it is named, or undefined if it is a repetition. */
async function take(
	context: IExecuteFunctions,
	origin: Origin,
	windowMs: number,
	recorded: string[],
): Promise<string | undefined> {
	const { event, eventId, deliveryId = eventId, foundBy } = origin;
	// A document can be sent again, which its name does not tell, but its deliveries do.
	const isRecurrent = event === 'DOCUMENT_SENT';
	const recently = (name: string) => inBuckets(name, windowMs);
	const own = recently(isRecurrent && foundBy === 'webhook' ? deliveryId : eventId);
	const found = recently(`found ${eventId}`);
	const names = [eventId, ...own, ...(foundBy === 'check' ? found : [])];
	const added = await record(context, names);
	recorded.push(...added);
	const isNew = (name: string) => added.includes(name);

	const isFresh =
		FRESH_MODES.includes(context.getMode()) && !interrupted.has(context.getExecutionId());
	const isKnown = foundBy === 'check' ? !isNew(eventId) : !own.every(isNew);
	if (isFresh && isKnown) {
		// As if it had not come: otherwise each repetition would begin the time anew.
		await forget(context, added);
		return undefined;
	}
	if (!isRecurrent || foundBy === 'check' || isNew(eventId)) return eventId;

	// The first delivery may only have come after a check had found the event.
	const unfound = await record(context, found);
	await forget(context, found);
	return isFresh && unfound.length < found.length ? undefined : deliveryId;
}

/** Names that are recorded for a time. n8n keeps no dates: a name lasts for this bucket of time and the next. */
function inBuckets(name: string, windowMs: number): string[] {
	if (windowMs === 0) return [];
	const bucket = Math.floor(Date.now() / windowMs);
	return [bucket, bucket - 1].map((number) => `${name}@${windowMs}/${number}`);
}

/** Returns which of the names were not on record. Throws what n8n's database threw, if it keeps doing so. */
async function record(context: IExecuteFunctions, names: string[]): Promise<string[]> {
	if (names.length === 0) return [];
	const added = await ask(context, names);
	if (added.length === 0) return [];
	// An execution in another process may have written its own history over this one.
	for (let tries = 1; tries < TRIES; tries++) {
		if ((await ask(context, names)).length === 0) break;
	}
	return added;
}

async function ask(context: IExecuteFunctions, names: string[]): Promise<string[]> {
	for (let tries = 1; ; tries++) {
		try {
			const answer = await context.helpers.checkProcessedAndRecord(names, 'node', HISTORY);
			return answer.new.map(String);
		} catch (error) {
			// The first executions of two processes both make the history, and one of them fails.
			if (tries === TRIES) throw error;
			await sleep(TRY_AGAIN_MS * tries);
		}
	}
}

async function forget(context: IExecuteFunctions, names: string[]) {
	if (names.length > 0) await context.helpers.removeProcessed(names, 'node', HISTORY);
}

/** One after the other, for each node. */
async function inTurn<Result>(
	context: IExecuteFunctions,
	action: () => Promise<Result>,
): Promise<Result> {
	const key = `${context.getWorkflow().id}/${context.getNode().id}`;
	const turn = (turns.get(key) ?? Promise.resolve()).then(action, action);
	const settled = turn.then(
		() => undefined,
		() => undefined,
	);
	turns.set(key, settled);
	await settled;
	if (turns.get(key) === settled) turns.delete(key);
	return await turn;
}
