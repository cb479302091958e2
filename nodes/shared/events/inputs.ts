import type { INodePropertyOptions } from 'n8n-workflow';

import type { Context } from '../api/exchange';
import { flag, input, multiChoice, type Extras } from '../n8n/input';
import { Refusal } from '../n8n/refusal';
import { listOfTexts } from '../n8n/values';
import { readFilters } from './filters';
import { ANY_EVENT } from './names';

export function eventsInput(options: INodePropertyOptions[]) {
	return multiChoice('Events', options, listOfTexts, { required: true });
}

/** A switch that is off if an expression returns neither true nor false: that must not cost the event. */
export function lenientFlag(displayName: string, extras: Extras) {
	const { property, schema } = flag(displayName, false, extras);
	return input(property, schema.catch(false));
}

export const simple = flag('Simplify', true, {
	description: 'Whether to return a simplified version of the response instead of the raw data',
});

export const includeSigningLinks = lenientFlag('Include Signing Links', {
	description:
		"Whether to add the link to each recipient's signing page. Anyone who has such a link can sign.",
});

export const withoutMissing = lenientFlag('Continue Without What Is Missing', {
	description:
		'Whether to go on if something under Add to Output cannot be fetched, and list it under <code>missing</code>. Otherwise, the execution fails, and a retry in n8n fetches it again.',
});

export function entered(context: Context, name: string): unknown {
	return 'getInputData' in context
		? context.getNodeParameter(name, 0, null)
		: context.getNodeParameter(name, null);
}

/** Refuses what is no event, before the workflow is published. Documenso may have more than the node knows. */
export function checkEvents(events: string[]) {
	const wrong = events.filter((event) => event !== ANY_EVENT && !/^[A-Z]+(_[A-Z]+)+$/.test(event));
	if (wrong.length === 0) return;
	throw new Refusal(
		`'Events' has "${wrong.join('", "')}", which is no event of Documenso`,
		'Events are called like DOCUMENT_COMPLETED; * stands for all.',
	);
}

/** Reads which events the user selected. Throws a Refusal that names what cannot be used. */
export function readSelection({ events, filters }: { events: unknown; filters: unknown }) {
	const names = listOfTexts.safeParse(events);
	if (names.success) return { events: names.data, filters: readFilters(filters) };
	throw new Refusal(
		"'Events' is not a list of events",
		'Select the events that start the workflow.',
	);
}
