import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { z } from 'zod';

import { failedItem } from '../events/additions';
import { forgetOldest } from './deduplicate';
import type { Settings } from './inputs';
import { forget, record } from './processed';

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

/**
 * The items whose events no earlier execution has had, with what `complete` adds. Tests in the editor are not recorded, and a
 * retry of an execution gives back everything.
 *
 * What a delivery has brought is recorded last: an execution that dies while it fetches has not used it up. What was looked
 * for is recorded first, because in queue mode most of it has been delivered, and need not be fetched again.
 */
export async function oncePerEvent(
	context: IExecuteFunctions,
	items: INodeExecutionData[],
	{ deduplicationMs }: Settings,
	complete: (item: INodeExecutionData) => Promise<INodeExecutionData>,
): Promise<INodeExecutionData[]> {
	const execution = context.getExecutionId();
	const own = ownOf.get(execution) ?? new Set();
	ownOf.set(execution, own);
	forgetOldest(ownOf);
	const window = { since: Date.now(), ms: deduplicationMs };
	const taking: Taking = { context, window, own, recorded: [] };
	/** Gives a function that makes the item as it goes on, because its name is only known when it is recorded. */
	const completed = async (item: INodeExecutionData) =>
		await complete(item).then(
			(whole) => (json: IDataObject) => extended(whole, json),
			(caught: unknown) => {
				if (!context.continueOnFail()) throw caught;
				return (json: IDataObject) => failedItem(context, extended(item, json), caught);
			},
		);
	const keep = async (item: INodeExecutionData) => {
		const origin = originSchema.safeParse(item.json).data;
		if (!origin || context.getMode() === 'manual') return [(await completed(item))({})];
		if (origin.foundBy === 'check') {
			return (await takeFound(taking, origin)) ? [(await completed(item))({})] : [];
		}
		const goOn = await completed(item);
		const eventId = await takeDelivered(taking, origin);
		return eventId ? [goOn({ eventId })] : [];
	};
	const kept = await Promise.all(items.map(keep)).catch(async (error: unknown) => {
		// n8n may try again, and so may Documenso.
		await forget(context, taking.recorded);
		throw error;
	});
	// With On Error: Continue, n8n may try again because of an error in the output.
	if (!context.continueOnFail()) ownOf.delete(execution);
	return kept.flat();
}

function extended(item: INodeExecutionData, json: IDataObject): INodeExecutionData {
	return { ...item, json: { ...item.json, ...json } };
}

/** What executions may have left on record: if they fail here, n8n tries them again if the node says so. */
const ownOf = new Map<string, Set<string>>();

/** For how long an event is known, in milliseconds, and when this try began, in milliseconds since the epoch. */
interface Window {
	ms: number;
	since: number;
}

interface Taking {
	context: IExecuteFunctions;
	window: Window;
	/** What this execution has put on record, in this try or an earlier one, or may have. */
	own: Set<string>;
	/** What this try has certainly put there. */
	recorded: string[];
}

/** Records an event that was looked for. Returns whether it is the execution's to go on with. */
async function takeFound(taking: Taking, { eventId }: Origin): Promise<boolean> {
	// One after the other: nothing has to be forgotten of an event that is known, which another process could undo.
	const event = await put(taking, [eventId]);
	if (!event.has(eventId)) return isRetry(taking);
	const recently = inBuckets(eventId, taking.window);
	const time = await put(taking, recently);
	// A delivery may have come since.
	return recently.every((name) => time.has(name)) || isRetry(taking);
}

/** Records an event that was delivered. Returns how it is named, or undefined for a duplicate delivery. */
async function takeDelivered(taking: Taking, origin: Origin): Promise<string | undefined> {
	const { event, eventId, deliveryId = eventId } = origin;
	const recurs = isRecurrent(event);
	const delivered = `${eventId} was delivered`;
	const recently = inBuckets(recurs ? deliveryId : eventId, taking.window);
	const taken = await put(taking, [eventId, ...(recurs ? [delivered] : []), ...recently]);
	const isFirst = !recurs || taken.has(eventId);
	if (isRetry(taking)) return isFirst ? eventId : deliveryId;
	if (!recently.every((name) => taken.has(name))) {
		// Otherwise each duplicate would begin the time anew.
		await forget(taking.context, taken.added);
		return undefined;
	}
	if (isFirst) return eventId;
	// The first delivery may only have come after a look had found the event.
	return taken.added.includes(delivered) ? undefined : deliveryId;
}

/** Records names. Tells which of them were not there, and which are this execution's own now. */
async function put({ context, own, recorded }: Taking, names: string[]) {
	const { added, claimed } = await record(context, names).catch((error: unknown) => {
		for (const name of names) own.add(name);
		throw error;
	});
	for (const name of [...added, ...claimed]) own.add(name);
	recorded.push(...added, ...claimed);
	return { added, has: (name: string) => own.has(name) };
}

/** When somebody retries an execution in n8n, nothing is left out: its events are on record. */
function isRetry({ context }: Taking): boolean {
	return !FRESH_MODES.includes(context.getMode());
}

/** A document can be sent again, which the name of the event does not tell, but its deliveries do. */
function isRecurrent(event: string): boolean {
	return event === 'DOCUMENT_SENT';
}

/**
 * Names that are recorded for a time. n8n keeps no dates: a name lasts for its bucket of time and the next. What has taken long
 * to fetch has the names of when it began, too, because a duplicate that began then may have been faster.
 */
function inBuckets(name: string, { ms, since }: Window): string[] {
	if (ms === 0) return [];
	const buckets = [Date.now(), since].map((time) => Math.floor(time / ms));
	const all = new Set(buckets.flatMap((bucket) => [bucket, bucket - 1]));
	return [...all].map((bucket) => `${name}@${ms}/${bucket}`);
}
