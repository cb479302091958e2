import type {
	FunctionsBase,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	IPollFunctions,
} from 'n8n-workflow';
import { z } from 'zod';

import { clock } from '../api/clock';
import { addHint } from '../n8n/hint';

/** What a look has left: its state as text, and when. Times are milliseconds since the epoch. */
const leftSchema = z.object({ state: z.string(), at: z.number() });

export type Left = z.infer<typeof leftSchema>;

/** What n8n keeps for the looks of a trigger. Without a state, `at` is when what was left before was forgotten. */
export interface Stored extends Partial<Left> {
	/** When the workflow was published, until something has looked. */
	publishedAt?: number;
}

/** How often an execution stores the state where n8n does not, in milliseconds. After a restart, events since are found again. */
export const STORED_EVERY_MS = 60 * 60_000;

type Node = Pick<FunctionsBase, 'getNode' | 'getWorkflowStaticData'>;

/**
 * It is in the static data of the workflow, by the node's ID: a node's own is lost when the node gets another name. But with
 * durable cursors, n8n gives a poll what the last one has left in the node's own, and stores nothing else of a poll that
 * starts no execution. Only polls see a cursor, so what was forgotten meanwhile stands beside it, with a later time.
 */
export function readStored(node: Node): Stored {
	const cursor = cursorOf(node);
	const shared = sharedOf(node)[keyOf(node)] ?? {};
	return cursor?.state !== undefined && (cursor.at ?? 0) >= (shared.at ?? 0) ? cursor : shared;
}

/** Notes when n8n publishes the workflow, unless something has looked since an earlier time. */
export function notePublished(node: Node): Stored {
	const stored = readStored(node);
	if (stored.state !== undefined || stored.publishedAt !== undefined) return stored;
	return (sharedOf(node)[keyOf(node)] = { ...stored, publishedAt: clock.now() });
}

export function writeState(node: Node, left: Left) {
	const cursor = cursorOf(node);
	if (cursor) Object.assign(cursor, left);
	else sharedOf(node)[keyOf(node)] = left;
}

export function forgetStored(node: Node) {
	// Also where nothing is stored here: there may be a cursor, which only polls see.
	sharedOf(node)[keyOf(node)] = { at: clock.now() };
}

/** Where n8n stores what a poll leaves when it is over: it watches other static data for changes, and marks it so. */
export function cursorOf(node: Node): Stored | undefined {
	const own: Stored = node.getWorkflowStaticData('node');
	return '__dataChanged' in own ? undefined : own;
}

function sharedOf(node: Node) {
	// Nothing else has such keys.
	return node.getWorkflowStaticData('global') as Record<string, Stored | undefined>;
}

function keyOf(node: Node): string {
	return `documenso looks ${node.getNode().id}`;
}

/** Where an item carries a state instead of an event. */
const STATE = 'documensoState';

/** With this setting, the execution that stores a state would run the workflow for an item that is no event. */
export function isStorable(node: Node): boolean {
	return !node.getNode().alwaysOutputData;
}

/** Has an execution store a state, because n8n stores what a poll leaves only with one. */
export function storeByExecution(context: IPollFunctions, left: Left) {
	if (isStorable(context)) context.__emit([[{ json: { [STATE]: { ...left } } }]]);
}

/** Stores the state that an execution was started for. Returns the items with events. */
export function withoutStates(
	context: IExecuteFunctions,
	items: INodeExecutionData[],
): INodeExecutionData[] {
	// Nobody can send one: a delivery has an event.
	const leftIn = ({ json }: { json: IDataObject }) =>
		'event' in json ? undefined : leftSchema.safeParse(json[STATE]).data;
	const all = items.flatMap((item) => leftIn(item) ?? []);
	for (const left of all) writeState(context, left);
	if (all.length > 0) addHint(context, STORED);
	return items.filter((item) => !leftIn(item));
}

const STORED =
	'No event: this execution stores what the trigger has seen, so that missed events can be found after n8n starts again. Leave Always Output Data off in the settings of this node.';
