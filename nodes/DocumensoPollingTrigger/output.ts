import type { IDataObject } from 'n8n-workflow';

import type { Client } from '../Documenso/api/client';
import { passes } from '../events/filters';
import { withoutTokens } from '../events/output';
import type { Occurrence } from '../polls/comparison';
import { foundEvents, simplifyFound } from '../polls/found';
import type { Settings } from './inputs';

/** An item for each occurrence that the user selected. */
export function itemsOf(
	client: Client,
	occurrences: Occurrence[],
	{ selection, simple }: Settings,
): IDataObject[] {
	const selected = foundEvents(occurrences).filter(
		({ event }) => selection.events.includes(event.name) && passes(event, selection.filters),
	);
	return selected.map((found) => {
		const { event, eventId, document } = found;
		if (!simple) return { event: event.name, eventId, document: withoutTokens(document) };
		return { event: event.name, eventId, isTest: false, ...simplifyFound(client, found) };
	});
}
