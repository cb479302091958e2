import { Refusal } from '../Documenso/engine/refusal';
import { readFilters, type Filters } from './filters';
import { eventNames } from './inputs';

/** What the user entered to select events. */
export interface EnteredSelection {
	events: unknown;
	filters: unknown;
}

export interface Selection {
	events: string[];
	filters: Filters;
}

/** Throws a Refusal that names what cannot be used. */
export function readSelection({ events, filters }: EnteredSelection): Selection {
	return { events: readEvents(events), filters: readFilters(filters) };
}

function readEvents(value: unknown): string[] {
	const result = eventNames.safeParse(value);
	if (result.success) return result.data;
	throw new Refusal(
		"'Events' is not a list of events",
		'Select the events that start the workflow.',
	);
}
