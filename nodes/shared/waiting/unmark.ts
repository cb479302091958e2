import type { FunctionsBase } from 'n8n-workflow';

import type { Client } from '../api/client';
import { messageOf } from '../api/failure';
import { withoutMarker } from '../envelope/marker';
import { forgetOldest } from '../n8n/remembered';
import { updateExternalId } from './locked';

export interface Marked {
	id: string;
	externalId?: string | null;
}

/** What this process has removed: several triggers hear of the same event, and Documenso may deliver it again. */
const removed = new Set<string>();

/** Whether an execution has already made use of what happened to a document. */
export function wasRemoved({ id }: Marked, marker: string): boolean {
	return removed.has(`${id} ${marker}`);
}

/**
 * Removes the markers of executions that do not wait for a finished document any more. While a document is open they stay,
 * because an execution may write its own marker at the same moment, and Documenso cannot tell which came first.
 */
export async function unmark(
	context: Pick<FunctionsBase, 'logger'>,
	client: Client,
	{ id, externalId }: Marked,
	markers: string[],
) {
	const before = externalId ?? '';
	const after = markers.reduce(withoutMarker, before);
	const removals = markers.map((marker) => `${id} ${marker}`).filter((one) => !removed.has(one));
	if (after === before || removals.length === 0) return;
	for (const removal of removals) removed.add(removal);
	forgetOldest(removed);
	try {
		// Of a locked document, the markers stay, and nobody tries again.
		await updateExternalId(client, { id, isSent: true }, after || null);
	} catch (error) {
		for (const removal of removals) removed.delete(removal);
		// A marker that stays does no harm: no execution waits for it.
		context.logger.warn(`The external ID of ${id} still has a marker: ${messageOf(error)}`);
	}
}
