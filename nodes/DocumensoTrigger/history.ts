import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { z } from 'zod';

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
 * The items whose events no earlier execution has had. Tests in the editor are not recorded, and a retry of an execution
 * gives back everything.
 */
export async function withoutRepeats(
	context: IExecuteFunctions,
	items: INodeExecutionData[],
	{ deduplicationMs }: Settings,
): Promise<INodeExecutionData[]> {
	if (context.getMode() === 'manual') return items;
	const recorded: string[] = [];
	const execution = context.getExecutionId();
	const keep = async (item: INodeExecutionData) => {
		const origin = originSchema.safeParse(item.json).data;
		if (!origin) return [item];
		const eventId = await take(context, origin, deduplicationMs, recorded);
		return eventId ? [{ ...item, json: { ...item.json, eventId } }] : [];
	};
	const kept = await Promise.all(items.map(keep)).catch(async (error: unknown) => {
		// n8n may try again, and so may Documenso.
		interrupted.add(execution);
		await forget(context, recorded).catch(() => undefined);
		throw error;
	});
	interrupted.delete(execution);
	return kept.flat();
}

/** Executions in which recording failed: what is on record may be their own. */
const interrupted = new Set<string>();

/**
 * The items without those of checks whose events are known: nothing needs to be fetched for them. Nothing stays recorded.
 */
export async function withoutKnown(
	context: IExecuteFunctions,
	items: INodeExecutionData[],
): Promise<INodeExecutionData[]> {
	if (!FRESH_MODES.includes(context.getMode()) || interrupted.has(context.getExecutionId())) {
		return items;
	}
	const idOf = ({ json }: INodeExecutionData) => {
		const origin = originSchema.safeParse(json).data;
		return origin?.foundBy === 'check' ? origin.eventId : undefined;
	};
	const ids = items.flatMap((item) => idOf(item) ?? []);
	const unknown = await record(context, ids);
	await forget(context, unknown).catch((error: unknown) => {
		interrupted.add(context.getExecutionId());
		throw error;
	});
	return items.filter((item) => {
		const id = idOf(item);
		return id === undefined || unknown.includes(id);
	});
}

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
