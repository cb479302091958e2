import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { z } from 'zod';

import { clock } from '../shared/api/clock';
import { failedItem } from '../shared/events/additions';
import { forgetOldest } from '../shared/n8n/remembered';
import type { Settings } from './inputs';
import { histories } from './processed';

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
	{ deduplicationMs: windowMs }: Settings,
	complete: (item: INodeExecutionData) => Promise<INodeExecutionData>,
): Promise<INodeExecutionData[]> {
	const execution = context.getExecutionId();
	const own = ownOf.get(execution) ?? new Set();
	ownOf.set(execution, own);
	forgetOldest(ownOf);
	const attempt: Attempt = { context, windowMs, began: clock.now(), own, recorded: [] };
	/** Gives a function that makes the item, because a later sending only gets its ID when it is recorded. */
	const completed = async (item: INodeExecutionData) =>
		await complete(item).then(
			(whole) => (json: IDataObject) => extended(whole, json),
			(error: unknown) => {
				if (!context.continueOnFail()) throw error;
				return (json: IDataObject) => failedItem(context, extended(item, json), error);
			},
		);
	const keep = async (item: INodeExecutionData) => {
		const origin = originSchema.safeParse(item.json).data;
		if (!origin || context.getMode() === 'manual') return [(await completed(item))({})];
		if (origin.foundBy === 'check') {
			return (await recordFound(attempt, origin)) ? [(await completed(item))({})] : [];
		}
		const toItem = await completed(item);
		const eventId = await recordDelivered(attempt, origin);
		return eventId ? [toItem({ eventId })] : [];
	};
	const kept = await Promise.all(items.map(keep)).catch(async (error: unknown) => {
		// n8n may try again, and so may Documenso.
		await histories.of(context).forget(context, attempt.recorded);
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

/** One try of an execution. */
interface Attempt {
	context: IExecuteFunctions;
	/** For how long a delivery is recognised, in milliseconds. */
	windowMs: number;
	/** Milliseconds since the epoch. */
	began: number;
	/** What the execution has put on record, in this try or an earlier one, or may have. */
	own: Set<string>;
	/** What this try has certainly put there. */
	recorded: string[];
}

/** Records an event that was looked for. Returns whether it is the execution's to go on with. */
async function recordFound(attempt: Attempt, { eventId }: Origin): Promise<boolean> {
	const recently = inPeriods(attempt, eventId, [clock.now()]);
	await take(attempt, [eventId]);
	// Only then: for an event that is known, the time must not begin anew.
	if (isOwn(attempt, [eventId])) await take(attempt, recently);
	return isOwn(attempt, [eventId, ...recently]) || isRetry(attempt);
}

/** Records an event that was delivered. Returns its ID, or undefined for a duplicate delivery. */
async function recordDelivered(attempt: Attempt, origin: Origin): Promise<string | undefined> {
	const { event, eventId, deliveryId = eventId } = origin;
	// A document can be sent again, which the ID of the event does not tell, but its deliveries do.
	const recurs = event === 'DOCUMENT_SENT';
	const delivered = `${eventId} was delivered`;
	const name = recurs ? deliveryId : eventId;
	const now = clock.now();
	const recently = inPeriods(attempt, name, [now]);
	const all = [eventId, ...(recurs ? [delivered] : []), ...recently];
	const added = await take(attempt, all);
	if (isOwn(attempt, all)) return eventId;
	const isLater = recurs && !isOwn(attempt, [eventId]);
	const id = isLater ? deliveryId : eventId;
	if (isRetry(attempt)) return id;
	if (isOwn(attempt, recently)) {
		// What took long to fetch also asks for when it began, because a duplicate that began then may have been faster.
		const { began, windowMs } = attempt;
		const earlier = inPeriods(attempt, name, [now - windowMs, began, began - windowMs]);
		added.push(...(await take(attempt, earlier)));
		if (isOwn(attempt, earlier)) {
			// If it was on record, but no delivery of it, a look has found it, and this delivery is late.
			return isLater && added.includes(delivered) ? undefined : id;
		}
	}
	// Otherwise each duplicate would begin the time anew.
	await histories.of(attempt.context).forget(attempt.context, added);
	return undefined;
}

/** Records names. Returns those that were not there. */
async function take({ context, own, recorded }: Attempt, names: string[]): Promise<string[]> {
	const known = histories.of(context);
	const added = await known.record(context, names).catch((error: unknown) => {
		for (const name of names) own.add(name);
		throw error;
	});
	for (const name of added) own.add(name);
	recorded.push(...added);
	return added;
}

function isOwn({ own }: Attempt, names: string[]): boolean {
	return names.every((name) => own.has(name));
}

/** When somebody retries an execution in n8n, nothing is left out: its events are on record. */
function isRetry({ context }: Attempt): boolean {
	return !FRESH_MODES.includes(context.getMode());
}

/** n8n keeps no dates, so a name is recorded for a period of time, and looked for in that and the one before. */
function inPeriods({ windowMs }: Attempt, name: string, times: number[]): string[] {
	if (windowMs === 0) return [];
	const periods = new Set(times.map((time) => Math.floor(time / windowMs)));
	return [...periods].map((period) => `${name}@${windowMs}/${period}`);
}
